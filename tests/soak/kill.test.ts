import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { connect, db, disconnect } from "../../app/db/connection.server";
import { createLinkToken } from "../../app/features/sign-in/link-tokens.server";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { dataFolder, preload, startApp } from "../support/app";
import { testSecret } from "../support/app-secret";
import { embeddedUrl } from "../support/embedded-url";
import { reportFigures, seconds, tally } from "../support/fault-figures";
import { loadOldDatabase } from "../support/old-database";
import { cloneDatabase, openClone } from "../support/postgres";
import { runSql } from "../support/run-sql";
import { readSchema } from "../support/schema";
import { addUser, apiOf, password, send } from "../support/server";

const rounds = 20;

it(
  "keeps everything acknowledged over kill -9 and an immediate start",
  { timeout: 30_000 * rounds },
  async () => {
    const dataDir = dataFolder();
    const acknowledged: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const app = await startApp({ DATA_DIR: dataDir });
      await app.ready();
      const client = new pg.Client({ connectionString: embeddedUrl(dataDir) });
      client.on("error", () => {});
      await client.connect();
      const { rows } = await client.query<{ name: string }>(
        "select name from machine_groups order by id",
      );
      expect(rows.map((row) => row.name)).toEqual(expect.arrayContaining(acknowledged));

      const pid = readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n");
      let isRunning = true;
      const writing = (async () => {
        for (let number = 0; isRunning; number++) {
          const name = `group ${round}-${number}`;
          await client.query("insert into machine_groups (name) values ($1)", [name]);
          acknowledged.push(name);
        }
      })().catch(() => {});
      // Any moment of the writing is the point of this test; nothing is waited for.
      await new Promise((resolve) => setTimeout(resolve, 50 + ((round * 37) % 200)));
      app.signal("SIGKILL");
      // Every other round the database dies with it, and once its socket is lost as well.
      if (round % 2 === 1) process.kill(Number(pid[0]), "SIGKILL");
      if (round % 3 === 2) rmSync(pid[4] ?? "", { recursive: true, force: true });
      await app.ended;
      isRunning = false;
      // A client may never learn that its server is gone, so there is nothing to wait for but time:
      // what was acknowledged by now is what counts.
      await Promise.race([writing, new Promise((resolve) => setTimeout(resolve, 500))]);
      client.end().catch(() => {});
    }
    expect(acknowledged.length).toBeGreaterThan(rounds);

    const app = await startApp({ DATA_DIR: dataDir });
    await app.ready();
    const rows = await runSql(embeddedUrl(dataDir), "select name from machine_groups");
    const kept = new Set(rows.map((row) => row.name));
    const lost = acknowledged.filter((name) => !kept.has(name));
    expect(lost).toEqual([]);
    const damaged = await damagedRelations(dataDir);
    expect(damaged).toEqual([]);
    reportFigures(
      "F32",
      `${rounds} kills: ${acknowledged.length} rows acknowledged, ${lost.length} lost, ${damaged.length} damages found by amcheck`,
    );
  },
);

/** Returns the damage that PostgreSQL finds in tables and in indexes, whose entries it compares with their rows. */
async function damagedRelations(dataDir: string): Promise<unknown[]> {
  const url = embeddedUrl(dataDir, { isOwner: true });
  await runSql(
    url,
    `create extension amcheck;
     select bt_index_check(c.oid, true) from pg_class c join pg_am a on a.oid = c.relam
     where c.relkind = 'i' and a.amname = 'btree' and c.relpersistence <> 't'`,
  );
  return runSql(
    url,
    `select c.relname, damage.* from pg_class c, verify_heapam(c.oid) damage
     where c.relkind in ('r', 'm', 't') and c.relpersistence <> 't'`,
  );
}

it("the embedded database comes back when its own server dies, and when its socket is tidied away", async () => {
  const dataDir = dataFolder();
  const app = await startApp({ DATA_DIR: dataDir });
  await app.ready();
  const pidFile = () =>
    readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n");
  process.kill(Number(pidFile()[0]), "SIGKILL");
  const killed = performance.now();
  await expect.poll(() => app.output(), { timeout: 20_000 }).toMatch(/runs again/);
  await app.ready();
  reportFigures("F33", `database killed: ready after ${seconds(performance.now() - killed)}`);
  rmSync(pidFile()[4] ?? "", { recursive: true });
  await expect.poll(() => app.output(), { timeout: 20_000 }).toMatch(/runs again[^]*runs again/);
  await app.ready();
  app.signal("SIGTERM");
  expect(await app.ended).toBe(0);
});

/** Returns what a start leaves behind, whatever went before it. */
async function readResult(url: string) {
  connect(url);
  const { rows } = await db().raw<{ rows: object[] }>(
    `select (select count(*)::int from users) as users, (select count(*)::int from machines) as machines,
       (select count(*)::int from promotions) as promotions,
       (select count(*)::int from pg_index where not indisvalid) as invalid_indexes`,
  );
  // A job makes the months of partitioned tables after the start.
  const schema = (await readSchema()).filter((definition) => !/_\d{4}_\d{2}/.test(definition));
  const result = { rows, schema };
  await disconnect();
  return result;
}

async function countMigrations(url: string): Promise<number> {
  const sql = "select count(*)::int as count from schema_migrations";
  const [row] = await runSql<{ count: number }>(url, sql).catch(() => []);
  return row?.count ?? 0;
}

it.each([
  ["the first migration", async () => {}],
  ["an upgrade, whose migrations build indexes outside of transactions", loadOldDatabase],
])(
  "comes up after a kill at any moment of %s",
  { timeout: 30_000 * rounds },
  async (what, arrange) => {
    const prepare = async () => {
      const { drop, url } = await cloneDatabase({ isEmpty: true });
      onTestFinished(drop);
      connect(url);
      await arrange();
      await disconnect();
      return url;
    };
    const start = (url: string) =>
      startApp({
        DATABASE_URL: url,
        APP_SECRET: testSecret,
        SAMPLE_DATA: "1",
        DATA_DIR: dataFolder(),
      });
    const undisturbed = await prepare();
    const began = performance.now();
    const first = await start(undisturbed);
    await first.ready();
    const wholeMs = performance.now() - began;
    await first.stop();
    const expected = await readResult(undisturbed);
    const all = await countMigrations(undisturbed);

    const left: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const url = await prepare();
      const killed = await start(url);
      // Any moment of the start is the point of this test; nothing is waited for.
      await new Promise((resolve) => setTimeout(resolve, wholeMs * (0.3 + (0.7 * round) / rounds)));
      killed.signal("SIGKILL");
      await killed.ended;
      left.push(`${await countMigrations(url)} of ${all}`);
      const app = await start(url);
      await app.ready();
      await app.stop();
      expect(await readResult(url)).toEqual(expected);
    }
    reportFigures(
      "F27",
      `${left.length} kills within the ${seconds(wholeMs)} of ${what} left ${tally(left)} migrations; the next start did the rest`,
    );
  },
);

/** Kills the process when it is about to answer a request with this header, so that all is committed. */
const killsBeforeAnswer = `import { ServerResponse } from "node:http";
for (const name of ["writeHead", "write", "end"]) {
  const original = ServerResponse.prototype[name];
  ServerResponse.prototype[name] = function (...values) {
    if (this.req.headers["x-kill"]) process.kill(process.pid, "SIGKILL");
    return original.apply(this, values);
  };
}`;

it("answers a retry after a kill between commit and answer, and does nothing twice", async () => {
  const { url, close } = await openClone();
  onTestFinished(close);
  const start = async () => {
    const app = await startApp({
      DATABASE_URL: url,
      APP_SECRET: testSecret,
      DATA_DIR: dataFolder(),
      SAMPLE_DATA: "0",
      ...preload(killsBeforeAnswer),
    });
    await app.ready();
    return app;
  };
  let app = await start();
  const call = apiOf((target, sending) => send(app.origin, target, sending));
  const { id, email } = await addUser("admin@example.com", "admin");
  const { json: session } = await call("POST", "/auth/signin/local", { body: { email, password } });
  const { secret } = await makeKey();
  const target = await insertRedeemable({ is_single_use: true, max_uses: 1 });
  const link = await createLinkToken(db(), "password_reset", id);
  const newPassword = "seven grey herons landing";

  const retried = async (method: string, path: string, sending: Parameters<typeof call>[2]) => {
    const headers = { ...sending?.headers, "X-Kill": "1" };
    await expect(call(method, path, { ...sending, headers })).rejects.toThrow();
    expect(await app.ended).toBe("SIGKILL");
    app = await start();
    return call(method, path, sending);
  };
  const redemption = await retried("POST", "/api/redemptions", {
    token: secret,
    body: request(target),
  });
  const refresh = await retried("POST", "/api/auth/refresh", {
    body: { refresh_token: session.refresh_token },
  });
  const creation = await retried("POST", "/api/create_promotion", {
    token: refresh.json.token,
    headers: { "Idempotency-Key": "killed" },
    body: {
      promotionName: "Killed",
      discount: 20,
      discount_type: "percentage",
      is_single_use: false,
      is_renewable: false,
      expiration_date: null,
      machines: [target.serialNumber],
    },
  });
  const reset = await retried("PUT", "/auth/password-reset", {
    body: { token: link, password: newPassword },
  });
  // The link was used by the first request, whose password holds.
  const signIn = await call("POST", "/auth/signin/local", {
    body: { email, password: newPassword },
  });
  const statuses = [redemption, refresh, creation, reset, signIn].map(({ status }) => status);
  expect(statuses).toEqual([201, 200, 201, 409, 200]);
  const [used] = await db()("promotions").where({ id: target.id }).pluck("activation_count");
  const created = await db()("promotions").where({ name: "Killed" });
  expect([used, created.length]).toEqual([1, 1]);
  reportFigures(
    "F2",
    `killed between commit and answer, then retried: a redemption ${statuses[0]} with ${used} use, a refresh of a token ` +
      `${statuses[1]}, a creation ${statuses[2]} with ${created.length} code, a new password ${statuses[3]}, with which a sign-in is ${statuses[4]}`,
  );
});
