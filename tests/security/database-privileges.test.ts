import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterEach, describe, expect, inject, it, onTestFinished } from "vitest";
import { connect, db, disconnect } from "../../app/db/connection.server";
import { knownMigrations, runMigrations } from "../../app/db/migrate.server";
import { withMigrationLock } from "../../app/db/migration-lock.server";
import { requireRights } from "../../app/db/privileges.server";
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
import { inSoak } from "../support/repetitions";
import { runSql } from "../support/run-sql";
import { ownerUrl, prepareEmptyDatabase } from "../support/test-cluster";

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

/** Fails unless the product's role may add to the audit log and do nothing that is forbidden. */
async function expectFewRights(url: string): Promise<void> {
  await runSql(url, insertSql);
  for (const statement of forbidden)
    await expect(runSql(url, statement), statement).rejects.toMatchObject({ code: "42501" });
}

it("leaves the product few rights in the embedded database", async () => {
  const { url, drop } = await cloneDatabase();
  onTestFinished(drop);
  await expectFewRights(url);
});

inSoak(it)("takes rights away in the embedded database of an earlier release", async () => {
  const dataDir = dataFolder();
  const adminPasswordFile = path.join(dataDir, "postgres-admin-password");
  // Earlier releases let the product's role own everything, and gave the superuser its password.
  const before = await startEmbeddedPostgres({ dataDir });
  const password = readFileSync(path.join(dataDir, "postgres-password"), "utf8").trim();
  await runSql(
    before.ownerUrl,
    `alter database promo_console owner to promo_console; alter role postgres password '${password}'`,
  );
  await prepareEmptyDatabase(before.url);
  await runSql(before.url, insertSql);
  await before.stop();
  rmSync(adminPasswordFile);

  const { url, ownerUrl, stop } = await startEmbeddedPostgres({ dataDir });
  onTestFinished(stop);
  await prepareEmptyDatabase(ownerUrl, {}, appRole);
  await expectFewRights(url);
  expect(await runSql(url, "select actor_name from audit_log")).toHaveLength(2);
  await runSql(ownerUrl, "alter table audit_log add column added_later text");

  const shared = url.replace("//promo_console:", "//postgres:");
  await expect(runSql(shared, "select 1")).rejects.toMatchObject({ code: "28P01" });
  expect(readFileSync(adminPasswordFile, "utf8").trim()).not.toBe(password);
  expect((statSync(adminPasswordFile).mode & 0o777).toString(8)).toBe("600");
});

/** Makes a role, and a database that it has no rights in; `grantsOf` reads README's grants for the role. */
async function makeRole(options: Parameters<typeof cloneDatabase>[0] = {}) {
  const role = `granted_${randomBytes(4).toString("hex")}`;
  const cluster = ownerUrl(inject("postgres"), "postgres");
  await runSql(cluster, `create role ${role} login password '${role}'`);
  onTestFinished(async () => void (await runSql(cluster, `drop role ${role}`)));
  const { adminUrl, drop } = await cloneDatabase(options);
  onTestFinished(drop);
  const [, grants] = /### Rights.*?```sql\n(.*?)```/s.exec(readFileSync("README.md", "utf8"))!;
  return {
    role,
    adminUrl,
    url: adminUrl.replace(/\/\/[^@]*@/, `//${role}:${role}@`),
    grants: grants!.replaceAll("promo_console", role),
  };
}

/** Connects `db()` to a database as a role that owns nothing and has the rights of README. */
async function connectAsGranted() {
  const { grants, url, ...made } = await makeRole();
  await runSql(made.adminUrl, grants);
  connect(url);
  await loadSite();
  return made;
}

/** Creates a code as release 1.0.0 does. */
const createBeforeSql = `
  insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable)
  values (translate(upper(substr(md5(random()::text), 1, 12)), '01', 'XY'), 'Old', 'percentage', 20, false, false)`;

/** Records a redemption as release 1.0.0 does. */
const redeemBeforeSql = `
  with recorded as (
    insert into transactions (redemption_id, promotion_id, machine_id, type, original_price, discount)
    select gen_random_uuid(), (select max(id) from promotions), id, 'percentage', 100, 20 from machines
    returning id, redemption_id
  )
  insert into redemption_attempts (redemption_id, code, serial_number, original_price, outcome, transaction_id)
  select redemption_id, 'ABCDEFGHJKMN', 'VM-1', 100, 'accepted', id from recorded`;

/** Creates and redeems as release 1.0.0 does, which repeats what met a deadlock. */
async function workAsBefore(client: pg.Client): Promise<void> {
  for (const statement of [createBeforeSql, redeemBeforeSql])
    await client.query(statement).catch((error: pg.DatabaseError) => {
      if (error.code !== "40P01") throw error;
    });
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
    await requireRights(db());
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

  inSoak(it)(
    "redeems during the upgrade of release 1.0.0 and after it without another grant",
    async () => {
      const { adminUrl, url, grants } = await makeRole({ isEmpty: true });
      const baseline = (await knownMigrations()).filter((name) => name < "0016");
      await withMigrationLock(adminUrl, (owner) => runMigrations(owner, baseline));
      await runSql(
        adminUrl,
        "insert into machines (serial_number, human_name) values ('VM-1', 'Hall')",
      );
      // That release has no test mode.
      const isOfBaseline = (grant: string) => !/on schema test_mode/.test(grant);
      await runSql(
        adminUrl,
        grants.split(";\n").filter(isOfBaseline).join(";\n").replaceAll(", test_mode", ""),
      );
      const before = new pg.Client({ connectionString: url });
      await before.connect();
      onTestFinished(() => before.end());
      let isMigrating = true;
      const redeeming = (async () => {
        while (isMigrating) await workAsBefore(before);
      })();
      await Promise.all([
        prepareEmptyDatabase(adminUrl).finally(() => (isMigrating = false)),
        redeeming,
      ]);
      await workAsBefore(before);

      connect(url);
      await loadSite();
      await requireRights(db());
      const { secret } = await makeKey();
      expect(outcomeOf(await redeem(request(await insertRedeemable()), secret))).toBe("applied");
      await sweep(oldTestAttempts);
    },
  );

  it("can't be started with while it has no rights on a table that a release has added", async () => {
    const { role, adminUrl } = await connectAsGranted();
    await runSql(adminUrl, "create table added_later (id bigint primary key)");
    await requireRights(db());
    await runSql(adminUrl, `revoke all on added_later from ${role}`);
    await expect(requireRights(db())).rejects.toThrow("may not use the table added_later: run");
  });

  it("redeems no real code with a test key, and can't be started with, once it may not use test mode", async () => {
    const { role, adminUrl } = await connectAsGranted();
    await runSql(adminUrl, `revoke usage on schema test_mode from ${role}`);
    const { secret } = await makeTestKey();
    const target = await insertRedeemable();
    expect(outcomeOf(await redeem(request(target), secret))).toBe("bad_key");
    expect(await db()("transactions")).toEqual([]);
    await expect(requireRights(db())).rejects.toThrow(
      "The role of DATABASE_URL may not use the schema test_mode: run the grants that README.md has under 'Rights' as the owner of the tables.",
    );
  });
});
