import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterEach, describe, expect, inject, it, onTestFinished } from "vitest";
import { connect, db, disconnect } from "../../app/db/connection.server";
import { requireTestMode } from "../../app/db/privileges.server";
import { loadSite } from "../../app/db/site.server";
import { sweep } from "../../app/db/sweep.server";
import { startEmbeddedPostgres } from "../../app/embedded-postgres/embedded-postgres.server";
import { appRole } from "../../app/embedded-postgres/postgres-roles.server";
import { createKey } from "../../app/features/integrations/new-keys.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { createTestCode, oldTestAttempts } from "../../app/features/test-mode/test-codes.server";
import { insertRedeemable, makeKey, outcomeOf, request } from "../factories/redemptions";
import { dataFolder } from "../support/app";
import { cloneDatabase } from "../support/postgres";
import { ownerUrl, prepareEmptyDatabase } from "../support/test-cluster";

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

/** Connects `db()` to a database as a role that owns nothing and has the rights of README. */
async function connectAsGranted() {
  const role = `granted_${randomBytes(4).toString("hex")}`;
  const cluster = ownerUrl(inject("postgres"), "postgres");
  await run(cluster, `create role ${role} login password '${role}'`);
  onTestFinished(async () => void (await run(cluster, `drop role ${role}`)));
  const { adminUrl, drop } = await cloneDatabase();
  onTestFinished(drop);
  const [, grants] = /\*\*Rights\.\*\*.*?```sql\n(.*?)```/s.exec(
    readFileSync("README.md", "utf8"),
  )!;
  await run(adminUrl, grants!.replaceAll("promo_console", role));
  connect(adminUrl.replace(/\/\/[^@]*@/, `//${role}:${role}@`));
  await loadSite();
  return { role, adminUrl };
}

/** Makes an integration with a test key. */
async function makeTestKey() {
  const { integrationId, actor } = await makeKey();
  const key = { machineSerial: null, days: 30, isTest: true };
  return { ...(await createKey(integrationId, key, { actor })), actor };
}

describe("a role with the rights of README", () => {
  afterEach(disconnect);

  it("redeems real codes and test codes, and deletes what has expired", async () => {
    await connectAsGranted();
    await requireTestMode(db());
    const { secret } = await makeKey();
    expect(outcomeOf(await redeem(request(await insertRedeemable()), secret))).toBe("applied");
    const { secret: testSecret, actor } = await makeTestKey();
    const { code } = await createTestCode(
      { discountType: "percentage", discountValue: 25, isSingleUse: true, purpose: "redeemable" },
      { actor, idempotencyKey: null },
    );
    const sent = request({ code, serialNumber: "TEST-MACHINE" });
    expect(outcomeOf(await redeem(sent, testSecret))).toBe("applied");
    await sweep(oldTestAttempts);
  });

  it("redeems no real code with a test key, and can't be started with, once it may not use test mode", async () => {
    const { role, adminUrl } = await connectAsGranted();
    await run(adminUrl, `revoke usage on schema test_mode from ${role}`);
    const { secret } = await makeTestKey();
    const target = await insertRedeemable();
    expect(outcomeOf(await redeem(request(target), secret))).toBe("bad_key");
    expect(await db()("transactions")).toEqual([]);
    await expect(requireTestMode(db())).rejects.toThrow(
      "The role of DATABASE_URL may not use the schema test_mode: run the grants that README.md has under 'Rights' as the owner of the tables.",
    );
  });
});
