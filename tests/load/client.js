import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";

/**
 * Sends requests over many connections, in a process of its own, as the order on its standard input says, and prints
 * the result: `{answers: {status: count}, seconds, latencies: {p50, p95, p99}}`, latencies in ms. 0 is the status of a
 * request without an answer.
 *
 * @typedef {{path: string, method?: string, headers?: Record<string, string>, body?: string}} Sent
 * @typedef {{origin: string, connections: number, seconds: number, perSecond?: number, requests: Sent[]}} Order
 *   perSecond spaces the requests evenly; without it each connection sends its next one at once
 */

/** @type {Order} */
const { origin, connections, seconds, perSecond, requests } = JSON.parse(readFileSync(0, "utf8"));
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const { hostname, port } = new URL(origin);

/** @param {Sent} sent @returns {Promise<number>} the status */
function send({ path, method = "GET", headers = {}, body = "" }) {
  return new Promise((resolve) => {
    const options = { hostname, port, agent, path, method };
    const length = body ? { "Content-Length": Buffer.byteLength(body) } : {};
    request({ ...options, headers: { ...headers, ...length } }, (answer) =>
      answer.resume().once("close", () => resolve(answer.statusCode ?? 0)),
    )
      .once("error", () => resolve(0))
      .end(body);
  });
}

/** @type {Record<number, number>} */
const answers = {};
/** @type {number[]} */
const latencies = [];
const started = performance.now();
const end = started + seconds * 1_000;
let turn = 0;
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (performance.now() < end) {
      const mine = turn++;
      const due = perSecond ? started + (mine * 1_000) / perSecond : performance.now();
      if (due >= end) return;
      if (due > performance.now())
        await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
      // A late start is a part of what the client waits for.
      const status = await send(/** @type {Sent} */ (requests[mine % requests.length]));
      latencies.push(performance.now() - due);
      answers[status] = (answers[status] ?? 0) + 1;
    }
  }),
);
agent.destroy();
latencies.sort((one, other) => one - other);
const percentile = (/** @type {number} */ share) =>
  latencies[Math.floor(latencies.length * share)] ?? 0;
console.log(
  JSON.stringify({
    answers,
    seconds: (performance.now() - started) / 1_000,
    latencies: { p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) },
  }),
);
