/**
 * Changes of what a code is assigned to. A set of machines and groups belongs to one promotion, or to a mass
 * generation and those of its codes that were not edited alone.
 */
import type { Knex } from "knex";
import * as z from "zod/mini";
import { one, type Database } from "../../db/connection.server";
import { conflict, invalidFields, notFound } from "../../errors";
import { parseFields } from "../../forms/form-validator";
import { recordAction } from "../activity/audit-log.server";
import { type ActionOptions, withIdempotency } from "../activity/idempotency.server";
import type { CampaignRef } from "../activity/subject";
import { canBeSerial } from "../machines/machine";
import { requireMachines } from "../machines/machines.server";
import { lockGroupsForShare, withGroupLocks } from "../machines/machine-groups.server";
import {
  addToSets,
  type AssignedTarget,
  copySets,
  createSet,
  groupIdsOf,
  readTargets,
  removeFromSets,
} from "./assignment-sets.server";
import { targetTexts } from "./target-errors";
import { chosenFields, type ChosenTargets, type Target } from "./targets";

/** A promotion or a mass generation, as the feature that owns its row describes it. */
export type AssignmentOwner = {
  kind: CampaignRef["type"];
  /** @throws DomainError not_found; conflict: it is deleted */
  lock: (trx: Database) => Promise<{
    id: string;
    setId: string;
    /** Whether the set is that of the owner's generation, which the owner must leave to change it. */
    isShared: boolean;
    /** Number of codes that a change of the set covers. */
    covered: number;
  }>;
  /** Stores the set, which may be a new one, and moves the version. */
  save: (trx: Database, owner: { id: string; setId: string }) => Promise<void>;
};

type LockedGroup = { id: string; name: string };

export type AssignmentChange = {
  /** Last part of the audited action's name. */
  action: string;
  /** Ids of groups that the change adds. They are locked before the owner. */
  groups: readonly string[];
  apply: (
    trx: Database,
    before: AssignedTarget[],
    groups: LockedGroup[],
  ) => Promise<AssignedTarget[]>;
};

/**
 * Adds machines and groups and leaves what is assigned already.
 * @throws DomainError invalid. Applying the change throws it too, for a machine that is unknown or
 *   deleted and for a group that no longer exists; then nothing is added.
 */
export function addTargets({
  machines = [],
  groups = [],
}: Partial<ChosenTargets>): AssignmentChange {
  const chosen = parseFields(z.object(targetTexts), { machines, groups });
  if (chosenFields(chosen).length === 0)
    throw invalidFields({ machines: "Choose at least one machine." });
  return {
    action: `${chosenFields(chosen).join("_and_")}_added`,
    groups: chosen.groups,
    async apply(trx, before, lockedGroups) {
      const serials = new Set(before.map((target) => target.serialNumber));
      const groupIds = new Set(before.map((target) => target.groupId));
      const missing = {
        machines: chosen.machines.filter((serial) => !serials.has(serial)),
        groups: chosen.groups.filter((id) => !groupIds.has(id)),
      };
      return [...before, ...(await findTargets(trx, missing, lockedGroups, "Nothing was added."))];
    },
  };
}

/**
 * Removes one machine or group; nothing happens when it is not assigned.
 * @throws DomainError when it is applied. not_found: the machine; conflict: it is assigned through
 *   a group
 */
export function removeTarget({ kind, id }: Pick<Target, "kind" | "id">): AssignmentChange {
  const key = kind === "machine" ? "serialNumber" : "groupId";
  return {
    action: `${kind}_removed`,
    groups: [],
    async apply(trx, before) {
      const after = before.filter((target) => target[key] !== id);
      if (kind === "group" || after.length < before.length) return after;
      const machine = await one<{ groupName: string | null }>(
        trx,
        `select (select g.name from machine_group_members member
             join machine_groups g on g.id = member.group_id
             where member.machine_id = m.id and g.id = any(cast(:groupIds as bigint[]))
             order by g.name limit 1) as group_name
         from machines m where m.serial_number = any(cast(:serials as text[]))`,
        { serials: [id].filter(canBeSerial), groupIds: groupIdsOf(before) },
      );
      if (!machine) throw notFound("Machine not found");
      if (machine.groupName === null) return after;
      const reason = `${id} is assigned through the group "${machine.groupName}".`;
      throw conflict(reason);
    },
  };
}

export const removeAll: AssignmentChange = {
  action: "machines_unassigned",
  groups: [],
  apply: async () => [],
};

/**
 * Changes what an owner is assigned to, with one audit row. Changes of one owner wait for each
 * other: groups are locked first, then the owner's row.
 * @returns `covered`: the number of codes that share the changed set
 * @throws DomainError not_found; conflict: the owner is deleted; and what the change throws
 */
export async function changeAssignments(
  owner: AssignmentOwner,
  change: AssignmentChange,
  { actor, idempotencyKey = null }: ActionOptions,
): Promise<{ changed: boolean; covered: number }> {
  const run = async (trx: Knex.Transaction, lockedGroups: LockedGroup[]) => {
    const { id, setId, isShared, covered } = await owner.lock(trx);
    const before = await readTargets(trx, setId);
    const after = await change.apply(trx, before, lockedGroups);
    const [wasThere, staysThere] = [new Set(before), new Set(after)];
    const removed = before.filter((target) => !staysThere.has(target));
    const added = after.filter((target) => !wasThere.has(target));
    if (removed.length === 0 && added.length === 0) return { changed: false, covered: 0 };

    const ownSetId = isShared ? (await copySets(trx, [setId]))[0]! : setId;
    await removeFromSets(trx, [ownSetId], removed);
    await addToSets(trx, [ownSetId], added);
    await owner.save(trx, { id, setId: ownSetId });
    await recordAction(trx, actor, `${owner.kind}.${change.action}`, id, {
      covered,
      details: changeDetails(before, after),
    });
    return { changed: true, covered };
  };
  const request = { userId: actor.id, key: idempotencyKey, input: { action: change.action } };
  return withGroupLocks(change.groups, async (trx, lockedGroups) => {
    const { result } = await withIdempotency(trx, request, () => run(trx, lockedGroups));
    return result;
  });
}

/**
 * Creates the set of something new and locks its groups until the transaction ends.
 * @throws DomainError invalid: a machine that is unknown or deleted, a group that does not exist
 */
export async function createSetFrom(
  trx: Database,
  { machines = [], groups = [] }: Partial<ChosenTargets>,
): Promise<string> {
  const lockedGroups = await lockGroupsForShare(trx, groups);
  const chosen = { machines, groups };
  return createSet(trx, await findTargets(trx, chosen, lockedGroups, "Nothing was created."));
}

/**
 * @param options.withDeleted also finds machines that the platform no longer lists
 * @throws DomainError invalid: a machine that is unknown or deleted, a group that is not locked
 */
export async function findTargets(
  trx: Database,
  { machines, groups }: ChosenTargets,
  lockedGroups: readonly LockedGroup[],
  consequence: string,
  options: { withDeleted?: boolean } = {},
): Promise<AssignedTarget[]> {
  const found = await requireMachines(trx, machines, { consequence, ...options });
  const machineTargets = found.map(({ id: machineId, serialNumber }) => {
    return { machineId, serialNumber, groupId: null, groupName: null };
  });
  const groupTargets = [...new Set(groups)].map((groupId) => {
    const group = lockedGroups.find(({ id }) => id === groupId);
    if (!group) throw invalidFields({ groups: `A chosen group no longer exists. ${consequence}` });
    return { machineId: null, serialNumber: null, groupId, groupName: group.name };
  });
  return [...machineTargets, ...groupTargets];
}

/** Names the machines and the groups before and after a change, as the audit log shows them. */
function changeDetails(before: readonly AssignedTarget[], after: readonly AssignedTarget[]) {
  const difference = (key: "serialNumber" | "groupName") => {
    const [from, to] = [before, after].map((targets) =>
      targets.flatMap((target) => target[key] ?? []).sort(),
    );
    return JSON.stringify(from) === JSON.stringify(to) ? undefined : { from, to };
  };
  // JSON leaves out what is undefined.
  return { machines: difference("serialNumber"), groups: difference("groupName") };
}
