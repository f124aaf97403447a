import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { dataFolder, startApp } from "../support/app";
import { embeddedUrl } from "../support/embedded-url";
import { cloneDatabase } from "../support/postgres";

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
    const client = new pg.Client({ connectionString: embeddedUrl(dataDir) });
    await client.connect();
    const { rows } = await client.query<{ name: string }>("select name from machine_groups");
    await client.end();
    const kept = new Set(rows.map((row) => row.name));
    expect(acknowledged.filter((name) => !kept.has(name))).toEqual([]);
    expect(await damagedRelations(dataDir)).toEqual([]);
  },
);

/** Returns the damage that PostgreSQL finds in tables and in indexes, whose entries it compares with their rows. */
async function damagedRelations(dataDir: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: embeddedUrl(dataDir, { isOwner: true }) });
  await client.connect();
  await client.query("create extension amcheck");
  await client.query(
    `select bt_index_check(c.oid, true) from pg_class c join pg_am a on a.oid = c.relam
     where c.relkind = 'i' and a.amname = 'btree' and c.relpersistence <> 't'`,
  );
  const { rows } = await client.query(
    `select c.relname, damage.* from pg_class c, verify_heapam(c.oid) damage
     where c.relkind in ('r', 'm', 't') and c.relpersistence <> 't'`,
  );
  await client.end();
  return rows;
}

it("the embedded database comes back when its own server dies, and when its socket is tidied away", async () => {
  const dataDir = dataFolder();
  const app = await startApp({ DATA_DIR: dataDir });
  await app.ready();
  const pidFile = () =>
    readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n");
  process.kill(Number(pidFile()[0]), "SIGKILL");
  await expect.poll(() => app.output(), { timeout: 20_000 }).toMatch(/runs again/);
  await app.ready();
  rmSync(pidFile()[4] ?? "", { recursive: true });
  await expect.poll(() => app.output(), { timeout: 20_000 }).toMatch(/runs again[^]*runs again/);
  await app.ready();
  app.signal("SIGTERM");
  expect(await app.ended).toBe(0);
});

it(
  "comes up after a kill at any moment of the first migration",
  { timeout: 10_000 * rounds },
  async () => {
    const { drop, url } = await cloneDatabase({ isEmpty: true });
    onTestFinished(drop);
    const environment = {
      DATABASE_URL: url,
      APP_SECRET: "x".repeat(32),
      SAMPLE_DATA: "1",
      DATA_DIR: dataFolder(),
    };
    for (let round = 0; round < rounds; round++) {
      const app = await startApp(environment);
      // Any moment of the start is the point of this test; nothing is waited for.
      await new Promise((resolve) => setTimeout(resolve, 250 + ((round * 97) % 400)));
      app.signal("SIGKILL");
      await app.ended;
    }
    const app = await startApp(environment);
    await app.ready();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(
      "select (select count(*)::int from users) as users, (select count(*)::int from machines) as machines",
    );
    await client.end();
    expect(rows).toEqual([{ users: 1, machines: 25 }]);
  },
);
