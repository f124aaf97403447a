/** Machines of many codes, changed set by set. Callers hold the locks of the rows. */
import { one, query, type Database } from "../../../db/connection.server";
import { DomainError } from "../../../errors";
import { addToSets, copySets, removeFromSets } from "../../assignments/assignments.server";

/** More assignments than this in one transaction would block everybody else for too long. */
const maxAssignments = 2_500_000;

/** Whether the machine `wanted.id` is directly assigned to the code `p`. */
const isAssignedSql = `exists (select from assignments a
  where a.set_id = p.set_id and a.machine_id = wanted.id)`;
const wantedSql = "unnest(cast(:machineIds as bigint[])) as wanted (id)";

/** Whether a code `p` lacks one of the machines, or has one of them. */
export const lacksSql = `exists (select from ${wantedSql} where not ${isAssignedSql})`;
export const hasSomeSql = `exists (select from ${wantedSql} where ${isAssignedSql})`;

/**
 * Limits the work before anything is compared.
 * @throws DomainError invalid, about the machines
 */
export function refuseTooManyAssignments(codes: number, machines: number): void {
  if (codes * machines <= maxAssignments) return;
  const message =
    "That is too much for one action: choose fewer machines, or fewer codes. Nothing was changed.";
  throw new DomainError("invalid", message, { machines: message });
}

export type MachineChange = {
  /** Ids of one machine or more, as PostgreSQL writes an array. */
  machineIds: string;
  isAdding: boolean;
};

/**
 * Changes the sets of generations whose codes are all among the ids, which takes effect for all of
 * them at once. Deleted codes don't count.
 * @param ids of the codes, as PostgreSQL writes an array
 * @returns the ids of those sets, as PostgreSQL writes an array
 * @throws DomainError invalid: the other codes would get too many assignments of their own
 */
export async function changeWholeSets(
  trx: Database,
  ids: string,
  change: MachineChange,
): Promise<string> {
  const row = await one<{ wholeSets: string[]; copied: string }>(
    trx,
    `with shared as (
       select g.set_id, count(*) as codes, count(*) = (select count(*) from promotions other
         where other.set_id = g.set_id and not other.is_deleted) as is_whole
       from promotions p join mass_generations g on g.set_id = p.set_id
       where p.id = any(cast(:ids as bigint[])) group by g.set_id)
     select coalesce(array_agg(set_id) filter (where is_whole), '{}') as whole_sets,
       coalesce(sum(codes * (select count(*) from assignments a where a.set_id = shared.set_id))
         filter (where not is_whole), 0) as copied
     from shared`,
    { ids },
  );
  const { wholeSets, copied } = row!;
  refuseTooManyAssignments(Number(copied), 1);
  await changeSets(trx, wholeSets, change);
  await query(
    trx,
    "update mass_generations set version = version + 1 where set_id = any(cast(:wholeSets as bigint[]))",
    { wholeSets },
  );
  return `{${wholeSets.join()}}`;
}

/**
 * Adds machines to codes or removes them: to the sets of codes that have one of their own, and to
 * copies for codes that share the set of their generation with others.
 * @param wholeSets the result of `changeWholeSets`; codes with these sets only get a new version
 */
export async function changeMachines(
  trx: Database,
  ids: string,
  { wholeSets, ...change }: MachineChange & { wholeSets: string },
): Promise<void> {
  const codes = await query<{ id: string; setId: string; isShared: boolean }>(
    trx,
    `select p.id, p.set_id, g.id is not null as is_shared
     from promotions p left join mass_generations g on g.set_id = p.set_id
     where p.id = any(cast(:ids as bigint[])) and p.set_id <> all(cast(:wholeSets as bigint[]))
     order by p.id`,
    { ids, wholeSets },
  );
  const leaving = codes.filter(({ isShared }) => isShared);
  const newSets =
    leaving.length === 0
      ? []
      : await copySets(
          trx,
          leaving.map(({ setId }) => setId),
        );
  const ownSets = codes.filter(({ isShared }) => !isShared).map(({ setId }) => setId);
  await changeSets(trx, [...ownSets, ...newSets], change);
  await query(
    trx,
    `update promotions p set set_id = coalesce(own.set_id, p.set_id), version = version + 1,
       updated_at = now()
     from unnest(cast(:ids as bigint[])) as changed (id)
       left join unnest(cast(:leavingIds as bigint[]), cast(:newSets as bigint[]))
         as own (id, set_id) using (id)
     where p.id = changed.id`,
    { ids, leavingIds: leaving.map(({ id }) => id), newSets },
  );
}

function changeSets(
  trx: Database,
  setIds: readonly string[],
  { machineIds, isAdding }: MachineChange,
): Promise<void> {
  const targets = machineIds
    .slice(1, -1)
    .split(",")
    .map((machineId) => ({ machineId, groupId: null }));
  return (isAdding ? addToSets : removeFromSets)(trx, setIds, targets);
}
