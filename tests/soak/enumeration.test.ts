import { Agent, request, type RequestOptions } from "node:http";
import { afterAll, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { hashPassword } from "../../app/features/sign-in/password-hash.server";
import { insertRedeemable, newCode } from "../factories/redemptions";
import { freePort } from "../support/free-port";
import { password, useServer } from "../support/server";
import { useSession } from "../support/session";

/** Whether the time of an answer tells what the answer doesn't. */
const port = await freePort();
const server = useServer({
  environment: {
    PORT: String(port),
    TRUST_PROXY: "1",
    QR_PAYLOAD: `HTTP://LOCALHOST:${port}/R/{code}`,
  },
});
const admin = useSession(server);
const rounds = 2_000;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => agent.destroy());

type Probe = { path: string; fields?: Record<string, string> };

let address = 0;

/** Each request comes from a client of its own. @returns the time from the first byte sent to the last one read, in ms */
function measure({ path, fields }: Probe, status: number): Promise<number> {
  address += 1;
  const body = fields && new URLSearchParams(fields).toString();
  const { hostname, port } = new URL(server.origin);
  const options: RequestOptions = {
    hostname,
    port,
    path,
    agent,
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(body === undefined
        ? {}
        : {
            "Content-Type": "application/x-www-form-urlencoded",
            "Content-Length": Buffer.byteLength(body),
            Origin: server.origin,
          }),
      "X-Forwarded-For": `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`,
    },
  };
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const outgoing = request(options, (incoming) => {
      if (incoming.statusCode !== status) reject(new Error(`It answered ${incoming.statusCode}`));
      incoming.resume().once("end", () => resolve(performance.now() - started));
    });
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

/** Asks for each kind as often, and fails if a time tells a kind from the first one. */
async function expectEqualTimes(probes: Record<string, (round: number) => Probe>, status: number) {
  const kinds = Object.keys(probes);
  const times = new Map(kinds.map((kind) => [kind, [] as number[]]));
  // The first ones find everything cold.
  for (const kind of kinds) await measure(probes[kind]!(rounds + 1), status);
  for (let round = 1; round <= rounds; round++) {
    // Each kind comes as often first as last.
    const order = [...kinds.slice(round % kinds.length), ...kinds.slice(0, round % kinds.length)];
    if (round % 2 === 0) order.reverse();
    for (const kind of order) times.get(kind)!.push(await measure(probes[kind]!(round), status));
  }
  const figures = kinds.map((kind) => ({
    kind,
    median: median(times.get(kind)!).toFixed(2),
    area: areaUnderCurve(times.get(kind)!, times.get(kinds[0]!)!),
  }));
  console.table(figures);
  for (const { kind, area } of figures) {
    expect(area, kind).toBeGreaterThan(0.45);
    expect(area, kind).toBeLessThan(0.55);
  }
}

async function insertUsers(): Promise<void> {
  await db().raw(
    `insert into users (email, password_hash, is_disabled, email_verified_at)
     select kind || '-' || round || '@example.com', :hash, kind = 'disabled',
       case when kind <> 'unverified' then now() end
     from unnest(array['known', 'disabled', 'unverified']) kind, generate_series(1, :rounds::integer) round`,
    { hash: await hashPassword(password), rounds },
  );
}

test(
  "the time of a refused sign-in tells nothing about the account",
  { timeout: 3_600_000 },
  async () => {
    await insertUsers();
    const wrong = "not the password of anybody";
    const signIn = (email: string, typed = wrong) => ({
      path: "/login",
      fields: { email: `${email}@example.com`, password: typed },
    });
    await expectEqualTimes(
      {
        wrong: (round) => signIn(`known-${round}`),
        unknown: (round) => signIn(`nobody-${round}`),
        disabled: (round) => signIn(`disabled-${round}`, password),
        unverified: (round) => signIn(`unverified-${round}`, password),
        empty: (round) => signIn(`known-${round}`, ""),
        "over-long": (round) => signIn(`known-${round}`, "x".repeat(129)),
      },
      401,
    );
  },
);

test(
  "the time of the customers' page tells no deleted code from one that never was",
  { timeout: 3_600_000 },
  async () => {
    const settings = await admin.open("/app/settings");
    await settings.press("Save settings", { customerPage: "true" });
    const { code } = await insertRedeemable({ is_deleted: true });
    await expectEqualTimes(
      {
        unknown: () => ({ path: `/R/${newCode()}` }),
        deleted: () => ({ path: `/R/${code}` }),
        malformed: () => ({ path: "/R/ABC" }),
        "over-long": () => ({ path: `/R/${"x".repeat(300)}` }),
      },
      404,
    );
  },
);
