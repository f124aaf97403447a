import { Agent, request as httpRequest } from "node:http";
import pg from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import {
  insertRedeemable,
  makeKey,
  newCode,
  request,
  useUpLookups,
} from "../factories/redemptions";
import { usePipeline, type Pipeline } from "../support/pipeline";
import { useDatabase } from "../support/postgres";
import { apiOf } from "../support/server";
import { inSoak } from "../support/repetitions";
import { openTransaction } from "../support/database-sessions";

useDatabase();

const redeem = (to: Pipeline, token: string, body: ReturnType<typeof request>) =>
  apiOf(to.send)("POST", "/api/redemptions", { token, body });

/** Locks codes until the test releases them or ends. */
async function lock(targets: { id: string }[]) {
  const holder = await openTransaction();
  const ids = targets.map(({ id }) => id);
  await holder.raw("select from promotions where id = any(?) for update", [ids]);
  return { release: () => holder.rollback() };
}

/** The statements that wait for a lock. */
async function waitingStatements(): Promise<number> {
  const { rows } = await db().raw<{ rows: object[] }>(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length;
}

inSoak(describe)("a key that asks for locked codes on 160 connections", () => {
  const pipeline = usePipeline();

  it("leaves places and database connections to another, and is answered afterwards", async () => {
    const [hammering, other] = [await makeKey(), await makeKey()];
    const targets = await Promise.all(Array.from({ length: 160 }, () => insertRedeemable()));
    const free = await insertRedeemable();
    const { release } = await lock(targets);
    const held = targets.map((target) => redeem(pipeline, hammering.secret, request(target)));
    await expect.poll(waitingStatements, { timeout: 10_000 }).toBe(5);

    for (let round = 0; round < 5; round++)
      expect((await redeem(pipeline, other.secret, request(free))).status).toBe(201);
    await release();
    const statuses = (await Promise.all(held)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(130);
  });

  it("gets an answer to each of 200 redemptions at once", async () => {
    const { secret } = await makeKey();
    const target = await insertRedeemable();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => redeem(pipeline, secret, request(target))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  });
});

describe("a throttled key", () => {
  const pipeline = usePipeline();

  it("is refused before its statement runs, and still gets the first answer of a repetition", async () => {
    const { secret, id } = await makeKey();
    const target = await insertRedeemable();
    const done = request(target);
    const first = await redeem(pipeline, secret, done);
    await useUpLookups(id);
    const guess = () => redeem(pipeline, secret, request({ ...target, code: newCode() }));
    expect((await guess()).status).toBe(429);

    const query = vi.spyOn(pg.Client.prototype, "query");
    try {
      const answer = await guess();
      expect(answer.status).toBe(429);
      expect(answer.headers["ratelimit-policy"]).toBe('"failed-lookups";q=30;w=60');
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
      const texts = (query.mock.calls as unknown as [{ text?: string }][]).map(
        ([{ text }]) => text,
      );
      expect(texts.filter((text) => text?.includes("redemption_"))).toEqual([
        expect.stringMatching(/^select a.attempt_id/),
      ]);
    } finally {
      query.mockRestore();
    }
    const repeated = await redeem(pipeline, secret, done);
    expect([repeated.status, repeated.body]).toEqual([201, first.body]);
  });

  it("at one machine is answered at others", async () => {
    const { secret, id } = await makeKey();
    const [here, there] = [await insertRedeemable(), await insertRedeemable()];
    const expire = db().raw("(extract(epoch from now()) * 1000)::bigint + 60000");
    const key = `redeem/key/${id}/${here.serialNumber}`;
    await db()("rate_limits").insert({ key, points: 30, expire });
    expect((await redeem(pipeline, secret, request(here))).status).toBe(429);
    expect((await redeem(pipeline, secret, request(here))).status).toBe(429);
    expect((await redeem(pipeline, secret, request(there))).status).toBe(201);
  });
});

describe("the connections of a key", () => {
  const pipeline = usePipeline({ limits: { connectionsPerKey: 3 } });

  it("are limited, and leave those of another key alone", async () => {
    const [one, other] = [await makeKey(), await makeKey()];
    const target = await insertRedeemable();
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const { port } = new URL(pipeline.origin);
    const redeemOn = (secret: string) =>
      new Promise<{ status: number; connection: string | undefined }>((resolve, reject) => {
        const outgoing = httpRequest(
          {
            agent,
            port,
            host: "127.0.0.1",
            method: "POST",
            path: "/api/redemptions",
            headers: {
              Host: new URL(pipeline.origin).host,
              Authorization: `Bearer ${secret}`,
              "Content-Type": "application/json",
            },
          },
          (incoming) => {
            incoming.resume();
            const { connection } = incoming.headers;
            incoming.once("end", () => resolve({ status: incoming.statusCode!, connection }));
          },
        );
        outgoing.once("error", reject);
        outgoing.end(JSON.stringify(request(target)));
      });

    const { release } = await lock([target]);
    const held = [1, 2, 3].map(() => redeemOn(one.secret));
    await vi.waitFor(async () => expect(await waitingStatements()).toBe(2));
    await vi.waitFor(async () =>
      expect(await redeemOn(one.secret)).toEqual({ status: 429, connection: "close" }),
    );
    const another = redeemOn(other.secret);
    await release();
    expect((await another).status).toBe(201);
    for (const answer of held) expect((await answer).status).toBe(201);
  });
});
