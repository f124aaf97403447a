import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, db, disconnect, query } from "../../app/db/connection.server";
import { isSchemaCurrent, prepareDatabase } from "../../app/db/migrate.server";
import { loadSite } from "../../app/db/site.server";
import {
  clockBindings,
  clockSql,
  statusSql,
} from "../../app/features/promotions/promotion-sql.server";
import { insertUser } from "../factories/people-and-machines";
import { assignMachines } from "../factories/assignments";
import { assertInvariants } from "../support/invariants";
import { cloneDatabase } from "../support/postgres";

/**
 * A compressed dump of the schema and data of migrations 0001 to 0007: the sample data, codes that were
 * edited alone, groups (one empty, one with a deleted machine), deleted promotions and generations,
 * redemptions, a rollback, idempotency keys, a saved view and the audit log of all that.
 */
const dump = path.resolve(import.meta.dirname, "../fixtures/before-assignment-sets.sql.gz");
const at = new Date("2026-11-22T12:00:00Z");

const unchangedTables = [
  ...["users", "machines", "machine_groups", "machine_group_members", "machine_promotion_counts"],
  ...["transactions", "redemption_attempts", "audit_log", "idempotency_keys", "saved_views"],
  ...["integrations", "site_settings", "platform_sync"],
];

/** Columns that later migrations add to the other tables. */
const addedColumns = [
  "address",
  "avatar_id",
  "credentials_version",
  "is_last_use",
  "is_outgoing_paused",
];

/** Columns that the migrations drop from changed tables, or add to them. */
const changedColumns = [
  ...["is_assigned", "has_own_machines", "set_id"],
  ...["has_own_expiration", "is_active", "version", "max_failed_lookups", "hash"],
  ...["scopes", "created_by", "renewed_by", "ending_mailed"],
];

async function contentOf(table: string, without: string[] = []): Promise<object[]> {
  const rows = await query<{ row: Record<string, unknown> }>(
    db(),
    `select to_jsonb(t) - cast(:without as text[]) as row from ${table} t
     order by to_jsonb(t) - cast(:without as text[])`,
    { without },
  );
  return rows.map(({ row }) => row);
}

async function readContent(): Promise<Record<string, object[]>> {
  const tables: Record<string, object[]> = {};
  for (const table of unchangedTables) tables[table] = await contentOf(table, addedColumns);
  for (const table of ["promotions", "mass_generations", "api_keys"])
    tables[table] = await contentOf(table, changedColumns);
  return tables;
}

/** Each machine that accepts a code, by direct assignment or through a group, as the old release asked. */
const oldAcceptanceSql = `
  select p.code, m.serial_number from promotions p cross join machines m
  where not m.is_deleted and case when p.has_own_machines then
    exists (select from promotion_assignments a
      where a.promotion_id = p.id and a.machine_id = m.id)
    or exists (select from machine_group_members member
      join promotion_assignments a on a.promotion_id = p.id and a.group_id = member.group_id
      where member.machine_id = m.id)
  else
    exists (select from mass_generation_assignments a
      where a.mass_generation_id = p.mass_generation_id and a.machine_id = m.id)
    or exists (select from machine_group_members member
      join mass_generation_assignments a on a.mass_generation_id = p.mass_generation_id
        and a.group_id = member.group_id
      where member.machine_id = m.id)
  end order by 1, 2`;

const newAcceptanceSql = `
  select distinct p.code, m.serial_number from promotions p
    join effective_machines e on e.set_id = p.set_id join machines m on m.id = e.machine_id
  order by 1, 2`;

const oldStatusSql = `
  select p.code, case
    when p.is_deleted then 'deleted' when not p.is_active then 'inactive'
    when p.expires_at <= :at then 'expired'
    when p.max_uses - case when p.is_renewable and p.period_key < 202611 then 0
      else p.period_uses end = 0 then 'used_up'
    when not p.is_assigned then 'not_assigned' else 'active' end as status
  from promotions p order by 1`;

/** Assignments of promotions and of generations, with the time when they were made. */
const assignmentsSql = (promotion: string, generation: string) => `
  select 'promotion' as kind, owner.code as owner, a.machine_id, a.group_id, a.created_at
  from ${promotion}
  union all
  select 'generation', owner.id::text, a.machine_id, a.group_id, a.created_at
  from ${generation} order by 1, 2, 3, 4`;
const oldAssignmentsSql = assignmentsSql(
  "promotion_assignments a join promotions owner on owner.id = a.promotion_id",
  "mass_generation_assignments a join mass_generations owner on owner.id = a.mass_generation_id",
);
const newAssignmentsSql = assignmentsSql(
  `assignments a join promotions owner on owner.set_id = a.set_id
     and not exists (select from mass_generations g where g.set_id = a.set_id)`,
  "assignments a join mass_generations owner on owner.set_id = a.set_id",
);

describe("a database of the release before sets", () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  const before = {} as Record<"acceptance" | "statuses" | "assignments" | "ownSets", object[]> & {
    content: Awaited<ReturnType<typeof readContent>>;
  };

  beforeAll(async () => {
    database = await cloneDatabase({ isEmpty: true });
    connect(database.url);
    const statements = gunzipSync(readFileSync(dump)).toString("utf8");
    await db().raw(statements.replaceAll("?", "\\?"));
    before.content = await readContent();
    before.acceptance = await query(db(), oldAcceptanceSql);
    before.statuses = await query(db(), oldStatusSql, { at });
    before.assignments = await query(db(), oldAssignmentsSql);
    before.ownSets = await query(
      db(),
      "select code from promotions where has_own_machines order by code",
    );
    expect(await isSchemaCurrent(db())).toBe(false);
    await prepareDatabase(database.url, {
      timeZone: null,
      hasSampleData: true,
      createAdmin: () => Promise.reject(new Error("This installation has its admins")),
    });
    await loadSite();
  }, 60_000);

  afterAll(async () => {
    await disconnect();
    await database.drop();
  });

  it("keeps every row of every table", async () => {
    expect(await isSchemaCurrent(db())).toBe(true);
    expect(await readContent()).toEqual(before.content);
    for (const table of unchangedTables.slice(0, 10))
      expect(before.content[table]!.length, table).toBeGreaterThan(0);
  });

  it("accepts each code at the same machines", async () => {
    expect(before.acceptance.length).toBeGreaterThan(1_000);
    expect(await query(db(), newAcceptanceSql)).toEqual(before.acceptance);
  });

  it("keeps the status of each code", async () => {
    const statuses = await query<{ status: string }>(
      db(),
      `with ${clockSql} select p.code, ${statusSql} as status from promotions p order by 1`,
      clockBindings(at),
    );
    expect(statuses).toEqual(before.statuses);
    expect(new Set(statuses.map(({ status }) => status)).size).toBe(6);
  });

  it("keeps each machine and group where it was assigned, and when", async () => {
    expect(await query(db(), newAssignmentsSql)).toEqual(before.assignments);
  });

  it("gives a set to each promotion and each generation, and to codes that were edited alone", async () => {
    const ownSets = await query(
      db(),
      `select p.code from promotions p left join mass_generations g on g.id = p.mass_generation_id
       where p.set_id is distinct from g.set_id order by code`,
    );
    expect(ownSets).toEqual(before.ownSets);
    await assertInvariants();
  });

  it("goes on with new sets and changes", async () => {
    const actor = await insertUser();
    const created = await db()("promotions")
      .insert({
        ...{ code: "NEWCDEFGH234", name: "New", discount_type: "percentage", discount_value: 5 },
        ...{ is_single_use: false, is_renewable: false },
      })
      .returning<{ id: string }[]>("id");
    const machine = await db()("machines").where({ is_deleted: false }).first("serial_number");
    const edited = await db()("promotions").whereNotNull("mass_generation_id").first("id");
    for (const id of [created[0]!.id, edited.id])
      await assignMachines(id, [machine.serial_number], { actor });
    await assertInvariants();
  });

  it("has no table left that the release before sets finds its migrations in", async () => {
    // That release answers 503 to /readyz and does not start, instead of failing in each request.
    const tables = await query<{ name: string | null }>(
      db(),
      "select to_regclass('knex_migrations') as name",
    );
    expect(tables).toEqual([{ name: null }]);
  });
});
