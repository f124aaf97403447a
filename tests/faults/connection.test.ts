import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import type pg from "pg";
import { beforeAll, describe, expect, inject, it, vi } from "vitest";
import {
  connect,
  db,
  disconnect,
  prepareStatement,
  probeDb,
  query,
  queryPrepared,
} from "../../app/db/connection.server";
import { isDatabaseUnavailable, isDeadlock } from "../../app/db/database-errors.server";
import { clientWith } from "../../app/db/database-client.server";
import { backUpDatabase } from "../../app/db/backup.server";
import { cloneDatabase, useDatabase } from "../support/postgres";
import { repetitions } from "../support/repetitions";
import { databaseUrl, prepareEmptyDatabase } from "../support/test-cluster";
import { lockTable } from "../support/database-sessions";
import { withClient } from "../support/run-sql";

useDatabase();

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

const asAdmin = <Result>(work: (client: pg.Client) => Promise<Result>) =>
  withClient(inject("postgres").adminUrl, work);

const endConnections = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = 'promo-console' and datname = $1 and pid <> pg_backend_pid()`;

let name = "";
beforeAll(async () => {
  const { rows } = await db().raw<{ rows: { name: string }[] }>(
    "select current_database() as name",
  );
  name = rows[0]!.name;
  // The default of PostgreSQL, for connections from now on.
  await asAdmin((client) => client.query(`alter database "${name}" set jit = on`));
});

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
    // A connection whose end has not been read yet may still be given out, but each only once.
    const everyConnection = async () => {
      const answers = await Promise.allSettled(
        Array.from({ length: 10 }, () => db().raw("select pg_sleep(0.02)")),
      );
      expect(answers.filter((answer) => answer.status === "rejected")).toEqual([]);
    };
    const rounds = repetitions(3, 20);
    for (let round = 0; round < rounds; round++) {
      await vi.waitFor(everyConnection, { timeout: 30_000, interval: 10 });
      const slow = failure(db().raw("select pg_sleep(5)"));
      await db().raw("select 1");
      await asAdmin((client) => client.query(endConnections, [name]));
      expect(isDatabaseUnavailable(await slow)).toBe(true);
    }
    await vi.waitFor(everyConnection, { timeout: 30_000, interval: 10 });
  });

  it("survives connections that are ended as soon as they are made", async () => {
    // Authentication, readiness and the end, which are read at once.
    const message = (kind: string, body: Buffer) => {
      const length = Buffer.alloc(4);
      length.writeInt32BE(body.length + 4);
      return Buffer.concat([Buffer.from(kind), length, body]);
    };
    const greeting = Buffer.concat([
      message("R", Buffer.alloc(4)),
      message("Z", Buffer.from("I")),
      message("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection\0\0")),
    ]);
    const server = createServer((client) => {
      client.on("error", () => {}).once("data", () => client.end(greeting));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await disconnect();
    connect(`postgresql://promo:secret@127.0.0.1:${port}/promo`);
    const one = prepareStatement("one", [], "select 1");
    expect(isDatabaseUnavailable(await failure(Promise.resolve(db().raw("select 1"))))).toBe(true);
    expect(isDatabaseUnavailable(await failure(queryPrepared(one, {})))).toBe(true);
    server.close();
    await disconnect();
    connect(databaseUrl(inject("postgres"), name));
  });

  it("waits at most 2 s for a lock", async () => {
    const holder = await lockTable("machines");
    const error = await failure(Promise.resolve(db()("machines").first("id")));
    expect(isDatabaseUnavailable(error)).toBe(true);
    await holder.rollback();
    expect(await db()("machines").first("id")).toBeUndefined();
  });
});

describe("the pool of what machines wait for", () => {
  const numbers = prepareStatement(
    "numbers",
    ["one", "other"],
    "select :one::integer + :other::integer as sum, pg_backend_pid() as pid, ':'::text as colon",
  );
  const sleep = prepareStatement("sleep", ["seconds"], "select pg_sleep(:seconds)");
  type Row = { sum: number; pid: number; colon: string };
  const add = async () => {
    const [row] = await queryPrepared<Row>(numbers, { one: 2, other: 3, more: 4 });
    return row!;
  };

  it("numbers what is written with names, and takes no name for another", async () => {
    expect(numbers.text).toContain("$1::integer + $2::integer");
    expect(await add()).toMatchObject({ sum: 5, colon: ":" });
    expect(() => prepareStatement("wrong", ["one"], "select :other")).toThrow("no parameter");
  });

  it("limits how long anything may take, and plans once without scans or compilation", async () => {
    const settings = prepareStatement(
      "settings",
      [],
      `select current_setting('statement_timeout') as statement,
         current_setting('lock_timeout') as lock, current_setting('plan_cache_mode') as plan,
         current_setting('enable_seqscan') as seqscan, current_setting('jit') as jit`,
    );
    expect(await queryPrepared(settings, {})).toEqual([
      { statement: "10s", lock: "1s", plan: "force_generic_plan", seqscan: "off", jit: "off" },
    ]);
  });

  it("keeps a connection whose statement failed, and gives up one that is lost", async () => {
    const { pid } = await add();
    const divide = prepareStatement("divide", ["by"], "select 1 / :by::integer");
    for (let time = 0; time < 3; time++) {
      const error = await failure(queryPrepared(divide, { by: 0 }));
      expect(isDatabaseUnavailable(error)).toBe(false);
    }
    expect((await add()).pid).toBe(pid);
    const slow = failure(queryPrepared(sleep, { seconds: 5 }));
    await vi.waitFor(async () => {
      const { rows } = await db().raw<{ rows: object[] }>(
        "select pg_terminate_backend(?) from pg_stat_activity where pid = ? and wait_event = 'PgSleep'",
        [pid, pid],
      );
      expect(rows).toHaveLength(1);
    });
    expect(isDatabaseUnavailable(await slow)).toBe(true);
    expect((await add()).pid).not.toBe(pid);
  });

  it("survives the end of idle connections", async () => {
    await Promise.all(Array.from({ length: 8 }, () => queryPrepared(sleep, { seconds: 0.02 })));
    await asAdmin((client) => client.query(endConnections, [name]));
    await vi.waitFor(async () => expect((await add()).sum).toBe(5), { timeout: 30_000 });
  });

  it("does not wait for the other pool", async () => {
    const held = await Promise.all(Array.from({ length: 10 }, () => db().transaction()));
    expect((await add()).sum).toBe(5);
    await Promise.all(held.map((transaction) => transaction.rollback()));
  });
});

describe("a pooler", () => {
  it("gets no startup parameter that it would reject", async () => {
    const parameters = new Set<string>();
    let clients = 0;
    const server = createServer((client) => {
      client.once("data", (packet) => {
        clients++;
        // Behind length and version stand names and values in turn.
        const texts = packet.subarray(8).toString().split("\0");
        texts.filter((text, index) => index % 2 === 0 && text).map((name) => parameters.add(name));
        client.destroy();
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `postgresql://promo:secret@127.0.0.1:${(server.address() as AddressInfo).port}/promo`;
    await disconnect();
    for (const pooling of ["session", "transaction"] as const) {
      connect(url, { pooling });
      await Promise.allSettled([
        db().raw("select 1"),
        probeDb().raw("select 1"),
        queryPrepared(prepareStatement("one", [], "select 1"), {}),
        queryPrepared(prepareStatement("one", [], "select 1"), {}, "test"),
      ]);
      await disconnect();
    }
    await Promise.allSettled([prepareEmptyDatabase(url), backUpDatabase(url, "/nowhere/backup")]);
    server.close();
    connect(databaseUrl(inject("postgres"), name));
    expect(clients).toBe(10);
    expect([...parameters].sort()).toEqual([
      "application_name",
      "client_encoding",
      "database",
      "user",
    ]);
  });

  it("in transaction mode gets settings and statement in one round trip, and no named statement", async () => {
    const Client = clientWith({ statement_timeout: "100ms", lock_timeout: "7s" }, "transaction");
    const client = new Client({ connectionString: databaseUrl(inject("postgres"), name) });
    await client.connect();
    let answers = 0;
    client.connection.on("readyForQuery", () => answers++);
    const run = async (text: string, values?: unknown[]) => {
      const { rows } = await client.query<{ lock: string }>({ name: "named", text, values });
      return rows[0]?.lock;
    };
    const settingSql = "select current_setting('lock_timeout') as lock";

    expect(await run(`${settingSql}, $1::text`, ["value"])).toBe("7s");
    expect(answers).toBe(1);
    expect(await run(settingSql)).toBe("7s");
    expect(await failure(run("select pg_sleep(5)"))).toMatchObject({ code: "57014" });
    await client.query("begin");
    expect(await run(settingSql)).toBe("7s");
    expect(await run("select count(*) as lock from pg_prepared_statements")).toBe("0");
    await client.query("commit");
    await run("vacuum site_settings");
    expect(answers).toBe(8);
    await client.end();
  });

  it("in transaction mode serves pages and machines", async () => {
    await disconnect();
    connect(databaseUrl(inject("postgres"), name), { pooling: "transaction" });
    const settings = `select current_setting('lock_timeout') as lock, current_setting('search_path') as path,
      :value::integer as value`;
    const bindings = { value: 1 };
    const read = (site?: "test") =>
      queryPrepared(prepareStatement("settings", ["value"], settings), bindings, site);
    const prepared = await query(db(), settings, bindings, { isPrepared: true });
    const inTransaction = db().transaction((trx) => query(trx, settings, bindings));
    expect([prepared, await inTransaction, await read(), await read("test")].flat()).toEqual(
      ["2s", "2s", "1s", "1s"].map((lock, index) => ({
        lock,
        value: 1,
        path: index === 3 ? "test_mode, public" : '"$user", public',
      })),
    );
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

  it("tells a deadlock, which is a fault, from a database that is away", async () => {
    const deadlock = "do $$ begin raise exception using errcode = 'deadlock_detected'; end $$";
    const error = await failure(Promise.resolve(db().raw(deadlock)));
    expect([isDeadlock(error), isDatabaseUnavailable(error)]).toEqual([true, false]);
  });

  it.each([
    ["a transaction", "25P04"],
    ["an idle session", "57P05"],
  ])("takes the timeout of %s for a database that is away", async (_, code) => {
    const timeout = `do $$ begin raise exception using errcode = '${code}'; end $$`;
    expect(isDatabaseUnavailable(await failure(Promise.resolve(db().raw(timeout))))).toBe(true);
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
      connect(away, { log: (line) => lines.push(line) });
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
