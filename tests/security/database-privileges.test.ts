import { readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { startEmbeddedPostgres } from "../../app/embedded-postgres/embedded-postgres.server";
import { appRole } from "../../app/embedded-postgres/postgres-roles.server";
import { dataFolder } from "../support/app";
import { prepareEmptyDatabase } from "../support/test-cluster";

async function run(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

const insertSql =
  "insert into audit_log (actor_name, action, subject_type) values ('Somebody', 'tested', 'test')";

const forbidden = [
  "update audit_log set actor_name = 'Nobody'",
  "delete from audit_log",
  "truncate audit_log",
  "alter table audit_log disable trigger all",
  "drop trigger audit_log_append_only on audit_log",
  "drop table audit_log",
  "alter table audit_log rename to audit_log_before",
  "create rule audit_log_ignored as on insert to audit_log do instead nothing",
  "create or replace function refuse_change() returns trigger language plpgsql as 'begin return null; end'",
  "drop function refuse_change() cascade",
  "drop schema public cascade",
  "create table audit_log_copy ()",
  "update schema_migrations set name = ''",
  "alter database promo_console rename to another",
  "set session_replication_role = replica",
  "alter role promo_console superuser",
  "set role postgres",
];

it("leaves the product few rights in the embedded database, also in that of an earlier release", async () => {
  const dataDir = dataFolder();
  const adminPasswordFile = path.join(dataDir, "postgres-admin-password");
  // Earlier releases let the product's role own everything, and gave the superuser its password.
  const before = await startEmbeddedPostgres({ dataDir });
  const password = readFileSync(path.join(dataDir, "postgres-password"), "utf8").trim();
  await run(
    before.ownerUrl,
    `alter database promo_console owner to promo_console; alter role postgres password '${password}'`,
  );
  await prepareEmptyDatabase(before.url);
  await run(before.url, insertSql);
  await before.stop();
  rmSync(adminPasswordFile);

  const { url, ownerUrl, stop } = await startEmbeddedPostgres({ dataDir });
  onTestFinished(stop);
  await prepareEmptyDatabase(ownerUrl, {}, appRole);
  await run(url, insertSql);
  expect((await run(url, "select actor_name from audit_log")).rows).toHaveLength(2);
  for (const statement of forbidden)
    await expect(run(url, statement), statement).rejects.toMatchObject({ code: "42501" });
  await run(ownerUrl, "alter table audit_log add column added_later text");

  const shared = url.replace("//promo_console:", "//postgres:");
  await expect(run(shared, "select 1")).rejects.toMatchObject({ code: "28P01" });
  expect(readFileSync(adminPasswordFile, "utf8").trim()).not.toBe(password);
  expect((statSync(adminPasswordFile).mode & 0o777).toString(8)).toBe("600");
});
