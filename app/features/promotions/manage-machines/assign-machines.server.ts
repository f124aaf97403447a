/** Which machines accept a promotion (rulings 3.5): read and changed, one audit row a change. */
import type { Knex } from "knex";
import { db } from "../../../db/connection.server";
import { DomainError } from "../../../errors";
import { parseRecordId } from "../../../forms/record-id";
import { listMachinesById } from "../../machines/list-machines.server";
import {
  withGroupLocks,
  lockGroupsForShare,
  tryLockGroupsForShare,
} from "../../machines/machine-groups.server";
import type { Machine } from "../../machines/machine";
import { recordAction, type Actor } from "../../activity/audit-log.server";
import { readAssigned } from "../../assignments/assigned.server";
import type { AssignedGroup, Effective } from "../../assignments/assigned";
import {
  adding,
  type Assignment,
  type AssignmentChange,
  changeDetails,
  clearing,
  deleteAssignments,
  difference,
  groupIdsOf,
  type AssignmentOwner,
  insertAssignments,
  readAssignments,
  removeMachineChange,
} from "../../assignments/assignments.server";

type Rows<Row> = { rows: Row[] };

export type PromotionMachines = {
  /** Assigned by themselves, deleted ones too, by serial number. */
  machines: Machine[];
  /** Assigned as a whole, by name. */
  groups: AssignedGroup[];
  /** Those that accept it, one way or the other. */
  effective: Effective;
  /** They are those of its mass generation; the first change gives the code its own. */
  isShared: boolean;
};

type AssignedPromotion = {
  id: string;
  mass_generation_id: string | null;
  has_own_machines: boolean;
  is_deleted: boolean;
};

/**
 * @param id as it came in a URL
 * @throws DomainError not_found
 */
export async function readPromotionMachines(id: string): Promise<PromotionMachines> {
  const promotion = await findPromotion(db(), id);
  const holder = holderOf(promotion);
  const assignments = await readAssignments(db(), holder);
  const [machines, { groups, effective }] = await Promise.all([
    listMachinesById(assignments.flatMap((row) => row.machine_id ?? [])),
    readAssigned(holder),
  ]);
  return { machines, groups, effective, isShared: !promotion.has_own_machines };
}

export type ChangeOptions = { actor: Actor };

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
  const change = adding({ machines: serials, groups: [] });
  return changePromotion(id, "promotion.machines_added", options, change);
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
  return changePromotion(id, "promotion.machine_removed", options, removeMachineChange(serial));
}

/**
 * Removes all machines and groups.
 * @throws DomainError not_found; conflict: the promotion is deleted
 */
export function unassignAllMachines(
  id: string,
  options: ChangeOptions,
): Promise<{ changed: boolean }> {
  return changePromotion(id, "promotion.machines_unassigned", options, clearing);
}

/**
 * One change at a time for a promotion: its row is locked first, after the groups that it will be
 * assigned to, which is the order everywhere.
 * @throws DomainError not_found; conflict: the promotion is deleted; what the change throws
 */
export async function changePromotion(
  id: string,
  action: string,
  { actor }: ChangeOptions,
  change: AssignmentChange,
): Promise<{ changed: boolean }> {
  return withGroupLocks(async (trx) => {
    const groupIds = [...change.groups, ...(await sharedGroupIds(trx, id))];
    const kept = await lockGroupsForShare(trx, [...new Set(groupIds)]);
    const promotion = await findPromotion(trx, id, "for update");
    if (promotion.is_deleted)
      throw new DomainError(
        "conflict",
        "This promotion is deleted. Its machines can't be changed.",
      );
    const before = await readOwnOrShared(trx, promotion);
    const after = await change.apply(trx, before, kept);
    const { gone, added } = difference(before, after);
    if (gone.length === 0 && added.length === 0) return { changed: false };

    const own: AssignmentOwner = { kind: "promotion", id: promotion.id };
    if (promotion.has_own_machines) await deleteAssignments(trx, own, gone);
    // What a code shared with its generation becomes its own.
    await insertAssignments(trx, own, promotion.has_own_machines ? added : after);
    await trx.raw(
      `update promotions set is_assigned = :isAssigned, has_own_machines = true,
         version = version + 1, updated_at = now() where id = :id`,
      { id: promotion.id, isAssigned: after.length > 0 },
    );
    await recordAction(trx, {
      actor,
      action,
      subjectType: "promotion",
      subjectId: promotion.id,
      details: changeDetails(before, after),
    });
    return { changed: true };
  });
}

/** Groups that the code shares with its generation, and takes along when it gets machines of its own. */
async function sharedGroupIds(knex: Knex, id: string): Promise<string[]> {
  const { rows } = await knex.raw<Rows<{ group_id: string }>>(
    `select a.group_id from promotions p join mass_generation_assignments a using (mass_generation_id)
     where p.id = :promotionId and not p.has_own_machines and a.group_id is not null`,
    { promotionId: parseRecordId(id) },
  );
  return rows.map((row) => row.group_id);
}

async function readOwnOrShared(
  trx: Knex.Transaction,
  promotion: AssignedPromotion,
): Promise<Assignment[]> {
  const before = await readAssignments(trx, holderOf(promotion));
  // The generation's may have changed since they were looked up.
  if (!promotion.has_own_machines) await tryLockGroupsForShare(trx, groupIdsOf(before));
  return before;
}

function holderOf({
  id,
  mass_generation_id,
  has_own_machines,
}: AssignedPromotion): AssignmentOwner {
  return has_own_machines
    ? { kind: "promotion", id }
    : { kind: "mass_generation", id: mass_generation_id! };
}

async function findPromotion(
  knex: Knex,
  id: string,
  lock: "" | "for update" = "",
): Promise<AssignedPromotion> {
  const promotionId = parseRecordId(id);
  const { rows } = promotionId
    ? await knex.raw<Rows<AssignedPromotion>>(
        `select id, mass_generation_id, has_own_machines, is_deleted
         from promotions where id = :promotionId ${lock}`,
        { promotionId },
      )
    : { rows: [] };
  if (!rows[0]) throw new DomainError("not_found", "Error: Promotion not found");
  return rows[0];
}
