import { beforeEach, expect, it, onTestFinished } from "vitest";
import { connect, db, disconnect, query } from "../../app/db/connection.server";
import { baseline } from "../../app/db/baseline.server";
import { isSchemaCurrent, runMigrations } from "../../app/db/migrate.server";
import { startApp, status } from "../support/app";
import { testSecret } from "../support/app-secret";
import { reportFigures } from "../support/fault-figures";
import { loadOldDatabase } from "../support/old-database";
import { cloneDatabase } from "../support/postgres";
import { inSoak } from "../support/repetitions";
import { readSchema } from "../support/schema";
import { prepareEmptyDatabase } from "../support/test-cluster";

let database: Awaited<ReturnType<typeof cloneDatabase>>;

beforeEach(async () => {
  database = await cloneDatabase({ isEmpty: true });
  connect(database.url);
  // After the product, which waits 5 s for a database that is gone.
  onTestFinished(async () => {
    await disconnect();
    await database.drop();
  });
});

const start = (environment: Record<string, string> = {}) =>
  startApp(
    { DATABASE_URL: database.url, APP_SECRET: testSecret, ...environment },
    { isWarm: true },
  );

async function countRows(): Promise<Record<string, number>> {
  const tables = await query<{ name: string; rows: number }>(
    db(),
    `select relname as name, (xpath('/row/n/text()',
       query_to_xml(format('select count(*) as n from %I', relname), false, true, '')))[1]::text::integer as rows
     from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname !~ '^schema_migrations'`,
  );
  return Object.fromEntries(tables.map(({ name, rows }) => [name, rows]));
}

it("makes the schema that the migrations before it made", async () => {
  await runMigrations(db(), baseline);
  const made = await readSchema();
  const rows = await countRows();
  const other = await cloneDatabase({ isEmpty: true });
  await disconnect();
  connect(other.url);
  await loadOldDatabase();
  const before = await readSchema();
  await disconnect();
  await other.drop();
  connect(database.url);

  expect(made).toEqual(before);
  expect(before.length).toBeGreaterThan(500);
  const filled = Object.entries(rows).filter(([, count]) => count > 0);
  expect(Object.fromEntries(filled)).toEqual({
    activity_summary: 1,
    demo_products: 12,
    event_log: 1,
    platform_sync: 1,
  });
});

it("takes over a database of the last release before it, and keeps every row", async () => {
  await loadOldDatabase();
  const before = await countRows();
  expect(await isSchemaCurrent(db())).toBe(false);

  const takeOver = () => prepareEmptyDatabase(database.url, { timeZone: null });
  await Promise.all([takeOver(), takeOver(), takeOver()]);
  // Later migrations may add tables.
  const after = await countRows();
  expect(after).toMatchObject(before);
  expect(before.promotions).toBeGreaterThan(100);
  const names = await db()("schema_migrations").pluck<string[]>("name");
  expect(names).toEqual(expect.arrayContaining(baseline));
  expect(names).toHaveLength(new Set(names).size);
  expect(names).not.toContain("0001-schema.js");

  const app = await start();
  await app.ready();
  expect(await status(`${app.origin}/login`)).toBe(200);
  const sum = (rows: Record<string, number>) => Object.values(rows).reduce((a, b) => a + b, 0);
  const kept = Object.keys(before).map((name) => [name, after[name]!] as const);
  reportFigures(
    "F28",
    `the schema before 1.0.0: ${sum(Object.fromEntries(kept))} of ${sum(before)} rows in ${kept.length} tables after the upgrade`,
  );
});

it("says what to do with a database of an earlier release, and changes nothing in it", async () => {
  await loadOldDatabase();
  await db()("schema_migrations").where({ name: "0034-key-safety.js" }).delete();
  const names = await db()("schema_migrations").pluck<string[]>("name");

  const app = await start();
  expect(await app.ended).toBe(1);
  expect(app.output()).toBe(
    "The database is of an early release, which this one can't upgrade. Start the last release before 1.0.0 on it once, then this one.\n",
  );
  expect(await db()("schema_migrations").pluck<string[]>("name")).toEqual(names);
});

inSoak(it)("leaves out the tables of the demo area where it is off", async () => {
  const app = await start();
  await app.ready();
  const demoTables = async () =>
    Object.keys(await countRows())
      .filter((name) => name.startsWith("demo_"))
      .sort();
  expect(await demoTables()).toEqual([]);
  app.signal("SIGTERM");
  await app.ended;

  const withDemo = await start({ DEMO_PAGES: "1" });
  await withDemo.ready();
  expect(await demoTables()).toEqual(["demo_events", "demo_products"]);
});
