import { Agent, request } from "node:http";
import { afterAll, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { hashPassword } from "../../app/features/sign-in/password-hash.server";
import { password, useServer } from "../support/server";

/** Whether the time of a refused sign-in tells anything about the account. */
const server = useServer({ environment: { TRUST_PROXY: "1" } });
const rounds = 2_000;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => agent.destroy());

const wrong = "not the password of anybody";
const attempts: Record<string, (round: number) => { email: string; password: string }> = {
  wrong: (round) => ({ email: `known-${round}@example.com`, password: wrong }),
  unknown: (round) => ({ email: `nobody-${round}@example.com`, password: wrong }),
  disabled: (round) => ({ email: `disabled-${round}@example.com`, password }),
  unverified: (round) => ({ email: `unverified-${round}@example.com`, password }),
  empty: (round) => ({ email: `known-${round}@example.com`, password: "" }),
  "over-long": (round) => ({ email: `known-${round}@example.com`, password: "x".repeat(129) }),
};

async function insertUsers(): Promise<void> {
  await db().raw(
    `insert into users (email, password_hash, is_disabled, email_verified_at)
     select kind || '-' || round || '@example.com', :hash, kind = 'disabled',
       case when kind <> 'unverified' then now() end
     from unnest(array['known', 'disabled', 'unverified']) kind, generate_series(1, :rounds::integer) round`,
    { hash: await hashPassword(password), rounds },
  );
}

let address = 0;

/** @returns the time from the first byte sent to the last one read, in ms */
function measure(fields: Record<string, string>): Promise<number> {
  address += 1;
  const body = new URLSearchParams(fields).toString();
  const { hostname, port } = new URL(server.origin);
  const headers = {
    "Content-Type": "application/x-www-form-urlencoded",
    "Content-Length": Buffer.byteLength(body),
    Origin: server.origin,
    "X-Forwarded-For": `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`,
  };
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const outgoing = request(
      { hostname, port, path: "/login", method: "POST", agent, headers },
      (incoming) => {
        if (incoming.statusCode !== 401) reject(new Error(`It answered ${incoming.statusCode}`));
        incoming.resume().once("end", () => resolve(performance.now() - started));
      },
    );
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}

/** Returns the probability that a time of the first kind is longer than one of the second. */
function areaUnderCurve(first: number[], second: number[]): number {
  const sorted = [...second].sort((a, b) => a - b);
  const shorter = (time: number) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]! < time) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return first.reduce((sum, time) => sum + shorter(time), 0) / (first.length * second.length);
}

const median = (times: number[]) => [...times].sort((a, b) => a - b)[times.length >> 1]!;

test(
  "the time of a refused sign-in tells nothing about the account",
  { timeout: 3_600_000 },
  async () => {
    await insertUsers();
    const kinds = Object.keys(attempts);
    const times = new Map(kinds.map((kind) => [kind, [] as number[]]));
    // The first ones find everything cold.
    for (const kind of kinds) await measure(attempts[kind]!(rounds + 1));
    for (let round = 1; round <= rounds; round++) {
      // Each kind comes as often first as last.
      const order = [...kinds.slice(round % kinds.length), ...kinds.slice(0, round % kinds.length)];
      if (round % 2 === 0) order.reverse();
      for (const kind of order) times.get(kind)!.push(await measure(attempts[kind]!(round)));
    }
    const figures = kinds.map((kind) => ({
      kind,
      median: median(times.get(kind)!).toFixed(2),
      area: areaUnderCurve(times.get(kind)!, times.get("wrong")!),
    }));
    console.table(figures);
    for (const { kind, area } of figures) {
      expect(area, kind).toBeGreaterThan(0.45);
      expect(area, kind).toBeLessThan(0.55);
    }
  },
);
