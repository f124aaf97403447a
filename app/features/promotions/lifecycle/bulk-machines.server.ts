/** Machines of many codes at once, changed set by set. Callers hold the locks of the rows. */
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

type MachineChange = {
  /** Ids of the codes and of one machine or more, as PostgreSQL writes an array. */
  ids: string;
  machineIds: string;
  isAdding: boolean;
};

/**
 * Adds machines to codes or removes them. A set changes as it is when all its codes are among the
 * ids; otherwise those codes leave it for copies of their own.
 */
export async function changeMachines(
  trx: Database,
  { ids, machineIds, isAdding }: MachineChange,
): Promise<void> {
  const wholeSets = await findWholeSets(trx, ids);
  const newSets = await leaveSharedSets(trx, ids, wholeSets);
  const targets = machineIds
    .slice(1, -1)
    .split(",")
    .map((machineId) => ({ machineId, groupId: null }));
  await (isAdding ? addToSets : removeFromSets)(trx, [...wholeSets, ...newSets], targets);
  await query(
    trx,
    "update mass_generations set version = version + 1 where set_id = any(cast(:wholeSets as bigint[]))",
    { wholeSets },
  );
  await query(
    trx,
    `update promotions set version = version + 1, updated_at = now()
     where id = any(cast(:ids as bigint[]))`,
    { ids },
  );
}

/** Returns the sets of which every code that is not deleted is among the ids. */
async function findWholeSets(trx: Database, ids: string): Promise<string[]> {
  const row = await one<{ sets: string[] }>(
    trx,
    `select coalesce(array_agg(set_id), '{}') as sets from (
       select p.set_id from promotions p where p.id = any(cast(:ids as bigint[]))
       group by p.set_id
       having count(*) = (select count(*) from promotions other
         where other.set_id = p.set_id and not other.is_deleted)) whole`,
    { ids },
  );
  return row!.sets;
}

/** Gives the codes of all other sets copies of their own and returns the ids of those. */
async function leaveSharedSets(
  trx: Database,
  ids: string,
  wholeSets: readonly string[],
): Promise<string[]> {
  const leaving = await one<{ promotionIds: string[]; setIds: string[]; assignments: string }>(
    trx,
    `select coalesce(array_agg(p.id order by p.id), '{}') as promotion_ids,
       coalesce(array_agg(p.set_id order by p.id), '{}') as set_ids,
       coalesce(sum((select count(*) from assignments a where a.set_id = p.set_id)), 0)
         as assignments
     from promotions p
     where p.id = any(cast(:ids as bigint[])) and p.set_id <> all(cast(:wholeSets as bigint[]))`,
    { ids, wholeSets },
  );
  const { promotionIds, setIds, assignments } = leaving!;
  if (promotionIds.length === 0) return [];
  refuseTooManyAssignments(Number(assignments), 1);
  const newSets = await copySets(trx, setIds);
  await query(
    trx,
    `update promotions p set set_id = own.set_id
     from unnest(cast(:promotionIds as bigint[]), cast(:newSets as bigint[])) as own (id, set_id)
     where p.id = own.id`,
    { promotionIds, newSets },
  );
  return newSets;
}
