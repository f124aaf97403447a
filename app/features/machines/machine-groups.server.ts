/** Groups of machines: read, created and edited. Their members are in group-members.server.ts. */
import type { Knex } from "knex";
import { db, one, query, type Database } from "../../db/connection.server";
import { DomainError } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { withIdempotency } from "../activity/idempotency.server";
import type { GroupChoice, GroupKind, MachineGroup } from "./machine-group";
import type { GroupEdit, GroupValues } from "./machine-groups-forms";

export type GroupOptions = { actor: Actor };

/** What `toGroup` reads of a row `g` of machine_groups. */
const groupColumns = `g.id, g.name, g.kind, g.version, g.created_at, members.live, members.deleted`;
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

export type GroupQuery = {
  /** Anywhere in the name, case-insensitive. */
  search?: string;
  /** From 1; a page after the last one is the last one. */
  page: number;
  perPage: number;
};

export type GroupList = {
  groups: MachineGroup[];
  /** Number of matches. */
  total: number;
  page: number;
};

/** Groups by name. There are hundreds at most, so pages are plain offsets. */
export async function listMachineGroups({
  search = "",
  page: asked,
  perPage,
}: GroupQuery): Promise<GroupList> {
  const pattern = `%${search.trim().replace(/[\\%_]/g, "\\$&")}%`;
  const { total } = (await one<{ total: number }>(
    db(),
    "select count(*)::integer as total from machine_groups where name ilike :pattern",
    { pattern },
  ))!;
  const page = Math.min(asked, Math.max(1, Math.ceil(total / perPage)));
  const rows = await query<GroupRow>(
    db(),
    `with g as materialized (
       select * from machine_groups where name ilike :pattern
       order by lower(name), id limit :perPage offset :offset
     )
     select ${groupColumns} from g ${memberCounts} order by lower(g.name), g.id`,
    { pattern, perPage, offset: (page - 1) * perPage },
  );
  return { groups: rows.map(toGroup), total, page };
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
  );
}

/**
 * @param id as a URL names it
 * @throws DomainError not_found
 */
export async function getMachineGroup(id: string): Promise<MachineGroup> {
  const row = await one<GroupRow>(
    db(),
    `select ${groupColumns} from machine_groups g ${memberCounts} where g.id = :groupId`,
    { groupId: parseGroupId(id) },
  );
  if (!row) throw groupNotFound();
  return toGroup(row);
}

/**
 * Creates a group without machines.
 * @param values values that passed the rules of machine-groups-forms.ts
 * @throws DomainError invalid: the name is taken; conflict: the key was used for something else
 */
export async function createMachineGroup(
  values: GroupValues,
  { actor, idempotencyKey }: { actor: Actor; idempotencyKey: string | null },
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
    await recordAction(trx, {
      actor,
      action: "machine_group.created",
      subjectType: "machine_group",
      subjectId: id,
      details: values,
    });
    return { machineGroupId: id };
  });
  return { id: result.machineGroupId, wasReplayed };
}

/**
 * Changes name and kind. Repeating an edit is no conflict.
 * @param edit values that passed the rules of machine-groups-forms.ts
 * @throws DomainError not_found; invalid: the name is taken; conflict: the version has moved
 */
export async function editMachineGroup(
  id: string,
  { name, kind, version }: GroupEdit,
  { actor }: GroupOptions,
): Promise<{ changed: boolean }> {
  return db()
    .transaction(async (trx) => {
      const held = await lockGroup(trx, id);
      const changes = {
        ...(held.name !== name && { name: { from: held.name, to: name } }),
        ...(held.kind !== kind && { kind: { from: held.kind, to: kind } }),
      };
      if (Object.keys(changes).length === 0) return { changed: false };
      if (held.version !== version)
        throw new DomainError(
          "conflict",
          "Somebody changed this group after you opened it. Nothing was changed: the page shows how it is now, the form what you typed. Save again to use what you typed.",
        );
      const taken = await one(
        trx,
        "select 1 from machine_groups where lower(name) = lower(:name) and id <> :id",
        { name, id: held.id },
      );
      if (taken) throw nameTaken();
      await query(
        trx,
        `update machine_groups set name = :name, kind = :kind, version = version + 1,
         updated_at = now() where id = :id`,
        { id: held.id, name, kind },
      );
      await recordAction(trx, {
        actor,
        action: "machine_group.edited",
        subjectType: "machine_group",
        subjectId: held.id,
        details: changes,
      });
      return { changed: true };
    })
    .catch((cause: unknown) => {
      // Concurrent renames can collide; the unique index rejects the second.
      throw isNameTaken(cause) ? nameTaken() : cause;
    });
}

function isNameTaken(cause: unknown): boolean {
  return (
    cause instanceof Error && "constraint" in cause && cause.constraint === "machine_groups_name"
  );
}

type HeldGroup = { id: string; name: string; kind: GroupKind; version: number };

/**
 * Locks a group, so that its changes wait for each other. Transactions that assign the group wait
 * only for the lock that deletes it.
 * @throws DomainError not_found
 */
export async function lockGroup(
  trx: Database,
  id: string,
  lock: "no key update" | "update" = "no key update",
): Promise<HeldGroup> {
  const group = await one<HeldGroup>(
    trx,
    `select id, name, kind, version from machine_groups where id = :groupId for ${lock}`,
    { groupId: parseGroupId(id) },
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
): Promise<{ id: string; name: string }[]> {
  return lockForShare(trx, ids, "");
}

/**
 * Locks groups that become known only after a promotion or a generation is locked. Waiting for them
 * could deadlock with a deletion, so `withGroupLocks` begins again when one can't be had at once.
 */
export async function tryLockGroupsForShare(trx: Database, ids: readonly string[]): Promise<void> {
  const locked = await lockForShare(trx, ids, "skip locked");
  if (locked.length < ids.length) throw new GroupLockConflict(ids);
}

async function lockForShare(trx: Database, ids: readonly string[], wait: "" | "skip locked") {
  const possibleIds = ids.filter((id) => parseRecordId(id) !== null);
  if (possibleIds.length === 0) return [];
  return query<{ id: string; name: string }>(
    trx,
    `select id, name from machine_groups where id = any(cast(:possibleIds as bigint[]))
     order by id for key share ${wait}`,
    { possibleIds },
  );
}

class GroupLockConflict extends Error {
  constructor(readonly groupIds: readonly string[]) {
    super("A group is locked for deletion");
  }
}
const maxAttempts = 5;

/**
 * Runs a transaction that first locks groups. When `tryLockGroupsForShare` meets a group that is
 * being deleted, the transaction begins again and waits for that group at its start.
 * @param work receives those of the groups that exist
 * @throws DomainError unavailable, after five attempts
 */
export async function withGroupLocks<Result>(
  groupIds: readonly string[],
  work: (trx: Knex.Transaction, groups: { id: string; name: string }[]) => Promise<Result>,
): Promise<Result> {
  const ids = new Set(groupIds);
  for (let attempt = 1; ; attempt++) {
    try {
      return await db().transaction(async (trx) =>
        work(trx, await lockGroupsForShare(trx, [...ids])),
      );
    } catch (cause) {
      if (!(cause instanceof GroupLockConflict)) throw cause;
      if (attempt === maxAttempts)
        throw new DomainError("unavailable", "The machine groups are being changed. Try again.");
      for (const id of cause.groupIds) ids.add(id);
    }
  }
}

function parseGroupId(id: string): string {
  const groupId = parseRecordId(id);
  if (!groupId) throw groupNotFound();
  return groupId;
}

function groupNotFound(): DomainError {
  return new DomainError("not_found", "Machine group not found");
}

function nameTaken(): DomainError {
  const message = "Another group has this name";
  return new DomainError("invalid", message, { name: message });
}
