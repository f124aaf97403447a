/** Imports of machine groups: groups that don't exist yet, and machines that are added to groups. */
import type { Knex } from "knex";
import { db, one, query } from "../../../db/connection.server";
import { allowLongStatements } from "../../../db/timeouts.server";
import { fieldError, nameText } from "../../../forms/fields";
import { countOf } from "../../../format/number";
import { paths } from "../../../paths";
import { groupKinds, type GroupKind } from "../../machines/machine-group";
import { maxNamed, type Imported, type ImportOutcome, type Stayed } from "../import";
import {
  countUndoable,
  ImportOutdated,
  maxImportedShown,
  readPreview,
  type ImportRun,
  type ImportSteps,
} from "../import-steps.server";
import { joinErrors, listOf, nameIn, serialsError } from "./row-cells";
import { readStayed, requireUndoable } from "./staying.server";
import { machineRule } from "./target-rules";

/** Compares names of groups as their unique index does. */
const keySql = "lower(r.group_names[1])";

/** Selects the groups of a file: their key, their name and kind in the first row that has one. */
const groupsSql = `
  select ${keySql} as key, (array_agg(r.group_names[1] order by r.line))[1] as name,
    coalesce((array_agg(r.group_kind order by r.line) filter (where r.group_kind is not null))[1], 'other') as kind,
    min(r.line) as line
  from import_rows r where r.import_id = :importId group by ${keySql}`;

/** Selects each machine that a file names for a group, with the id of the group if it exists. */
const membersSql = `
  select distinct ${keySql} as key, g.id as group_id, m.id as machine_id
  from import_rows r cross join unnest(r.machine_serials) as named (serial)
    join machines m on m.serial_number = named.serial and not m.is_deleted
    left join machine_groups g on lower(g.name) = ${keySql}
  where r.import_id = :importId`;

/** Selects the ids of the groups that came, or got machines. */
const changedIdsSql = `
  select member.group_id from machine_group_members member where member.import_id = :importId
  union select id from machine_groups where import_id = :importId`;

/**
 * Selects the groups that stay as they are. A group that came stays if codes are assigned to it or it has other machines
 * by now; the machines that came into another group stay there if codes are assigned to it and one was redeemed at one of
 * them since.
 */
const stayingSql = `
  select * from (
    select g.id, g.name, case
      when g.import_id = :importId and is_assigned then 'Codes are assigned to it'
      when g.import_id = :importId and exists (select from machine_group_members other
          where other.group_id = g.id and other.import_id is distinct from :importId)
        then 'Other machines were added to it'
      when is_assigned and exists (
          select from machine_group_members member join machines m on m.id = member.machine_id
          where member.group_id = g.id and member.import_id = :importId
            and m.last_qr_used_at >= (select i.imported_at from imports i where i.id = :importId))
        then 'Codes were redeemed at its new machines'
    end as reason
    from machine_groups g cross join lateral (
      select exists (select from assignments a where a.group_id = g.id) as is_assigned) uses
    where g.id in (${changedIdsSql})) judged
  where reason is not null order by id`;
const stayingIdsSql = `select id from (${stayingSql}) staying`;

/** The groups and members that undoing removes, for a `select` or a `delete`. */
const undoableGroupsSql = `from machine_groups g
  where g.import_id = :importId and g.id not in (${stayingIdsSql})`;
const undoableMembersSql = `from machine_group_members member
  where member.import_id = :importId and member.group_id not in (${stayingIdsSql})`;

export const groupSteps: ImportSteps = {
  readRow: readGroupRow,
  rules: [
    `select line, 'The same machine stands in line ' || first_line || ' for this group' as reason
     from (select r.line, min(r.line) over (partition by ${keySql}, named.serial) as first_line
       from import_rows r cross join unnest(r.machine_serials) as named (serial)
       where r.import_id = :importId) same
     where line > first_line`,
    `select r.line, 'This group has another kind' as reason
     from import_rows r join machine_groups g on lower(g.name) = ${keySql}
     where r.import_id = :importId and r.group_kind <> g.kind`,
    `select line, 'Other lines give this group another kind' as reason
     from (select r.line, r.group_kind, min(r.group_kind) over (partition by ${keySql}) as other
       from import_rows r where r.import_id = :importId) kinds
     where group_kind <> other`,
    machineRule,
  ],
  preview: previewGroups,
  write: writeGroups,
  countUndoable: countUndoable(
    `select json_build_object('machine_groups', (select count(*) ${undoableGroupsSql}),
       'members', (select count(*) ${undoableMembersSql})) as counts`,
  ),
  startUndo: requireUndoable(
    `select ${undoableMembersSql} union all select ${undoableGroupsSql}`,
    stayingSql,
  ),
  undo: (importId) => db().transaction((trx) => removeGroups(trx, importId)),
  readImported: readGroups,
};

const nameRule = nameText();

function readGroupRow(cell: (column: string) => string) {
  const [name, kind] = [nameIn(cell("group")), cell("kind").trim().toLowerCase()];
  const machines = listOf(cell("machines"));
  const isKind = kind === "" || groupKinds.includes(kind as GroupKind);
  const row = {
    group_names: [name],
    group_kind: kind !== "" && isKind ? kind : null,
    machine_serials: machines,
  };
  const error = joinErrors([
    fieldError(nameRule, name),
    !isKind && `Kind must be ${groupKinds.slice(0, -1).join(", ")} or ${groupKinds.at(-1)}`,
    serialsError(machines),
  ]);
  return { row, error };
}

function previewGroups(trx: Knex.Transaction, importId: string): Promise<ImportOutcome> {
  return readPreview<{ name: string; isNew: boolean; members: number }>(
    trx,
    `with wanted as materialized (
       select w.*, exists (select from machine_group_members member
         where member.group_id = w.group_id and member.machine_id = w.machine_id) as is_member
       from (${membersSql}) w
     ), counted as (
       select f.line, f.name, not exists (select from machine_groups g where lower(g.name) = f.key) as is_new,
         coalesce(added.members, 0) as members
       from (${groupsSql}) f left join (
         select key, count(*) as members from wanted where not is_member group by key) added using (key)
     )
     select json_build_object('machine_groups', count(*) filter (where is_new),
         'members', coalesce(sum(members), 0),
         'existing', (select count(*) from wanted where is_member)) as counts,
       (select coalesce(json_agg(json_build_object('name', name, 'isNew', is_new, 'members', members)), '[]')
        from (select * from counted where is_new or members > 0 order by line limit ${maxNamed}) first) as named
     from counted`,
    { importId },
    ({ name, isNew, members }) => ({
      name,
      note: `${isNew ? "New, " : ""}${countOf(members, "machine")}${isNew ? "" : " more"}`,
    }),
  );
}

/** Groups are locked before their members change, as on their pages. */
async function writeGroups(trx: Knex.Transaction, { importId }: ImportRun): Promise<void> {
  await query(
    trx,
    `insert into machine_groups (name, kind, import_id)
     select f.name, f.kind, :importId from (${groupsSql}) f
     where not exists (select from machine_groups g where lower(g.name) = f.key) order by f.line`,
    { importId },
  );
  await query(
    trx,
    `select g.id from machine_groups g where lower(g.name) in (select key from (${groupsSql}) f)
     order by g.id for no key update`,
    { importId },
  );
  await query(
    trx,
    `insert into machine_group_members (group_id, machine_id, import_id)
     select w.group_id, w.machine_id, :importId from (${membersSql}) w order by w.group_id, w.machine_id
     on conflict do nothing`,
    { importId },
  );
  const absent = await one(
    trx,
    // The joins stand outside of the subquery: within it they read all members of the group for each of its machines.
    `select r.line from import_rows r cross join unnest(r.machine_serials) as named (serial)
       left join machine_groups g on lower(g.name) = ${keySql}
       left join machines m on m.serial_number = named.serial and not m.is_deleted
     where r.import_id = :importId and not exists (
       select from machine_group_members member
       where member.group_id = g.id and member.machine_id = m.id) limit 1`,
    { importId },
  );
  if (absent) throw new ImportOutdated();
}

async function removeGroups(trx: Knex.Transaction, importId: string): Promise<Stayed> {
  await allowLongStatements(trx);
  await query(
    trx,
    `select g.id from machine_groups g
     where g.id in (${changedIdsSql}) order by g.id for update`,
    { importId },
  );
  const stayed = await readStayed(trx, importId, stayingSql);
  await query(trx, `delete ${undoableMembersSql}`, { importId });
  await query(trx, `delete ${undoableGroupsSql}`, { importId });
  return stayed;
}

async function readGroups(importId: string): Promise<Imported[]> {
  const rows = await query<{ id: string; name: string; members: number }>(
    db(),
    `select g.id, g.name, (select count(*)::integer from machine_group_members member
         where member.group_id = g.id and member.import_id = :importId) as members
     from machine_groups g
     where g.id in (${changedIdsSql}) order by lower(g.name) limit ${maxImportedShown + 1}`,
    { importId },
  );
  return rows.map(({ id, name, members }) => ({
    name,
    note: `${countOf(members, "machine")} added`,
    to: paths.machineGroup(id),
  }));
}
