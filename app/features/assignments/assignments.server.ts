/**
 * What promotions and mass generations are assigned to, machines and groups, and the changes that
 * can be made to it: sets in, sets out, the same for both.
 */
import type { Knex } from "knex";
import { DomainError } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import { lockGroupsForShare } from "../machines/machine-groups.server";
import { groupsError, maxMachines } from "./target-errors";

type Rows<Row> = { rows: Row[] };

/** What has rows of its own: a promotion, or a generation for all codes that share them. */
export type AssignmentOwner = { kind: "promotion" | "mass_generation"; id: string };

/** A machine or a group. */
export type Assignment = {
  machine_id: string | null;
  serial_number: string | null;
  group_id: string | null;
  group_name: string | null;
};

type KeptGroup = { id: string; name: string };

export type AssignmentChange = {
  /** Ids of groups that it adds; they are locked before anything else is. */
  groups: readonly string[];
  apply: (trx: Knex, before: Assignment[], kept: KeptGroup[]) => Promise<Assignment[]>;
};

/** What is chosen in a form: serial numbers, and ids of groups. */
export type Chosen = { machines: readonly string[]; groups: readonly string[] };

/**
 * Adds machines and groups; what is assigned already stays.
 * @throws DomainError invalid; when it is applied, also for a machine that is unknown or deleted and
 *   for a group that is gone: then nothing is added
 */
export function adding({ machines, groups }: Chosen): AssignmentChange {
  const [wanted, wantedGroups] = [[...new Set(machines)], [...new Set(groups)]];
  if (wanted.length === 0 && wantedGroups.length === 0)
    throw refusedMachines("Choose at least one machine.");
  refuseSerials(wanted);
  const sentence = groupsError(wantedGroups);
  if (sentence !== null) throw refusedGroups(sentence);
  return {
    groups: wantedGroups,
    async apply(trx, before, kept) {
      const machineRows = await missingMachines(trx, wanted, before);
      return [...before, ...machineRows, ...missingGroups(wantedGroups, before, kept)];
    },
  };
}

async function missingMachines(
  trx: Knex,
  wanted: readonly string[],
  before: Assignment[],
): Promise<Assignment[]> {
  const assigned = new Set(before.map((row) => row.serial_number));
  const missing = wanted.filter((serial) => !assigned.has(serial));
  if (missing.length === 0) return [];
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
  return rows;
}

function missingGroups(
  wanted: readonly string[],
  before: Assignment[],
  kept: readonly KeptGroup[],
): Assignment[] {
  const assigned = new Set(before.map((row) => row.group_id));
  return wanted
    .filter((id) => !assigned.has(id))
    .map((id) => {
      const group = kept.find((candidate) => candidate.id === id);
      if (!group) throw refusedGroups("A chosen group is not there any more. Nothing was added.");
      return { machine_id: null, serial_number: null, group_id: id, group_name: group.name };
    });
}

/**
 * Removes one machine; nothing happens when it is not assigned.
 * @throws DomainError when it is applied: not_found, the machine; conflict, it is assigned with its
 *   group
 */
export function removeMachineChange(serial: string): AssignmentChange {
  return {
    groups: [],
    async apply(trx, before) {
      const after = before.filter((row) => row.serial_number !== serial);
      if (after.length === before.length) await explainAbsence(trx, serial, before);
      return after;
    },
  };
}

/** Removes one group; nothing happens when it is not assigned, or is no group any more. */
export function removeGroupChange(groupId: string): AssignmentChange {
  return {
    groups: [],
    apply: async (_trx, before) => before.filter((row) => row.group_id !== groupId),
  };
}

/** Removes all machines and groups. */
export const clearing: AssignmentChange = { groups: [], apply: async () => [] };

function refuseSerials(serials: readonly string[]): void {
  if (serials.length > maxMachines)
    throw refusedMachines("No more than 2,000 machines can be chosen");
  if (!serials.every(canBeSerial)) throw refusedMachines("A serial number is not valid");
}

function canBeSerial(serial: string): boolean {
  return serial !== "" && isStorableText(serial) && !isLongerThan(serial, 100);
}

function refusedMachines(sentence: string): DomainError {
  return new DomainError("invalid", sentence, { machines: sentence });
}

function refusedGroups(sentence: string): DomainError {
  return new DomainError("invalid", sentence, { groups: sentence });
}

async function explainAbsence(trx: Knex, serial: string, assignments: Assignment[]) {
  const groupIds = groupIdsOf(assignments);
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

export function groupIdsOf(assignments: readonly Assignment[]): string[] {
  return assignments.flatMap((row) => row.group_id ?? []);
}

export async function readAssignments(knex: Knex, holder: AssignmentOwner): Promise<Assignment[]> {
  const { rows } = await knex.raw<Rows<Assignment>>(
    `select a.machine_id, m.serial_number, a.group_id, g.name as group_name
     from ${holder.kind}_assignments a
       left join machines m on m.id = a.machine_id
       left join machine_groups g on g.id = a.group_id
     where a.${holder.kind}_id = :id`,
    { id: holder.id },
  );
  return rows;
}

/** What a change takes away and what it brings; both empty where it changes nothing. */
export function difference(before: readonly Assignment[], after: readonly Assignment[]) {
  return {
    gone: before.filter((row) => !after.includes(row)),
    added: after.filter((row) => !before.includes(row)),
  };
}

export async function deleteAssignments(
  trx: Knex,
  { kind, id }: AssignmentOwner,
  rows: readonly Assignment[],
): Promise<void> {
  if (rows.length === 0) return;
  await trx.raw(
    `delete from ${kind}_assignments where ${kind}_id = :id
       and (machine_id = any(cast(:machineIds as bigint[]))
         or group_id = any(cast(:groupIds as bigint[])))`,
    {
      id,
      machineIds: rows.flatMap((row) => row.machine_id ?? []),
      groupIds: groupIdsOf(rows),
    },
  );
}

/** In the order of the machines' ids, so that two changes never wait for each other. */
export async function insertAssignments(
  trx: Knex,
  { kind, id }: AssignmentOwner,
  rows: readonly Pick<Assignment, "machine_id" | "group_id">[],
): Promise<void> {
  if (rows.length === 0) return;
  await trx.raw(
    `insert into ${kind}_assignments (${kind}_id, machine_id, group_id)
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

/** What the audit log says of a change: machines, groups, or both. */
export function changeDetails(before: readonly Assignment[], after: readonly Assignment[]) {
  const serials = (rows: readonly Assignment[]) =>
    rows.flatMap((row) => row.serial_number ?? []).sort();
  const groups = (rows: readonly Assignment[]) =>
    rows.flatMap((row) => row.group_name ?? []).sort();
  const { gone, added } = difference(before, after);
  const changed = [...gone, ...added];
  return {
    ...(serials(changed).length > 0 && {
      machines: { from: serials(before), to: serials(after) },
    }),
    ...(groups(changed).length > 0 && { groups: { from: groups(before), to: groups(after) } }),
  };
}

/**
 * The groups that something new will be assigned to, kept until it is.
 * @throws DomainError invalid: one is not there any more
 */
export async function requireGroups(
  trx: Knex.Transaction,
  ids: readonly string[],
): Promise<Pick<Assignment, "machine_id" | "group_id">[]> {
  const kept = await lockGroupsForShare(
    trx,
    ids.filter((id) => parseRecordId(id) !== null),
  );
  if (kept.length < new Set(ids).size)
    throw refusedGroups("A chosen group is not there any more. Nothing was created.");
  return kept.map(({ id }) => ({ machine_id: null, group_id: id }));
}

/**
 * The groups of several generations.
 * @param generationIds as PostgreSQL writes an array
 */
export async function readGroupsOfGenerations(
  knex: Knex,
  generationIds: string,
): Promise<string[]> {
  const { rows } = await knex.raw<Rows<{ group_id: string }>>(
    `select distinct group_id from mass_generation_assignments
     where mass_generation_id = any(cast(:generationIds as bigint[])) and group_id is not null`,
    { generationIds },
  );
  return rows.map((row) => row.group_id);
}
