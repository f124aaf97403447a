/**
 * Imports of assignments: machines and groups that campaigns and codes are assigned to, beside those they have. The steps
 * of a transaction share temporary tables:
 *
 * | table         | a row for each                    | columns                                                    |
 * | ------------- | --------------------------------- | ---------------------------------------------------------- |
 * | `row_owners`  | campaign or code that a row names | line; promotion_id or generation_id; set_id; is_shared:    |
 * |               |                                   | the set is that of its mass generation; is_deleted         |
 * | `row_targets` | machine and group of an owner     | those of the owner; machine_id or group_id; exists_already |
 * | `own_sets`    | code that gets a set of its own   | promotion_id; source_id: the set that it shared; id        |
 */
import type { Knex } from "knex";
import { db, one, query } from "../../../db/connection.server";
import { normaliseCode } from "../../../forms/code-input";
import { formatCode } from "../../../format/promotion";
import { lockManySets } from "../../assignments/assignment-sets.server";
import { countOf } from "../../../format/number";
import { paths } from "../../../paths";
import { maxNamed, type Imported, type ImportOutcome } from "../import";
import {
  countUndoable,
  ImportOutdated,
  maxImportedShown,
  readPreview,
  type ImportRun,
  type ImportSteps,
} from "../import-steps.server";
import { groupNamesOf, joinErrors, listOf, nameIn, serialsError } from "./row-cells";
import { requireUndoable } from "./staying.server";
import { groupRule, machineRule } from "./target-rules";
import { markAssigned, removeAssignments, stayingSql } from "./undo-assignments.server";

/** The assignments that undoing removes, for a `select`. */
const undoableSql = `from assignments a where a.import_id = :importId
  and a.set_id not in (select set_id from (${stayingSql}) staying)`;

export const assignmentSteps: ImportSteps = {
  readRow: readAssignmentRow,
  prepare: findOwners,
  rules: [
    `select r.line, case when r.code is null then 'There is no campaign with this name or number'
         else 'There is no such code' end as reason
     from import_rows r
     where r.import_id = :importId and not exists (select from row_owners o where o.line = r.line)`,
    `select o.line, 'Several campaigns have this name. Write the number of one, such as #12, or its code' as reason
     from row_owners o group by o.line having count(*) > 1`,
    "select o.line, 'This code is deleted' as reason from row_owners o where o.is_deleted",
    `select line, 'The same stands in line ' || first_line as reason
     from (select t.line, min(t.line) over (partition by t.generation_id, t.promotion_id, t.machine_id, t.group_id)
         as first_line from row_targets t) same
     where line > first_line`,
    machineRule,
    groupRule,
  ],
  preview: previewAssignments,
  write: writeAssignments,
  countUndoable: countUndoable(
    `select json_build_object('assignments', count(*), 'campaigns', count(distinct a.set_id)) as counts
     ${undoableSql}`,
  ),
  startUndo: requireUndoable(`select ${undoableSql}`, stayingSql),
  undo: (importId) => db().transaction((trx) => removeAssignments(trx, importId)),
  readImported: readOwners,
};

function readAssignmentRow(cell: (column: string) => string) {
  const [campaign, codeText] = [nameIn(cell("campaign")), cell("code").trim()];
  const machines = listOf(cell("machines"));
  const groups = groupNamesOf(cell("groups"));
  const code = normaliseCode(codeText);
  const row = { code, name: campaign, machine_serials: machines, group_names: groups };
  const error = joinErrors([
    (campaign === "") === (codeText === "") && "Name a campaign or a code",
    codeText !== "" && code === null && "Code must have 8 to 32 letters and digits",
    machines.length + groups.length === 0 && "Name a machine or a group",
    serialsError(machines),
  ]);
  return { row, error };
}

/** Fills `row_owners` and `row_targets`. A code of a mass generation that was not edited alone shares the set of it. */
async function findOwners(trx: Knex.Transaction, importId: string): Promise<void> {
  await query(
    trx,
    `create temporary table row_owners on commit drop as
     select r.line, o.* from import_rows r cross join lateral (
       select p.id as promotion_id, cast(null as bigint) as generation_id, p.set_id,
         coalesce(p.set_id = g.set_id, false) as is_shared, p.is_deleted or coalesce(g.is_deleted, false) as is_deleted
       from promotions p left join mass_generations g on g.id = p.mass_generation_id
       where p.code = r.code
       union all (
         select cast(null as bigint), g.id, g.set_id, false, false from mass_generations g
         where r.code is null and not g.is_deleted
           and g.id = case when r.name ~ '^#\\d{1,18}$' then cast(substr(r.name, 2) as bigint) end
         union all
         select null, g.id, g.set_id, false, false from mass_generations g
         where r.code is null and not g.is_deleted and g.name = r.name
         union all
         select p.id, null, p.set_id, false, false from promotions p
         where r.code is null and not p.is_deleted and p.mass_generation_id is null and p.name = r.name
         limit 2
       )
     ) o
     where r.import_id = :importId and r.problem is null`,
    { importId },
  );
  await trx.raw("create index on row_owners (line)");
  await trx.raw("analyze row_owners");
  await query(
    trx,
    `create temporary table row_targets on commit drop as
     select o.*, t.machine_id, t.group_id, exists (select from assignments a
         where a.set_id = o.set_id and (a.machine_id = t.machine_id or a.group_id = t.group_id)) as exists_already
     from row_owners o join import_rows r on r.import_id = :importId and r.line = o.line
       cross join lateral (
         select m.id as machine_id, cast(null as bigint) as group_id from unnest(r.machine_serials) as named (serial)
           join machines m on m.serial_number = named.serial and not m.is_deleted
         union all
         select null, g.id from unnest(r.group_names) as named (name)
           join machine_groups g on lower(g.name) = lower(named.name)
       ) t`,
    { importId },
  );
  await trx.raw("create index on row_targets (line)");
  await trx.raw("analyze row_targets");
}

function previewAssignments(trx: Knex.Transaction, importId: string): Promise<ImportOutcome> {
  return readPreview<{ name: string; code: string | null; targets: number }>(
    trx,
    `with owners as materialized (
       select promotion_id, generation_id, min(line) as line, count(*) as targets
       from row_targets where not exists_already group by promotion_id, generation_id
     )
     select json_build_object('assignments', coalesce(sum(targets), 0), 'campaigns', count(*),
         'existing', (select count(*) from row_targets where exists_already)) as counts,
       (select coalesce(json_agg(json_build_object('name', coalesce(g.name, p.name), 'code', p.code,
           'targets', targets) order by line), '[]')
        from (select * from owners order by line limit ${maxNamed}) first
          left join mass_generations g on g.id = generation_id
          left join promotions p on p.id = promotion_id) as named
     from owners`,
    { importId },
    ({ name, code, targets }) => ({
      name: nameOf(name, code),
      note: countOf(targets, "assignment"),
    }),
  );
}

const nameOf = (name: string, code: string | null) =>
  code === null ? name : `${name} ${formatCode(code)}`;

async function writeAssignments(trx: Knex.Transaction, run: ImportRun): Promise<void> {
  const { importId } = run;
  await findOwners(trx, importId);
  await rejectOutdated(trx, run);
  await lockTargets(trx);
  await insertTargets(trx, importId, { isShared: false });
  // After the sets that they copy.
  await copySharedSets(trx, importId);
  await insertTargets(trx, importId, { isShared: true });
  await trx.raw(
    `update mass_generations set version = version + 1
     where id in (select generation_id from row_targets where not exists_already)`,
  );
  await markAssigned(trx, "row_targets");
  await moveCodes(trx);
}

/** @throws ImportOutdated an owner or a target has gone since the dry run */
async function rejectOutdated(trx: Knex.Transaction, { importId, rows }: ImportRun): Promise<void> {
  const owners = await one<{ count: number }>(
    trx,
    "select count(*)::integer as count from row_owners where not is_deleted",
  );
  const absent = await one(
    trx,
    `select r.line from import_rows r
     where r.import_id = :importId and cardinality(r.machine_serials) + cardinality(r.group_names)
       <> (select count(*) from row_targets t where t.line = r.line) limit 1`,
    { importId },
  );
  if (owners!.count !== rows || absent) throw new ImportOutdated();
}

/** Comes before the rows that this writes, in the order of other changes of assignments. */
async function lockTargets(trx: Knex.Transaction): Promise<void> {
  await trx.raw(
    `select from machine_groups where id in (
       select group_id from row_targets
       union all
       select a.group_id from assignments a
       where a.set_id in (select set_id from row_targets where is_shared))
     order by id for key share`,
  );
  await trx.raw(
    `select from mass_generations where set_id in (select set_id from row_targets)
     order by id for key share`,
  );
  await trx.raw(
    `select from machines where id in (select machine_id from row_targets) order by id for key share`,
  );
  const targetsSql = "from row_targets where not exists_already";
  await lockManySets(trx, {
    codesSql: `select promotion_id ${targetsSql}`,
    setsSql: `select set_id ${targetsSql}`,
  });
}

async function insertTargets(
  trx: Knex.Transaction,
  importId: string,
  { isShared }: { isShared: boolean },
): Promise<void> {
  await query(
    trx,
    `insert into assignments (set_id, machine_id, group_id, import_id)
     select set_id, machine_id, group_id, :importId from row_targets
     where not exists_already and is_shared = :isShared
     order by set_id, machine_id, group_id
     on conflict do nothing`,
    { importId, isShared },
  );
}

/** Gives codes that share the set of their mass generation sets of their own (RULES M2). */
async function copySharedSets(trx: Knex.Transaction, importId: string): Promise<void> {
  await trx.raw(
    `create temporary table own_sets on commit drop as
     select promotion_id, source_id, nextval(pg_get_serial_sequence('assignment_sets', 'id')) as id
     from (select distinct promotion_id, set_id as source_id from row_targets
       where is_shared and not exists_already) shared`,
  );
  await trx.raw(
    `insert into assignment_sets (id, is_assigned, copied_from) overriding system value
     select id, true, source_id from own_sets`,
  );
  await query(
    trx,
    `insert into assignments (set_id, machine_id, group_id, import_id)
     select own.id, a.machine_id, a.group_id, a.import_id
     from own_sets own join assignments a on a.set_id = own.source_id`,
    { importId },
  );
  await trx.raw(
    `update row_targets t set set_id = own.id from own_sets own
     where own.promotion_id = t.promotion_id and not t.exists_already`,
  );
}

/** Gives codes their new sets. Redemptions wait for the rows of these codes alone, which change last. */
async function moveCodes(trx: Knex.Transaction): Promise<void> {
  await trx.raw(
    `select count(*) from (
       select from promotions where id in (select promotion_id from own_sets) order by id for no key update) locked`,
  );
  const moved = await one<{ isOutdated: boolean }>(
    trx,
    `with stored as (
       update promotions p set set_id = own.id, version = p.version + 1, updated_at = now()
       from own_sets own
       where p.id = own.promotion_id and p.set_id = own.source_id and not p.is_deleted
       returning 1
     )
     select (select count(*) from own_sets) <> (select count(*) from stored) as is_outdated`,
  );
  if (moved!.isOutdated) throw new ImportOutdated();
}

async function readOwners(importId: string): Promise<Imported[]> {
  type Owner = { id: string; name: string; code: string | null; assignments: number };
  const rows = await query<Owner>(
    db(),
    `select coalesce(g.id, p.id) as id, coalesce(g.name, p.name) as name, p.code, brought.assignments
     from (select set_id, count(*)::integer as assignments from assignments
         where import_id = :importId group by set_id order by set_id limit ${maxImportedShown + 1}) brought
       left join mass_generations g on g.set_id = brought.set_id
       left join promotions p on p.set_id = brought.set_id and g.id is null
     order by brought.set_id`,
    { importId },
  );
  return rows.map(({ id, name, code, assignments }) => ({
    name: nameOf(name, code),
    note: countOf(assignments, "assignment"),
    to: code === null ? paths.generation(id) : paths.promotion(id),
  }));
}
