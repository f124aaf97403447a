import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";

/**
 * Redeems over HTTP, in a process of its own, as the order on its standard input says, and prints
 * what it met: `{answers: {status: count}, seconds, lastApplied, latencies: {p50, p99}}`: latencies in ms,
 * lastApplied the seconds until the last answer of 201.
 *
 * @typedef {{origin: string, key: string, connections: number, seconds: number,
 *   codes: string[], serials: string[], untilRefused?: boolean}} Order
 */

/** @type {Order} */
const order = JSON.parse(readFileSync(0, "utf8"));
const { origin, key, connections, seconds, codes, serials, untilRefused = false } = order;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const { hostname, port } = new URL(origin);
/** @type {Record<number, number>} */
const answers = {};
/** @type {number[]} */
const latencies = [];

/** @param {unknown} body @returns {Promise<number>} */
function send(body) {
  const content = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    request(
      {
        hostname,
        port,
        agent,
        method: "POST",
        path: "/api/redemptions",
        headers: {
          Authorization: `Bearer ${key}`,
          "Content-Type": "application/json",
          "Content-Length": Buffer.byteLength(content),
        },
      },
      (answer) => answer.resume().once("end", () => resolve(answer.statusCode ?? 0)),
    )
      .once("error", reject)
      .end(content);
  });
}

const started = performance.now();
const deadline = started + seconds * 1_000;
let turn = 0;
let isOver = false;
let lastApplied = 0;
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (!isOver && performance.now() < deadline) {
      turn += 1;
      const begun = performance.now();
      const status = await send({
        code: codes[(turn * 7_919) % codes.length],
        serialNumber: serials[turn % serials.length],
        originalPrice: 250,
        redemptionId: randomUUID(),
      });
      latencies.push(performance.now() - begun);
      if (status === 201) lastApplied = (performance.now() - started) / 1_000;
      if (untilRefused && status === 422) isOver = true;
      answers[status] = (answers[status] ?? 0) + 1;
    }
  }),
);
agent.destroy();
latencies.sort((one, other) => one - other);
/** @param {number} share */
const percentile = (share) => latencies[Math.floor(latencies.length * share)] ?? 0;
console.log(
  JSON.stringify({
    answers,
    seconds: (performance.now() - started) / 1_000,
    lastApplied,
    latencies: { p50: percentile(0.5), p99: percentile(0.99) },
  }),
);
