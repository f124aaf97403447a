/** Groups of machines: read, created and edited. Their members are in group-members.server.ts. */
import type { Knex } from "knex";
import { db, one, query, type Database } from "../../db/connection.server";
import { isMissingReference, violatesConstraint } from "../../db/database-errors.server";
import { runWithRetry } from "../../db/retry.server";
import {
  type DomainError,
  invalidFields,
  notFound,
  requireVersion,
  unavailable,
} from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { changesBetween, recordAction, type Actor } from "../activity/audit-log.server";
import { runOnce, withIdempotency, type ActionOptions } from "../activity/idempotency.server";
import type { GroupChoice, GroupKind, MachineGroup } from "./machine-group";
import type { GroupEdit, GroupValues } from "./machine-groups-forms";
import { containsPattern, type PageQuery, queryPage, namesIn } from "../../db/pages.server";

export type GroupOptions = { actor: Actor };

const groupColumns = `g.id, g.name, g.kind, g.version, members.live, members.deleted`;
const memberCounts = `cross join lateral (
    select count(*) filter (where not m.is_deleted)::integer as live,
      count(*) filter (where m.is_deleted)::integer as deleted
    from machine_group_members member join machines m on m.id = member.machine_id
    where member.group_id = g.id
  ) members`;

type GroupRow = Omit<MachineGroup, "machines"> & MachineGroup["machines"];

function toGroup({ live, deleted, ...group }: GroupRow): MachineGroup {
  return { ...group, machines: { live, deleted } };
}

export async function listMachineGroups({
  search = "",
  ...pageQuery
}: { search?: string } & PageQuery) {
  const { rows, ...list } = await queryPage<GroupRow>(
    {
      from: "machine_groups where name ilike :pattern",
      rows: `with g as materialized (
          select * from machine_groups where name ilike :pattern
          order by lower(name), id limit :perPage offset :offset
        )
        select ${groupColumns} from g ${memberCounts} order by lower(g.name), g.id`,
    },
    { pattern: containsPattern(search.trim()) },
    pageQuery,
  );
  return { groups: rows.map(toGroup), ...list };
}

/** Lists every group by name, with the number of its machines that the platform lists. */
export async function listGroupChoices(): Promise<GroupChoice[]> {
  return query<GroupChoice>(
    db(),
    `select g.id, g.name, g.kind, count(m.id)::integer as machine_count
     from machine_groups g
       left join machine_group_members member on member.group_id = g.id
       left join machines m on m.id = member.machine_id and not m.is_deleted
     group by g.id order by lower(g.name), g.id`,
    {},
    { isPrepared: true },
  );
}

/** @throws DomainError not_found */
export async function getMachineGroup(id: string): Promise<MachineGroup> {
  const row = await one<GroupRow>(
    db(),
    `select ${groupColumns} from machine_groups g ${memberCounts} where g.id = :groupId`,
    { groupId: parseRecordId(id) },
  );
  if (!row) throw groupNotFound();
  return toGroup(row);
}

/** @throws DomainError invalid: the name is taken; conflict: the key was used for something else */
export async function createMachineGroup(
  values: GroupValues,
  { actor, idempotencyKey = null }: ActionOptions,
): Promise<{ id: string; wasReplayed: boolean }> {
  const request = { userId: actor.id, key: idempotencyKey, input: values };
  const { result, wasReplayed } = await withIdempotency(db(), request, async (trx) => {
    const created = await one<{ id: string }>(
      trx,
      `insert into machine_groups (name, kind) values (:name, :kind)
       on conflict (lower(name)) do nothing returning id`,
      values,
    );
    if (!created) throw nameTaken();
    const { id } = created;
    await recordAction(trx, actor, "machine_group.created", id, { details: values });
    return { machineGroupId: id };
  });
  return { id: result.machineGroupId, wasReplayed };
}

/**
 * Changes name and kind. Repeating an edit is no conflict.
 * @throws DomainError not_found; invalid: the name is taken; conflict: the version has moved
 */
export async function editMachineGroup(
  id: string,
  { name, kind, version }: GroupEdit,
  options: ActionOptions,
): Promise<{ changed: boolean }> {
  return runOnce(options, { id, name, kind }, async (trx) => {
    const group = await lockGroup(trx, id);
    const changes = changesBetween(group, { name, kind });
    if (Object.keys(changes).length === 0) return { changed: false };
    requireVersion(group.version, version, "Someone else changed this group");
    await query(
      trx,
      `update machine_groups set name = :name, kind = :kind, version = version + 1,
         updated_at = now() where id = :id`,
      { id: group.id, name, kind },
    ).catch((cause: unknown) => {
      throw violatesConstraint(cause, "machine_groups_name") ? nameTaken() : cause;
    });
    await recordAction(trx, options.actor, "machine_group.edited", group.id, { details: changes });
    return { changed: true };
  });
}

type LockedGroup = { id: string; name: string; kind: GroupKind; version: number };

/**
 * Locks a group, so that its changes wait for each other. Transactions that assign the group wait
 * only for the lock that deletes it.
 * @throws DomainError not_found
 */
export async function lockGroup(
  trx: Database,
  id: string,
  lock: "no key update" | "update" = "no key update",
): Promise<LockedGroup> {
  const group = await one<LockedGroup>(
    trx,
    `select id, name, kind, version from machine_groups where id = :groupId for ${lock}`,
    { groupId: parseRecordId(id) },
  );
  if (!group) throw groupNotFound();
  return group;
}

/**
 * Locks groups against deletion until the transaction ends. A transaction that assigns groups takes
 * these locks before it locks a promotion or a generation, in the same order as a deletion.
 * @returns the groups that exist
 */
export async function lockGroupsForShare(
  trx: Database,
  ids: readonly string[],
  wait: "" | "skip locked" = "",
): Promise<{ id: string; name: string }[]> {
  const possibleIds = ids.filter((id) => parseRecordId(id) !== null);
  if (possibleIds.length === 0) return [];
  return query(
    trx,
    `select id, name from machine_groups where id = any(cast(:possibleIds as bigint[]))
     order by id for key share ${wait}`,
    { possibleIds },
  );
}

/**
 * Locks groups that become known only after a promotion or a generation is locked. Waiting for them
 * could deadlock with a deletion, so `withGroupLocks` begins again when one can't be had at once.
 */
export async function tryLockGroupsForShare(trx: Database, ids: readonly string[]): Promise<void> {
  const locked = await lockGroupsForShare(trx, ids, "skip locked");
  if (locked.length < ids.length) throw new GroupLockConflict(ids);
}

class GroupLockConflict extends Error {
  constructor(readonly groupIds: readonly string[]) {
    super("A group is locked for deletion");
  }
}

/**
 * Runs a transaction that first locks groups. When `tryLockGroupsForShare` meets a group that is
 * being deleted, the transaction begins again and waits for that group at its start. It also begins again when a group was
 * added to a set after those of the set were locked, and is deleted by now.
 * @param work receives those of the groups that exist
 * @throws DomainError unavailable, after five attempts
 */
export async function withGroupLocks<Result>(
  groupIds: readonly string[],
  work: (trx: Knex.Transaction, groups: { id: string; name: string }[]) => Promise<Result>,
): Promise<Result> {
  const ids = new Set(groupIds);
  return runWithRetry(
    () => db().transaction(async (trx) => work(trx, await lockGroupsForShare(trx, [...ids]))),
    {
      maxAttempts: 5,
      isTransient(error) {
        const isConflict = error instanceof GroupLockConflict;
        if (isConflict) for (const id of error.groupIds) ids.add(id);
        return isConflict || isMissingReference(error, "assignments_group_id_fkey");
      },
      exhausted: () => unavailable("The machine groups are being changed. Try again."),
    },
  );
}

function groupNotFound(): DomainError {
  return notFound("Machine group not found");
}

function nameTaken(): DomainError {
  return invalidFields({ name: "A group with this name already exists" });
}

export const groupNames = namesIn("machine_groups", "name");
