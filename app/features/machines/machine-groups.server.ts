/** Groups of machines: read, made and edited. What is in them is in group-members.server.ts. */
import type { Knex } from "knex";
import { db } from "../../db/connection.server";
import { DomainError } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { storeResult, claimIdempotencyKey } from "../activity/idempotency.server";
import type { GroupChoice, GroupKind, MachineGroup } from "./machine-group";
import type { GroupEdit, GroupValues } from "./machine-groups-forms";

type Rows<Row> = { rows: Row[] };

export type GroupOptions = { actor: Actor };

type GroupRow = {
  id: string;
  name: string;
  kind: GroupKind;
  version: number;
  created_at: Date;
  live: number;
  deleted: number;
  promotions: number;
  generations: number;
  codes: number;
};

/** Counts for the groups `g`; of what they are assigned to, only what is not deleted. */
const groupColumns = `
  g.id, g.name, g.kind, g.version, g.created_at, members.live, members.deleted,
  (select count(*)::integer from promotion_assignments a join promotions p on p.id = a.promotion_id
     where a.group_id = g.id and p.has_own_machines and not p.is_deleted) as promotions,
  of_generations.generations, of_generations.codes`;
const groupCounts = `
  cross join lateral (
    select count(*) filter (where not m.is_deleted)::integer as live,
      count(*) filter (where m.is_deleted)::integer as deleted
    from machine_group_members member join machines m on m.id = member.machine_id
    where member.group_id = g.id
  ) members
  cross join lateral (
    select count(*)::integer as generations, coalesce(sum(b.num_codes), 0)::integer as codes
    from mass_generation_assignments a join mass_generations b on b.id = a.mass_generation_id
    where a.group_id = g.id and not b.is_deleted
  ) of_generations`;

function toGroup(row: GroupRow): MachineGroup {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    version: row.version,
    createdAt: row.created_at,
    machines: { live: row.live, deleted: row.deleted },
    assigned: { promotions: row.promotions, generations: row.generations, codes: row.codes },
  };
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
  /** Of those that match. */
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
  const counted = await db().raw<Rows<{ total: number }>>(
    "select count(*)::integer as total from machine_groups where name ilike :pattern",
    { pattern },
  );
  const { total } = counted.rows[0]!;
  const page = Math.min(asked, Math.max(1, Math.ceil(total / perPage)));
  const { rows } = await db().raw<Rows<GroupRow>>(
    `with g as materialized (
       select * from machine_groups where name ilike :pattern
       order by lower(name), id limit :perPage offset :offset
     )
     select ${groupColumns} from g ${groupCounts} order by lower(g.name), g.id`,
    { pattern, perPage, offset: (page - 1) * perPage },
  );
  return { groups: rows.map(toGroup), total, page };
}

/** Every group, by name, with the machines that the platform lists. */
export async function listGroupChoices(): Promise<GroupChoice[]> {
  const { rows } = await db().raw<Rows<GroupChoice>>(
    `select g.id, g.name, g.kind, count(m.id)::integer as "machineCount"
     from machine_groups g
       left join machine_group_members member on member.group_id = g.id
       left join machines m on m.id = member.machine_id and not m.is_deleted
     group by g.id order by lower(g.name), g.id`,
  );
  return rows;
}

/**
 * @param id as it came in a URL
 * @throws DomainError not_found
 */
export async function getMachineGroup(id: string): Promise<MachineGroup> {
  const { rows } = await db().raw<Rows<GroupRow>>(
    `select ${groupColumns} from machine_groups g ${groupCounts} where g.id = :groupId`,
    { groupId: parseGroupId(id) },
  );
  if (!rows[0]) throw groupNotFound();
  return toGroup(rows[0]);
}

/**
 * Makes a group without machines.
 * @param values that passed the rules of machine-groups-forms.ts
 * @throws DomainError invalid: the name is taken; conflict: the key was used for something else
 */
export async function createMachineGroup(
  values: GroupValues,
  { actor, idempotencyKey }: { actor: Actor; idempotencyKey: string | null },
): Promise<{ id: string; wasReplayed: boolean }> {
  return db().transaction(async (trx) => {
    const claim = idempotencyKey === null ? null : { userId: actor.id, key: idempotencyKey };
    const earlier = claim && (await claimIdempotencyKey(trx, { ...claim, input: values }));
    if (earlier) return { id: String(earlier.machineGroupId), wasReplayed: true };

    const { rows } = await trx.raw<Rows<{ id: string }>>(
      `insert into machine_groups (name, kind) values (:name, :kind)
       on conflict (lower(name)) do nothing returning id`,
      values,
    );
    if (!rows[0]) throw nameTaken();
    const { id } = rows[0];
    await recordAction(trx, {
      actor,
      action: "machine_group.created",
      subjectType: "machine_group",
      subjectId: id,
      details: values,
    });
    if (claim) await storeResult(trx, { ...claim, result: { machineGroupId: id } });
    return { id, wasReplayed: false };
  });
}

/**
 * Changes name and kind.
 * @param edit values that passed the rules of machine-groups-forms.ts. The same a second time is no
 *   conflict.
 * @throws DomainError not_found; invalid: the name is taken; conflict: somebody was faster
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
      const taken = await trx("machine_groups")
        .whereRaw("lower(name) = lower(?) and id <> ?", [name, held.id])
        .first("id");
      if (taken) throw nameTaken();
      await trx.raw(
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
      // Two groups take the same name at the same moment: the unique index is the judge.
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
 * One change at a time for a group. Whoever assigns it meanwhile doesn't wait, unless it goes away.
 * @throws DomainError not_found
 */
export async function lockGroup(
  trx: Knex.Transaction,
  id: string,
  lock: "no key update" | "update" = "no key update",
): Promise<HeldGroup> {
  const { rows } = await trx.raw<Rows<HeldGroup>>(
    `select id, name, kind, version from machine_groups where id = :groupId for ${lock}`,
    { groupId: parseGroupId(id) },
  );
  if (!rows[0]) throw groupNotFound();
  return rows[0];
}

/**
 * Keeps groups from going away until the transaction ends. Everything that will assign them does
 * this before it locks a promotion or a generation: a deletion locks the group first, too, so that
 * the two never wait for each other.
 * @param ids those that are gone already are passed over
 */
export async function lockGroupsForShare(
  trx: Knex.Transaction,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return ids.length === 0 ? [] : lockToKeep(trx, ids, "");
}

/**
 * The same when something is locked already, for groups that it turned out to have: nothing may be
 * waited for then, so where one can't be had at once the transaction begins again.
 */
export async function tryLockGroupsForShare(
  trx: Knex.Transaction,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const kept = await lockToKeep(trx, ids, "skip locked");
  if (kept.length < ids.length) throw new GroupLockConflict();
}

async function lockToKeep(trx: Knex.Transaction, ids: readonly string[], wait: "" | "skip locked") {
  const { rows } = await trx.raw<Rows<{ id: string; name: string }>>(
    `select id, name from machine_groups where id = any(cast(:ids as bigint[]))
     order by id for key share ${wait}`,
    { ids: [...ids] },
  );
  return rows;
}

class GroupLockConflict extends Error {}
const maxAttempts = 5;

/** A transaction that keeps groups, and begins again when they move while it is getting its locks. */
export async function withGroupLocks<Result>(
  work: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db().transaction(work);
    } catch (cause) {
      if (!(cause instanceof GroupLockConflict)) throw cause;
      if (attempt === maxAttempts)
        throw new DomainError("unavailable", "The machine groups are being changed. Try again.");
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
  const sentence = "Another group has this name";
  return new DomainError("invalid", sentence, { name: sentence });
}
