/** Which machines accept a promotion (rulings 3.5): read and changed, one audit row a change. */
import type { Knex } from "knex";
import { db } from "../../db/connection.server";
import { DomainError } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import { listMachinesById } from "../machines/list-machines.server";
import type { Machine } from "../machines/machine";
import { recordAction, type Actor } from "../users/audit-log.server";
import { mostMachines } from "./promotion-forms";

type Rows<Row> = { rows: Row[] };

export type PromotionMachines = {
  /** Assigned by themselves, deleted ones too, by serial number. */
  machines: Machine[];
  /** Assigned as a whole. */
  groups: { name: string; machineCount: number }[];
  /** They are those of its mass generation; the first change gives the code its own. */
  isShared: boolean;
};

type Holder = {
  id: string;
  mass_generation_id: string | null;
  has_own_machines: boolean;
  is_deleted: boolean;
};

/** A machine or a group. */
type Assignment = {
  machine_id: string | null;
  serial_number: string | null;
  group_id: string | null;
  group_name: string | null;
};

/**
 * @param id as it came in a URL
 * @throws DomainError not_found
 */
export async function readPromotionMachines(id: string): Promise<PromotionMachines> {
  const holder = await findHolder(db(), id);
  const assignments = await readAssignments(db(), holder);
  const groupIds = assignments.flatMap((row) => row.group_id ?? []);
  const [machines, groups] = await Promise.all([
    listMachinesById(assignments.flatMap((row) => row.machine_id ?? [])),
    groupIds.length === 0 ? [] : readGroups(groupIds),
  ]);
  return { machines, groups, isShared: !holder.has_own_machines };
}

async function readGroups(ids: string[]) {
  const { rows } = await db().raw<Rows<{ name: string; machine_count: number }>>(
    `select g.name, (select count(*) from machine_group_members where group_id = g.id)::integer
       as machine_count
     from machine_groups g where g.id = any(:ids) order by g.name`,
    { ids },
  );
  return rows.map((row) => ({ name: row.name, machineCount: row.machine_count }));
}

export type ChangeOptions = { actor: Actor; requestId?: string | null };

/**
 * Adds machines; those that are assigned already stay.
 * @throws DomainError not_found; conflict: the promotion is deleted; invalid: a machine that is
 *   unknown or deleted, and then nothing is added
 */
export async function assignMachines(
  id: string,
  serials: readonly string[],
  options: ChangeOptions,
): Promise<{ changed: boolean }> {
  const wanted = [...new Set(serials)];
  refuseSerials(wanted);
  return changeAssignments(id, "promotion.machines_added", options, async (trx, before) => {
    const assigned = new Set(before.map((row) => row.serial_number));
    const missing = wanted.filter((serial) => !assigned.has(serial));
    const { rows } = await trx.raw<Rows<Assignment>>(
      `select id as machine_id, serial_number, null as group_id, null as group_name
       from machines where serial_number = any(:missing) and not is_deleted`,
      { missing },
    );
    const found = new Set(rows.map((row) => row.serial_number));
    const unknown = missing.filter((serial) => !found.has(serial));
    if (unknown.length > 0) {
      const more = unknown.length > 3 ? ` and ${unknown.length - 3} more` : "";
      throw refusedMachines(
        `Not available: ${unknown.slice(0, 3).join(", ")}${more}. Nothing was added.`,
      );
    }
    return [...before, ...rows];
  });
}

function refuseSerials(serials: readonly string[]): void {
  if (serials.length === 0) throw refusedMachines("Choose at least one machine.");
  if (serials.length > mostMachines)
    throw refusedMachines("No more than 2,000 machines can be chosen");
  if (!serials.every(canBeSerial)) throw refusedMachines("A serial number is not valid");
}

function canBeSerial(serial: string): boolean {
  return serial !== "" && isStorableText(serial) && !isLongerThan(serial, 100);
}

function refusedMachines(sentence: string): DomainError {
  return new DomainError("invalid", sentence, { machines: sentence });
}

/**
 * Removes one machine; nothing happens when it is not assigned.
 * @throws DomainError not_found: the promotion or the machine; conflict: the promotion is deleted,
 *   or the machine is assigned with its group
 */
export async function unassignMachine(
  id: string,
  serial: string,
  options: ChangeOptions,
): Promise<{ changed: boolean }> {
  return changeAssignments(id, "promotion.machine_removed", options, async (trx, before) => {
    const after = before.filter((row) => row.serial_number !== serial);
    if (after.length === before.length) await explainAbsence(trx, serial, before);
    return after;
  });
}

async function explainAbsence(trx: Knex, serial: string, assignments: Assignment[]) {
  const groupIds = assignments.flatMap((row) => row.group_id ?? []);
  const { rows } = canBeSerial(serial)
    ? await trx.raw<Rows<{ group_name: string | null }>>(
        `select (select g.name from machine_group_members member
             join machine_groups g on g.id = member.group_id
             where member.machine_id = m.id and g.id = any(cast(:groupIds as bigint[]))
             order by g.name limit 1) as group_name
         from machines m where m.serial_number = :serial`,
        { serial, groupIds },
      )
    : { rows: [] };
  if (!rows[0]) throw new DomainError("not_found", "Machine not found");
  const group = rows[0].group_name;
  if (group !== null)
    throw new DomainError("conflict", `${serial} is assigned with its group ${group}.`);
}

/**
 * Removes all machines and groups.
 * @throws DomainError not_found; conflict: the promotion is deleted
 */
export function unassignAllMachines(
  id: string,
  options: ChangeOptions,
): Promise<{ changed: boolean }> {
  return changeAssignments(id, "promotion.machines_unassigned", options, async () => []);
}

/**
 * One change at a time for a promotion: its row is locked first. Inserts follow in the order of
 * the machines' ids, so that two changes never wait for each other.
 */
async function changeAssignments(
  id: string,
  action: string,
  { actor, requestId = null }: ChangeOptions,
  change: (trx: Knex, before: Assignment[]) => Promise<Assignment[]>,
): Promise<{ changed: boolean }> {
  return db().transaction(async (trx) => {
    const holder = await findHolder(trx, id, "for update");
    if (holder.is_deleted)
      throw new DomainError(
        "conflict",
        "This promotion is deleted. Its machines can't be changed.",
      );
    const before = await readAssignments(trx, holder);
    const after = await change(trx, before);
    const gone = before.filter((row) => !after.includes(row));
    const added = after.filter((row) => !before.includes(row));
    if (gone.length === 0 && added.length === 0) return { changed: false };

    await remove(trx, holder, gone);
    // What a code shared with its generation becomes its own.
    await insert(trx, holder, holder.has_own_machines ? added : after);
    await trx.raw(
      `update promotions set is_assigned = :isAssigned, has_own_machines = true,
         version = version + 1, updated_at = now() where id = :id`,
      { id: holder.id, isAssigned: after.length > 0 },
    );
    const serials = (rows: Assignment[]) => rows.flatMap((row) => row.serial_number ?? []).sort();
    const groups = (rows: Assignment[]) => rows.flatMap((row) => row.group_name ?? []).sort();
    await recordAction(trx, {
      actor,
      action,
      subjectType: "promotion",
      subjectId: holder.id,
      details: {
        machines: { from: serials(before), to: serials(after) },
        ...(groups(gone).length > 0 && { groups: { from: groups(before), to: groups(after) } }),
      },
      requestId,
    });
    return { changed: true };
  });
}

async function findHolder(knex: Knex, id: string, lock: "" | "for update" = ""): Promise<Holder> {
  const promotionId = parseRecordId(id);
  const { rows } = promotionId
    ? await knex.raw<Rows<Holder>>(
        `select id, mass_generation_id, has_own_machines, is_deleted
         from promotions where id = :promotionId ${lock}`,
        { promotionId },
      )
    : { rows: [] };
  if (!rows[0]) throw new DomainError("not_found", "Error: Promotion not found");
  return rows[0];
}

async function readAssignments(knex: Knex, holder: Holder): Promise<Assignment[]> {
  const rowsOf = holder.has_own_machines
    ? "promotion_assignments where promotion_id = :holderId"
    : "mass_generation_assignments where mass_generation_id = :holderId";
  const { rows } = await knex.raw<Rows<Assignment>>(
    `select a.machine_id, m.serial_number, a.group_id, g.name as group_name
     from (select machine_id, group_id from ${rowsOf}) a
       left join machines m on m.id = a.machine_id
       left join machine_groups g on g.id = a.group_id`,
    { holderId: holder.has_own_machines ? holder.id : holder.mass_generation_id },
  );
  return rows;
}

async function remove(trx: Knex, { id, has_own_machines }: Holder, rows: Assignment[]) {
  if (rows.length === 0 || !has_own_machines) return;
  await trx.raw(
    `delete from promotion_assignments where promotion_id = :id
       and (machine_id = any(cast(:machineIds as bigint[]))
         or group_id = any(cast(:groupIds as bigint[])))`,
    {
      id,
      machineIds: rows.flatMap((row) => row.machine_id ?? []),
      groupIds: rows.flatMap((row) => row.group_id ?? []),
    },
  );
}

async function insert(trx: Knex, { id }: Holder, rows: Assignment[]) {
  if (rows.length === 0) return;
  await trx.raw(
    `insert into promotion_assignments (promotion_id, machine_id, group_id)
     select :id, machine_id, group_id
     from unnest(cast(:machineIds as bigint[]), cast(:groupIds as bigint[]))
       as chosen (machine_id, group_id)
     order by machine_id, group_id
     on conflict do nothing`,
    {
      id,
      machineIds: rows.map((row) => row.machine_id),
      groupIds: rows.map((row) => row.group_id),
    },
  );
}
