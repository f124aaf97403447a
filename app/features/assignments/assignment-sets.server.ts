/** Sets of machines and groups as rows: reading, creating, copying and changing them. */
import { one, query, type Database } from "../../db/connection.server";
import { tryLockGroupsForShare } from "../machines/machine-groups.server";

/** A machine or a group of a set. */
export type AssignedTarget = {
  machineId: string | null;
  serialNumber: string | null;
  groupId: string | null;
  groupName: string | null;
};

export async function readTargets(database: Database, setId: string): Promise<AssignedTarget[]> {
  return query<AssignedTarget>(
    database,
    `select a.machine_id, m.serial_number, a.group_id, g.name as group_name
     from assignments a
       left join machines m on m.id = a.machine_id
       left join machine_groups g on g.id = a.group_id
     where a.set_id = :setId`,
    { setId },
  );
}

export async function createSet(trx: Database, targets: readonly TargetIds[]): Promise<string> {
  const set = await one<{ id: string }>(
    trx,
    "insert into assignment_sets default values returning id",
  );
  await addToSets(trx, [set!.id], targets);
  return set!.id;
}

/**
 * Locks the mass generations whose sets codes share, so that nothing is removed from these until they are copied. Comes before
 * the locks of the codes. Changes of such a set lock its mass generation for update, which alone conflicts with this; only an
 * import, which adds and copies, takes this lock, too.
 */
export async function lockSharedSets(
  trx: Database,
  promotionIds: string | readonly string[],
): Promise<void> {
  await query(
    trx,
    `select from mass_generations where set_id in (
       select set_id from promotions where id = any(cast(:promotionIds as bigint[])))
     order by id for key share`,
    { promotionIds },
  );
}

/**
 * Locks codes and sets against other changes of what they are assigned to, for a change of many of them in one transaction:
 * redemptions don't wait for these locks. Who changes the set of one code locks that code for update, and such a transaction
 * the sets, too, because these locks of codes don't conflict with each other. Comes after the locks of mass generations.
 * @param codesSql selects the ids of the codes
 * @param setsSql selects the ids of the sets
 */
export async function lockManySets(
  trx: Database,
  { codesSql, setsSql }: Record<"codesSql" | "setsSql", string>,
  bindings: Record<string, string> = {},
): Promise<void> {
  await query(
    trx,
    `select count(*) from (
       select from promotions p where p.id in (${codesSql}) order by p.id for key share) locked`,
    bindings,
  );
  await query(
    trx,
    `select count(*) from (
       select from assignment_sets where id in (${setsSql}) order by id for no key update) locked`,
    bindings,
  );
}

/**
 * Copies sets of generations, with the imports that their assignments came with: undoing one changes the copies, too.
 * `lockSharedSets` comes before.
 * @param setIds one for each copy; the same set may be named several times
 * @returns the ids of the copies, in that order
 */
export async function copySets(trx: Database, setIds: readonly string[]): Promise<string[]> {
  if (setIds.length === 0) return [];
  const groups = await query<{ groupId: string }>(
    trx,
    `select distinct group_id from assignments
     where set_id = any(cast(:setIds as bigint[])) and group_id is not null`,
    { setIds },
  );
  await tryLockGroupsForShare(trx, groupIdsOf(groups));
  const copies = await query<{ id: string }>(
    trx,
    `with copies as materialized (
       select source_id, position,
         nextval(pg_get_serial_sequence('assignment_sets', 'id')) as id
       from unnest(cast(:setIds as bigint[])) with ordinality as sources (source_id, position)
     ), inserted as (
       insert into assignment_sets (id, is_assigned, copied_from) overriding system value
       select copies.id, s.is_assigned, source_id from copies join assignment_sets s on s.id = source_id
     ), copied as (
       insert into assignments (set_id, machine_id, group_id, import_id)
       select copies.id, a.machine_id, a.group_id, a.import_id
       from copies join assignments a on a.set_id = source_id
     )
     select id from copies order by position`,
    { setIds },
  );
  return copies.map(({ id }) => id);
}

type TargetIds = Pick<AssignedTarget, "machineId" | "groupId">;

/** Adds the same targets to sets, in one order, so that two changes never wait for each other. */
export async function addToSets(
  trx: Database,
  setIds: readonly string[],
  targets: readonly TargetIds[],
): Promise<void> {
  if (setIds.length === 0 || targets.length === 0) return;
  await query(
    trx,
    `with added as (
       insert into assignments (set_id, machine_id, group_id)
       select set_id, machine_id, group_id
       from unnest(cast(:setIds as bigint[])) as changed (set_id),
         unnest(cast(:machineIds as bigint[]), cast(:groupIds as bigint[]))
           as targets (machine_id, group_id)
       order by set_id, machine_id, group_id
       on conflict do nothing
     )
     update assignment_sets set is_assigned = true
     where id = any(cast(:setIds as bigint[])) and not is_assigned`,
    { setIds, ...bindingsOf(targets) },
  );
}

export async function removeFromSets(
  trx: Database,
  setIds: readonly string[],
  targets: readonly TargetIds[],
): Promise<void> {
  if (setIds.length === 0 || targets.length === 0) return;
  const bindings = { setIds, ...bindingsOf(targets) };
  await query(
    trx,
    `delete from assignments where set_id = any(cast(:setIds as bigint[]))
       and (machine_id = any(cast(:machineIds as bigint[]))
         or group_id = any(cast(:groupIds as bigint[])))`,
    bindings,
  );
  await query(
    trx,
    `update assignment_sets s set is_assigned = false
     where s.id = any(cast(:setIds as bigint[])) and s.is_assigned
       and not exists (select from assignments a where a.set_id = s.id)`,
    bindings,
  );
}

function bindingsOf(targets: readonly TargetIds[]) {
  return {
    machineIds: targets.map((target) => target.machineId),
    groupIds: targets.map((target) => target.groupId),
  };
}

export function groupIdsOf(targets: readonly Pick<AssignedTarget, "groupId">[]): string[] {
  return targets.flatMap((target) => target.groupId ?? []);
}
