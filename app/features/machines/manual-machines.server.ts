/** Machines that admins add and edit where no platform lists them (RULES M10). */
import { one, query, type Database } from "../../db/connection.server";
import { conflict, invalidFields, notFound, requireVersion } from "../../errors";
import { changesBetween, recordAction } from "../activity/audit-log.server";
import { runOnce, type ActionOptions } from "../activity/idempotency.server";
import type { MachineChoice } from "./machine";
import { platformKind } from "./platform.server";

/**
 * Adds machines, all or none.
 * @throws DomainError invalid: a serial number is taken; conflict: a platform lists the machines
 */
export async function addMachinesByHand(
  machines: readonly MachineChoice[],
  options: ActionOptions,
): Promise<void> {
  await runOnce(options, { machines }, async (trx) => {
    await requireNoPlatform(trx);
    const added = await query<{ id: string; serialNumber: string }>(
      trx,
      `insert into machines (serial_number, human_name, is_manual)
       select serial_number, human_name, true
       from unnest(cast(:serials as text[]), cast(:names as text[])) as listed (serial_number, human_name)
       on conflict (serial_number) do nothing returning id, serial_number`,
      {
        serials: machines.map(({ serialNumber }) => serialNumber),
        names: machines.map(({ humanName }) => humanName),
      },
    );
    const known = new Set(added.map(({ serialNumber }) => serialNumber));
    const taken = machines.filter(({ serialNumber }) => !known.has(serialNumber));
    if (taken.length > 0) throw invalidFields({ machines: takenMessage(taken) });
    const ids = added.map(({ id }) => id);
    await recordAction(trx, options.actor, "machine.added", ids.length === 1 ? ids[0]! : ids);
  });
}

function takenMessage(taken: readonly MachineChoice[]): string {
  const serials = taken.slice(0, 5).map(({ serialNumber }) => serialNumber);
  const more = taken.length > serials.length ? ` and ${taken.length - serials.length} more` : "";
  return `Already here: ${serials.join(", ")}${more}. Nothing was added.`;
}

/** @throws DomainError not_found; conflict: the version has moved, or a platform names the machine */
export async function renameMachine(
  serialNumber: string,
  { humanName, version }: { humanName: string; version: number },
  options: ActionOptions,
): Promise<void> {
  await runOnce(options, { serialNumber, humanName }, async (trx) => {
    const machine = await lockMachine(trx, serialNumber);
    const changes = changesBetween({ name: machine.humanName }, { name: humanName });
    if (Object.keys(changes).length === 0) return;
    requireVersion(machine.version, version, "Someone else changed this machine");
    await query(
      trx,
      `update machines set human_name = :humanName, version = version + 1, updated_at = now()
       where id = :id`,
      { id: machine.id, humanName },
    );
    await recordAction(trx, options.actor, "machine.edited", machine.id, { details: changes });
  });
}

/**
 * Marks a machine as deleted, which then accepts no codes, or brings it back. Repeating it changes nothing. A machine
 * that an admin marks is detached from its import, so that the same file doesn't bring it back after an undo.
 * @throws DomainError not_found; conflict: a platform lists the machine
 */
export async function markMachineDeleted(
  serialNumber: string,
  isDeleted: boolean,
  options: ActionOptions,
): Promise<void> {
  await runOnce(options, { serialNumber, isDeleted }, async (trx) => {
    const { id, ...machine } = await lockMachine(trx, serialNumber);
    if (machine.isDeleted === isDeleted) return;
    await query(
      trx,
      `update machines set is_deleted = :isDeleted, deleted_at = case when :isDeleted then now() end,
         import_id = case when not :isDeleted then import_id end, version = version + 1, updated_at = now()
       where id = :id`,
      { id, isDeleted },
    );
    await recordAction(trx, options.actor, `machine.${isDeleted ? "deleted" : "restored"}`, id);
  });
}

async function lockMachine(trx: Database, serialNumber: string) {
  await requireNoPlatform(trx);
  const machine = await one<{ id: string; humanName: string; version: number; isDeleted: boolean }>(
    trx,
    `select id, human_name, version, is_deleted from machines
     where serial_number = :serialNumber for no key update`,
    { serialNumber },
  );
  if (!machine) throw notFound("Machine not found");
  return machine;
}

async function requireNoPlatform(trx: Database): Promise<void> {
  if ((await platformKind(trx)) !== "none")
    throw conflict("SmartVend lists the machines. Change them there.");
}
