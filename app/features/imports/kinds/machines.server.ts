/** Imports of machines, where no platform lists them (RULES M10). */
import type { Knex } from "knex";
import { db, one, query } from "../../../db/connection.server";
import { allowLongStatements } from "../../../db/timeouts.server";
import { fieldError, nameText } from "../../../forms/fields";
import { isBlank } from "../../../forms/storable-text";
import { paths } from "../../../paths";
import { canBeNewSerial } from "../../machines/machine";
import { platformKind } from "../../machines/platform.server";
import { maxNamed, type Imported, type ImportOutcome, type Stayed } from "../import";
import {
  countUndoable,
  ImportOutdated,
  maxImportedShown,
  type ImportRun,
  type ImportSteps,
} from "../import-steps.server";
import { joinErrors, nameIn } from "./row-cells";
import { readStayed, requireUndoable } from "./staying.server";

/** The serial number of a row `r`. */
const serialSql = "r.machine_serials[1]";

/** The name that a row `r` gives a new machine. A row without a name leaves a machine that exists with its own. */
const nameSql = `coalesce(r.name, ${serialSql})`;

/** Selects the machines that an import brought and that are not deleted, with why they stay; null where nothing needs them. */
const broughtSql = `
  select m.id, m.serial_number as name, case
      when not m.is_manual then 'SmartVend lists it'
      when m.last_qr_used_at is not null then 'Codes were redeemed there'
      when exists (select from assignments a where a.machine_id = m.id) then 'Codes are assigned to it'
      when exists (select from machine_group_members member where member.machine_id = m.id)
        then 'It is in a machine group'
      when exists (select from api_keys k where k.machine_id = m.id and k.revoked_at is null)
        then 'A key is bound to it'
    end as reason
  from machines m where m.import_id = :importId and not m.is_deleted order by m.id`;

const undoableSql = `select id from (${broughtSql}) brought where reason is null`;

export const machineSteps: ImportSteps = {
  async whyUnavailable(database) {
    const isListed = (await platformKind(database)) !== "none";
    return isListed ? "SmartVend lists the machines of this site. Add them there." : null;
  },
  readRow: readMachineRow,
  rules: [
    `select line, 'The same serial number stands in line ' || first_line as reason
     from (select r.line, min(r.line) over (partition by ${serialSql}) as first_line
       from import_rows r where r.import_id = :importId and r.problem is null) same
     where line > first_line`,
    // Machines that an undone import brought come back with the same file alone.
    `select r.line, case when not m.is_deleted then 'This machine exists already, with the name ' || m.human_name
         when i.state = 'undone'
         then 'This machine belongs to an undone import. Only the same file restores it'
         else 'This machine is marked as deleted. Bring it back on its page' end as reason
     from import_rows r join machines m on m.serial_number = ${serialSql}
       left join imports i on i.id = m.import_id
     where r.import_id = :importId
       and case when m.is_deleted then (m.import_id = :revivedId) is not true else m.human_name <> r.name end`,
  ],
  preview: previewMachines,
  write: writeMachines,
  countUndoable: countUndoable(
    `select json_build_object('machines', count(*)) as counts from (${undoableSql}) undoable`,
  ),
  startUndo: requireUndoable(undoableSql, broughtSql),
  undo: (importId) => db().transaction((trx) => markAsDeleted(trx, importId)),
  readImported: readMachines,
};

const nameRule = nameText();

function readMachineRow(cell: (column: string) => string) {
  const serial = cell("serial_number").trim();
  const name = nameIn(cell("name"));
  const row = { machine_serials: [serial], ...(!isBlank(name) && { name }) };
  const serialError =
    serial === ""
      ? "Serial number is required"
      : !canBeNewSerial(serial) && "A serial number has at most 100 printable characters";
  const error = joinErrors([
    serialError,
    serialError || isBlank(name) ? null : fieldError(nameRule, name),
  ]);
  return { row, error };
}

async function previewMachines(trx: Knex.Transaction, importId: string): Promise<ImportOutcome> {
  const row = await one<ImportOutcome>(
    trx,
    `with missing as materialized (
       select r.line, ${nameSql} as name, ${serialSql} as serial from import_rows r
       where r.import_id = :importId
         and not exists (select from machines m where m.serial_number = ${serialSql} and not m.is_deleted)
     )
     select json_build_object('machines', count(*), 'existing',
         (select count(*) from import_rows r where r.import_id = :importId) - count(*)) as counts,
       (select coalesce(json_agg(json_build_object('name', name, 'note', serial) order by line), '[]')
        from (select * from missing order by line limit ${maxNamed}) first) as named
     from missing`,
    { importId },
  );
  return row!;
}

async function writeMachines(
  trx: Knex.Transaction,
  { importId, revives }: ImportRun,
): Promise<void> {
  if ((await platformKind(trx)) !== "none") throw new ImportOutdated();
  await query(
    trx,
    `update machines set is_deleted = false, deleted_at = null, import_id = :importId, version = version + 1,
       updated_at = now()
     where import_id = :revives and is_deleted`,
    { importId, revives: revives ?? null },
  );
  await query(
    trx,
    `insert into machines (serial_number, human_name, is_manual, import_id)
     select ${serialSql}, ${nameSql}, true, :importId from import_rows r
     where r.import_id = :importId order by r.line
     on conflict (serial_number) do nothing`,
    { importId },
  );
  const absent = await one(
    trx,
    `select r.line from import_rows r where r.import_id = :importId
       and not exists (select from machines m where m.serial_number = ${serialSql} and not m.is_deleted) limit 1`,
    { importId },
  );
  if (absent) throw new ImportOutdated();
}

/** Deletes the machines that nothing uses. The row locks stop assignments and redemptions at them until it commits. */
async function markAsDeleted(trx: Knex.Transaction, importId: string): Promise<Stayed> {
  await allowLongStatements(trx);
  await query(
    trx,
    "select id from machines where import_id = :importId and not is_deleted order by id for update",
    { importId },
  );
  await query(
    trx,
    `update machines set is_deleted = true, deleted_at = now(), version = version + 1, updated_at = now()
     where id in (${undoableSql})`,
    { importId },
  );
  return readStayed(trx, importId, broughtSql);
}

async function readMachines(importId: string): Promise<Imported[]> {
  const rows = await query<{ name: string; serial: string }>(
    db(),
    `select human_name as name, serial_number as serial from machines
     where import_id = :importId order by id limit ${maxImportedShown + 1}`,
    { importId },
  );
  return rows.map(({ name, serial }) => ({ name, note: serial, to: paths.machine(serial) }));
}
