import { Agent, request } from "node:http";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

type Told = { status: number; body: string };

type Ask = { path: string; body: string };

/** Answers and failures in a span of time. */
export type Watch = {
  answered: number;
  /** Answers 503. */
  unavailable: number;
  unanswered: number;
  /** The longest that any machine waited for the answer to a redemption, from its first attempt on, in ms. */
  outageMs: number;
};

/**
 * Machines that redeem over HTTP. Each asks the same again until it is answered, as a real one does, and the next of
 * several instances, and notes what it was told: that must hold for ever.
 */
export function startVendingMachines(options: {
  origins: readonly string[];
  key: string;
  codes: readonly string[];
  serials: readonly string[];
  machines: number;
  /** How long a machine waits for an answer, in ms; then it asks the same once more. */
  timeoutMs: number;
  /** How long it waits before it asks once more, in ms. */
  retryMs?: number;
  /** How long it waits between redemptions, in ms. */
  pauseMs?: number;
}) {
  const { codes, key, origins, serials, timeoutMs, retryMs = 20, pauseMs = 0 } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: options.machines });
  /** Answers by redemption id; rollbacks by the id that they give back. */
  const redemptions = new Map<string, Told & { ask: Ask }>();
  const rollbacks = new Map<string, Told>();
  const violations: string[] = [];
  let slowestMs = 0;
  let unanswered = 0;
  let unavailable = 0;
  let isRunning = true;
  /** The instance that each machine asks: another one after no answer or 503. */
  const turns = Array.from({ length: options.machines }, (_, machine) => machine);
  /** When those that wait for the answer to a redemption asked for the first time. */
  const askedAt = new Map<number, number>();
  let outageMs = 0;

  function send(
    { path, body }: Ask,
    origin = origins[0]!,
  ): Promise<(Told & { retryAfter: string | undefined }) | null> {
    const { hostname, port } = new URL(origin);
    const began = performance.now();
    return new Promise((resolve) => {
      const headers = {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(body),
      };
      const outgoing = request(
        { hostname, port, path, method: "POST", headers, agent },
        (answer) => {
          let text = "";
          answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
          answer.once("end", () => {
            slowestMs = Math.max(slowestMs, performance.now() - began);
            resolve({
              status: answer.statusCode!,
              body: text,
              retryAfter: answer.headers["retry-after"],
            });
          });
          answer.once("error", () => resolve(null));
          answer.once("aborted", () => resolve(null));
        },
      );
      outgoing.setTimeout(timeoutMs, () => outgoing.destroy());
      outgoing.once("error", () => resolve(null));
      outgoing.end(body);
    });
  }

  /** @returns null only when everything stops before there was an answer */
  async function ask(
    what: Ask,
    expected: readonly number[],
    machine: number,
  ): Promise<Told | null> {
    for (; isRunning; turns[machine]! += 1) {
      const answer = await send(what, origins[turns[machine]! % origins.length]);
      if (answer && expected.includes(answer.status)) return answer;
      if (!answer) unanswered += 1;
      if (answer?.status === 503) unavailable += 1;
      if (answer && (answer.status !== 503 || answer.retryAfter === undefined))
        violations.push(`${what.path} ${what.body}: ${answer.status} ${answer.body}`);
      await pause(retryMs);
    }
    return null;
  }

  async function run(number: number) {
    for (let turn = number; isRunning; turn++) {
      const redemptionId = randomUUID();
      const what = {
        path: "/api/redemptions",
        body: JSON.stringify({
          code: codes[(turn * 7 + number) % codes.length],
          serialNumber: serials[turn % serials.length],
          originalPrice: 100 + ((turn * 13) % 400),
          redemptionId,
        }),
      };
      askedAt.set(number, performance.now());
      const told = await ask(what, [201, 422], number);
      if (!told) return;
      outageMs = Math.max(outageMs, performance.now() - askedAt.get(number)!);
      askedAt.delete(number);
      redemptions.set(redemptionId, { ...told, ask: what });
      await pause(pauseMs);
      if (told.status !== 201 || turn % 5 !== 0) continue;
      const back = { path: `/api/redemptions/${redemptionId}/rollback`, body: "{}" };
      const gaveBack = await ask(back, [200, 409], number);
      if (gaveBack) rollbacks.set(redemptionId, gaveBack);
    }
  }

  const running = Promise.all(Array.from({ length: options.machines }, (_, at) => run(at)));
  return {
    redemptions,
    rollbacks,
    /** Answers that no machine should ever get. */
    violations,
    /** How long the slowest answer took, in ms. */
    slowestMs: () => slowestMs,
    /** How often a machine got no answer. */
    unanswered: () => unanswered,
    /** How often a machine was answered 503. */
    unavailable: () => unavailable,
    /** Begins to watch all machines. @returns a function that tells what has happened since */
    watch(): () => Watch {
      const before = { answered: redemptions.size, unavailable, unanswered };
      outageMs = 0;
      return () => ({
        answered: redemptions.size - before.answered,
        unavailable: unavailable - before.unavailable,
        unanswered: unanswered - before.unanswered,
        outageMs: Math.max(
          outageMs,
          ...[...askedAt.values()].map((asked) => performance.now() - asked),
        ),
      });
    },
    /** Asks once more what was asked before. */
    again: (redemptionId: string) => send(redemptions.get(redemptionId)!.ask),
    async stop() {
      isRunning = false;
      await running;
    },
    close: () => agent.destroy(),
  };
}
