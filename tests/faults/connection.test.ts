import pg from "pg";
import { describe, expect, inject, it, vi } from "vitest";
import { connect, db, disconnect, isDatabaseUnavailable } from "../../app/db/connection.server";
import { cloneDatabase, useDatabase } from "../support/postgres";

useDatabase();

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

async function asAdmin(work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: inject("postgres").adminUrl });
  await client.connect();
  await work(client);
  await client.end();
}

const endConnections = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = 'promo-console' and datname = $1 and pid <> pg_backend_pid()`;

async function databaseName(): Promise<string> {
  const { rows } = await db().raw<{ rows: { name: string }[] }>(
    "select current_database() as name",
  );
  return rows[0]?.name ?? "";
}

describe("the pool", () => {
  it("limits how long anything may take", async () => {
    const { rows } = await db().raw<{ rows: Record<string, string>[] }>(
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle,
        current_setting('application_name') as name`,
    );
    expect(rows[0]).toEqual({ statement: "10s", lock: "2s", idle: "15s", name: "promo-console" });
  });

  it("survives killed connections, idle ones and busy ones", async () => {
    const name = await databaseName();
    // A connection whose end has not been read yet may still be given out, but each only once.
    const everyConnection = async () => {
      const answers = await Promise.allSettled(
        Array.from({ length: 10 }, () => db().raw("select pg_sleep(0.02)")),
      );
      expect(answers.filter((answer) => answer.status === "rejected")).toEqual([]);
    };
    for (let round = 0; round < 5; round++) {
      await vi.waitFor(everyConnection, { timeout: 10_000, interval: 10 });
      const slow = failure(db().raw("select pg_sleep(5)"));
      await db().raw("select 1");
      await asAdmin((client) => client.query(endConnections, [name]));
      expect(isDatabaseUnavailable(await slow)).toBe(true);
    }
    await vi.waitFor(everyConnection, { timeout: 10_000, interval: 10 });
  });

  it("gives up after 3 s when every connection is taken, and says so", async () => {
    const held = await Promise.all(Array.from({ length: 10 }, () => db().transaction()));
    const started = performance.now();
    const error = await failure(Promise.resolve(db().raw("select 1")));
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(performance.now() - started).toBeLessThan(4_000);
    await Promise.all(held.map((transaction) => transaction.rollback()));
  });

  it("waits at most 2 s for a lock", async () => {
    const holder = await db().transaction();
    await holder.raw("lock table machines in access exclusive mode");
    const error = await failure(Promise.resolve(db()("machines").first("id")));
    expect(isDatabaseUnavailable(error)).toBe(true);
    await holder.rollback();
    expect(await db()("machines").first("id")).toBeUndefined();
  });
});

describe("isDatabaseUnavailable", () => {
  it("tells a broken rule from a database that is away", async () => {
    const broken = await failure(Promise.resolve(db()("machine_groups").insert({ name: "" })));
    expect(broken).toBeInstanceOf(Error);
    expect(isDatabaseUnavailable(broken)).toBe(false);
    expect(isDatabaseUnavailable(await failure(Promise.resolve(db().raw("select nonsense"))))).toBe(
      false,
    );
    expect(isDatabaseUnavailable(new TypeError("x is not a function"))).toBe(false);
    expect(isDatabaseUnavailable("ECONNREFUSED")).toBe(false);
  });

  it("knows a port that nobody listens on, a missing socket, and logs one line for many failures", async () => {
    const { drop, url } = await cloneDatabase({ isEmpty: true });
    await drop();
    await disconnect();
    for (const away of [
      "postgresql://promo:secret@127.0.0.1:9/promo",
      "postgresql://promo:secret@localhost:9/promo",
      "postgresql://promo:secret@/promo?host=/nowhere",
    ]) {
      const lines: string[] = [];
      connect(away, (line) => lines.push(line));
      for (let attempt = 0; attempt < 5; attempt++) {
        expect(isDatabaseUnavailable(await failure(Promise.resolve(db().raw("select 1"))))).toBe(
          true,
        );
      }
      expect(lines.length).toBeLessThanOrEqual(1);
      await disconnect();
    }
    expect(url).toContain("/test_");
  });
});
