/** Which machines are in a group. Each change is one audit row; what is so already stays so. */
import { type Database, db, one, query } from "../../db/connection.server";
import { invalidFields } from "../../errors";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { type ActionOptions, runOnce } from "../activity/idempotency.server";
import { lockGroup } from "./machine-groups.server";
import { pasteError, splitEntries, tooManySerials } from "./machine-groups-forms";
import type { Added, Pasted } from "./machine-group";
import { canBeSerial, type MachineChoice } from "./machine";
import { containsPattern, type PageQuery, queryPage } from "../../db/pages.server";
import { requireMachines } from "./machines.server";

export type GroupMemberList = Awaited<ReturnType<typeof listGroupMembers>>;

/** Lists deleted machines too. */
export async function listGroupMembers(
  groupId: string,
  { search = "", ...pageQuery }: { search?: string } & PageQuery,
) {
  const from = `machine_group_members member join machines m on m.id = member.machine_id
    where member.group_id = :groupId
      and (m.serial_number ilike :pattern or m.human_name ilike :pattern)`;
  const { rows, ...list } = await queryPage<MachineChoice & { isDeleted: boolean }>(
    {
      from,
      rows: `select m.serial_number, m.human_name, m.is_deleted from ${from}
        order by m.serial_number limit :perPage offset :offset`,
    },
    { groupId, pattern: containsPattern(search.trim()) },
    pageQuery,
  );
  return { machines: rows, ...list };
}

/** Lists every machine that can be added, by serial number. */
export async function listNonMembers(groupId: string): Promise<MachineChoice[]> {
  return query<MachineChoice>(
    db(),
    `select serial_number, human_name from machines m
     where not is_deleted and not exists (select from machine_group_members member
       where member.group_id = :groupId and member.machine_id = m.id)
     order by serial_number`,
    { groupId },
  );
}

/** @throws DomainError not_found; invalid: a machine is unknown or deleted, and none is added */
export async function addMachines(
  groupId: string,
  serials: readonly string[],
  options: ActionOptions,
): Promise<Added> {
  return runOnce(options, { groupId, added: serials }, async (trx) => {
    const { id } = await lockGroup(trx, groupId);
    const machines = await requireMachines(trx, serials, { consequence: "Nothing was added." });
    return insertMembers(trx, id, machines, options.actor);
  });
}

/**
 * Adds the machines whose serial numbers a text holds, and says what became of every part of it.
 * Unknown entries don't prevent the others from being added.
 * @param pasted apart by lines, tabs, commas, semicolons, and by spaces where no serial number has any
 * @throws DomainError not_found; invalid, about `serials`: nothing in it, or more than 2,000
 */
export async function pasteMachines(
  groupId: string,
  pasted: string,
  options: ActionOptions,
): Promise<Pasted> {
  rejectSerials(pasteError(pasted));
  return runOnce(options, { groupId, pasted }, async (trx) => {
    const { id } = await lockGroup(trx, groupId);
    const { machines, unknown, ambiguous } = await readPasted(trx, pasted);
    rejectSerials(tooManySerials(machines.length + unknown.length + ambiguous.length));
    const deleted = machines.filter((machine) => machine.isDeleted);
    const live = machines.filter((machine) => !machine.isDeleted);
    const added = await insertMembers(trx, id, live, options.actor);
    return { ...added, deleted: deleted.map(serialOf), unknown, ambiguous };
  });
}

function rejectSerials(message: string | null): void {
  if (message !== null) throw invalidFields({ serials: message });
}

const serialOf = ({ serialNumber }: { serialNumber: string }) => serialNumber;

async function readPasted(trx: Database, pasted: string) {
  const serials = possibleSerials(pasted).filter(canBeSerial);
  const matches = await query<KnownMachine & { text: string }>(
    trx,
    `select wanted.text, m.id, m.serial_number, m.is_deleted
     from unnest(cast(:serials as text[])) as wanted (text)
       join machines m on lower(m.serial_number) = lower(wanted.text)`,
    { serials },
  );
  const spaces = await one<{ exist: boolean }>(
    trx,
    "select exists (select from machines where serial_number ~ '\\s') as exist",
  );
  const known = new Map<string, KnownMachine[]>();
  for (const { text, ...machine } of matches)
    known.set(text, [...(known.get(text) ?? []), machine]);
  return readSerials(pasted, known, spaces!.exist);
}

/** Inserts in the order of the machines' ids, so that two changes can't deadlock. */
async function insertMembers(
  trx: Database,
  groupId: string,
  machines: readonly Pick<KnownMachine, "id" | "serialNumber">[],
  actor: Actor,
): Promise<Added> {
  const rows = await query<{ machineId: string }>(
    trx,
    `insert into machine_group_members (group_id, machine_id)
     select :groupId, wanted.id from unnest(cast(:machineIds as bigint[])) as wanted (id)
     order by wanted.id on conflict do nothing returning machine_id`,
    { groupId, machineIds: machines.map((machine) => machine.id) },
  );
  const inserted = new Set(rows.map((row) => row.machineId));
  const added = machines.filter(({ id }) => inserted.has(id)).map(serialOf);
  const alreadyIn = machines.filter(({ id }) => !inserted.has(id)).map(serialOf);
  if (added.length > 0)
    await recordAction(trx, actor, "machine_group.machines_added", groupId, {
      details: { machines_added: { from: null, to: added } },
    });
  return { added, alreadyIn };
}

/** @throws DomainError not_found; invalid: none is named */
export async function removeMachines(
  groupId: string,
  serials: readonly string[],
  options: ActionOptions,
): Promise<{ removed: string[] }> {
  if (serials.length === 0)
    throw invalidFields({ remove: "Choose at least one machine to remove" });
  return runOnce(options, { groupId, removed: serials }, async (trx) => {
    const { id } = await lockGroup(trx, groupId);
    const rows = await query<{ serialNumber: string }>(
      trx,
      `delete from machine_group_members member using machines m
       where member.group_id = :id and m.id = member.machine_id
         and m.serial_number = any(cast(:serials as text[]))
       returning m.serial_number`,
      { id, serials: serials.filter(canBeSerial) },
    );
    const removed = rows.map(serialOf).sort();
    if (removed.length > 0)
      await recordAction(trx, options.actor, "machine_group.machines_removed", id, {
        details: { machines_removed: { from: removed, to: null } },
      });
    return { removed };
  });
}

export type KnownMachine = { id: string; serialNumber: string; isDeleted: boolean };

/** The outcome of each text: it is in exactly one of these lists, in the order of the paste. */
type ReadSerials = {
  machines: KnownMachine[];
  unknown: string[];
  /** Written in other cases, several machines have this serial number. */
  ambiguous: string[];
};

const lineEnds = /[\r\n]/;
const separators = /[\t,;]/;

/** Returns all texts that may be a serial number, whichever way the paste is taken apart. */
export function possibleSerials(pasted: string): string[] {
  const found = new Set<string>();
  for (const line of splitEntries(pasted, lineEnds)) {
    found.add(line);
    for (const part of splitEntries(line, separators)) {
      found.add(part);
      for (const piece of part.split(/\s+/)) found.add(piece);
    }
  }
  return [...found];
}

/**
 * Takes the text apart as far as it has to: a line that is a serial number is one, whatever is in
 * it; then tabs, commas and semicolons separate, and at last spaces.
 * @param known by each possible serial number, the machines that have it in whatever case
 * @param mayHoldSpaces some serial numbers do: then spaces separate only what is known on each side
 */
export function readSerials(
  pasted: string,
  known: ReadonlyMap<string, readonly KnownMachine[]>,
  mayHoldSpaces: boolean,
): ReadSerials {
  const machines = new Map<string, KnownMachine>();
  const [unknown, ambiguous] = [new Set<string>(), new Set<string>()];
  const isKnown = (text: string) => meant(text, known) !== "unknown";
  const take = (text: string) => {
    const found = meant(text, known);
    if (found === "unknown") unknown.add(text);
    else if (found === "ambiguous") ambiguous.add(text);
    else machines.set(found.id, found);
  };
  for (const line of splitEntries(pasted, lineEnds)) {
    for (const part of isKnown(line) ? [line] : splitEntries(line, separators)) {
      const pieces = part.split(/\s+/);
      const isOne = isKnown(part) || (mayHoldSpaces && !pieces.every(isKnown));
      for (const text of isOne ? [part] : pieces) take(text);
    }
  }
  return { machines: [...machines.values()], unknown: [...unknown], ambiguous: [...ambiguous] };
}

/** Finds the exact serial number, otherwise the only one that differs in case. */
function meant(
  text: string,
  known: ReadonlyMap<string, readonly KnownMachine[]>,
): KnownMachine | "unknown" | "ambiguous" {
  const machines = known.get(text) ?? [];
  const exact = machines.find((machine) => machine.serialNumber === text);
  if (exact) return exact;
  // One that was deleted may have come back in another case.
  const live = machines.filter((machine) => !machine.isDeleted);
  const [one, ...others] = live.length > 0 ? live : machines;
  if (!one) return "unknown";
  return others.length === 0 ? one : "ambiguous";
}
