/**
 * Machines and groups of a mass generation after it was made (rulings 3.5): of all its codes but
 * those that were edited alone, which keep their own. One audit row a change.
 */
import type { Knex } from "knex";
import { db } from "../../db/connection.server";
import { DomainError } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { lockGroupsForShare } from "../machines/machine-groups.server";
import { addedAction } from "../promotions/manage-machines/assign-groups.server";
import type { ChangeOptions } from "../promotions/manage-machines/assign-machines.server";
import type { Assigned } from "../assignments/assigned";
import { readAssigned } from "../assignments/assigned.server";
import {
  adding,
  type AssignmentChange,
  changeDetails,
  type Chosen,
  clearing,
  deleteAssignments,
  difference,
  type AssignmentOwner,
  insertAssignments,
  readAssignments,
  removeGroupChange,
  removeMachineChange,
} from "../assignments/assignments.server";
import { recordAction } from "../activity/audit-log.server";

type Rows<Row> = { rows: Row[] };

/** Of the generation itself, and how many codes have machines of their own instead. */
export type GenerationAssigned = Assigned & { ownCodes: number };

/** @param generationId of a generation that exists */
export async function readGenerationAssigned(generationId: string): Promise<GenerationAssigned> {
  const [assigned, ownCodes] = await Promise.all([
    readAssigned({ kind: "mass_generation", id: generationId }),
    countOwnCodes(db(), generationId),
  ]);
  return { ...assigned, ownCodes };
}

async function countOwnCodes(knex: Knex, generationId: string): Promise<number> {
  const { rows } = await knex.raw<Rows<{ codes: number }>>(
    `select count(*)::integer as codes from promotions
     where mass_generation_id = :generationId and has_own_machines`,
    { generationId },
  );
  return rows[0]!.codes;
}

/** `covered`: the codes that share what was changed. */
export type GenerationChange = { changed: boolean; covered: number };

/**
 * Adds machines and groups; what is assigned already stays.
 * @throws DomainError not_found; conflict: the generation is deleted; invalid: nothing chosen, or
 *   something that is not available, and then nothing is added
 */
export async function assignToGeneration(
  id: string,
  chosen: Chosen,
  options: ChangeOptions,
): Promise<GenerationChange> {
  return changeGeneration(id, addedAction(chosen), options, adding(chosen));
}

/**
 * Removes one machine; nothing happens when it is not assigned.
 * @throws DomainError not_found: the generation or the machine; conflict: the generation is deleted,
 *   or the machine is assigned with its group
 */
export async function unassignMachineFromGeneration(
  id: string,
  serial: string,
  options: ChangeOptions,
): Promise<GenerationChange> {
  return changeGeneration(id, "machine_removed", options, removeMachineChange(serial));
}

/**
 * Removes one group; nothing happens when it is not assigned.
 * @throws DomainError not_found: the generation; conflict: it is deleted
 */
export async function unassignGroupFromGeneration(
  id: string,
  groupId: string,
  options: ChangeOptions,
): Promise<GenerationChange> {
  return changeGeneration(id, "group_removed", options, removeGroupChange(groupId));
}

/**
 * Removes all machines and groups.
 * @throws DomainError not_found: the generation; conflict: it is deleted
 */
export async function unassignAllFromGeneration(
  id: string,
  options: ChangeOptions,
): Promise<GenerationChange> {
  return changeGeneration(id, "machines_unassigned", options, clearing);
}

/** One change at a time for a generation: groups are locked first, then it, then its codes by id. */
async function changeGeneration(
  id: string,
  action: string,
  { actor }: ChangeOptions,
  change: AssignmentChange,
): Promise<GenerationChange> {
  return db().transaction(async (trx) => {
    const kept = await lockGroupsForShare(trx, change.groups);
    const generation = await lockGeneration(trx, id);
    const holder: AssignmentOwner = { kind: "mass_generation", id: generation.id };
    const before = await readAssignments(trx, holder);
    const after = await change.apply(trx, before, kept);
    const { gone, added } = difference(before, after);
    if (gone.length === 0 && added.length === 0) return { changed: false, covered: 0 };

    await deleteAssignments(trx, holder, gone);
    await insertAssignments(trx, holder, added);
    const isAssigned = after.length > 0;
    await trx.raw(
      `update mass_generations set is_assigned = :isAssigned, version = version + 1
       where id = :id`,
      { id: generation.id, isAssigned },
    );
    if (isAssigned !== generation.is_assigned)
      await setCodesAssigned(trx, generation.id, isAssigned);
    const covered = generation.num_codes - (await countOwnCodes(trx, generation.id));
    await recordAction(trx, {
      actor,
      action: `mass_generation.${action}`,
      subjectType: "mass_generation",
      subjectId: generation.id,
      covered,
      details: changeDetails(before, after),
    });
    return { changed: true, covered };
  });
}

type HeldGeneration = { id: string; num_codes: number; is_assigned: boolean; is_deleted: boolean };

async function lockGeneration(trx: Knex, id: string): Promise<HeldGeneration> {
  const generationId = parseRecordId(id);
  const { rows } = generationId
    ? await trx.raw<Rows<HeldGeneration>>(
        `select id, num_codes, is_assigned, is_deleted
         from mass_generations where id = :generationId for update`,
        { generationId },
      )
    : { rows: [] };
  if (!rows[0]) throw new DomainError("not_found", "Error: Mass generation not found");
  if (rows[0].is_deleted)
    throw new DomainError(
      "conflict",
      "This mass generation is deleted. Its machines can't be changed.",
    );
  return rows[0];
}

/** Only when the first comes or the last goes: a hundred thousand rows in a dozen indexes. */
async function setCodesAssigned(
  trx: Knex,
  generationId: string,
  isAssigned: boolean,
): Promise<void> {
  await trx.raw("set local statement_timeout = '60s'");
  await trx.raw(
    `with locked as materialized (
       select id from promotions
       where mass_generation_id = :generationId and not has_own_machines
         and is_assigned <> :isAssigned
       order by id for update
     )
     update promotions p
     set is_assigned = :isAssigned, version = version + 1, updated_at = now()
     from locked where p.id = locked.id`,
    { generationId, isAssigned },
  );
}
