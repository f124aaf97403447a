/** Adds and removes the machines and groups of many codes, set by set. */
import { type Database, one, query } from "../../../db/connection.server";
import { invalidFields } from "../../../errors";
import { addToSets, copySets, removeFromSets } from "../../assignments/assignment-sets.server";
import { chosenFields } from "../../assignments/targets";
import { type ActionValues, noIds, parseIds } from "./action-values";
import type { Refusal } from "./refusals.server";

/** Limits the assignments of one transaction: more would block everybody else for too long. */
const maxAssignments = 2_500_000;

/** Whether the code `p` lacks a target, or has one, of those whose ids are bound under a name. */
const hasTargetSql = (isAssigned: boolean) => {
  const kinds = { machineIds: "machine_id", groupIds: "group_id" };
  const parts = Object.entries(kinds).map(
    ([ids, column]) => `exists (
      select from unnest(cast(:${ids} as bigint[])) as target (id)
      where ${isAssigned ? "" : "not "}exists (select from assignments a
        where a.set_id = p.set_id and a.${column} = target.id))`,
  );
  return `(${parts.join(" or ")})`;
};

/** Whether the code `p` has changed with its whole generation; it can have been edited alone since. */
const isCoveredSql = `((p.set_id = any(cast(:wholeSets as bigint[]))
  or p.set_id > cast(:lastSet as bigint) and (select s.copied_from = any(cast(:wholeSets as bigint[]))
    from assignment_sets s where s.id = p.set_id)) is true)`;

/** Returns what the rule of an action says that adds targets to codes or removes them. */
export function targetRule(isAdding: boolean) {
  const verb = isAdding ? "added" : "removed";
  // Targets were chosen, and the code has not changed with its generation.
  const isUnchanged = `(:machineIds <> '${noIds}' or :groupIds <> '${noIds}')
    and not ${isCoveredSql} and not ${hasTargetSql(!isAdding)}`;
  return {
    auditName: (values: ActionValues) => `${chosenFields(values).join("_and_")}_${verb}`,
    done: [isAdding ? "already_assigned" : "not_assigned", isUnchanged] satisfies Refusal,
    set: "",
    isOnGeneration: "true",
    prepare: async (trx: Database, ids: string, values: ActionValues) => ({
      ...values,
      wholeSets: await changeWholeSets(trx, ids, values, isAdding),
    }),
    apply: (trx: Database, ids: string, values: ActionValues) =>
      changeTargets(trx, ids, values, isAdding),
    details: (_trx: Database, _ids: string, values: ActionValues) =>
      Object.fromEntries(
        chosenFields(values).map((field) => [
          `${field}_${verb}`,
          isAdding ? { from: null, to: values[field] } : { from: values[field], to: null },
        ]),
      ),
  };
}

/**
 * Changes the sets of generations whose codes are all among the ids, which takes effect for all of
 * them at once. Deleted codes don't count.
 * @param ids of the codes, as PostgreSQL writes an array
 * @returns the ids of those sets, as PostgreSQL writes an array
 * @throws DomainError invalid: the other codes would get too many assignments of their own
 */
async function changeWholeSets(
  trx: Database,
  ids: string,
  values: ActionValues,
  isAdding: boolean,
): Promise<string> {
  await query(
    trx,
    `select from mass_generations where id in (
       select mass_generation_id from promotions where id = any(cast(:ids as bigint[])))
     order by id for update`,
    { ids },
  );
  const row = await one<{ wholeSets: string[]; covered: number; copied: number }>(
    trx,
    `with shared as (
       select g.set_id, count(*) as codes, count(*) = (select count(*) from promotions other
         where other.set_id = g.set_id and not other.is_deleted) as is_whole
       from promotions p join mass_generations g on g.set_id = p.set_id
       where p.id = any(cast(:ids as bigint[])) group by g.set_id)
     select coalesce(array_agg(set_id) filter (where is_whole), '{}') as whole_sets,
       coalesce(sum(codes) filter (where is_whole), 0)::integer as covered,
       coalesce(sum(codes * (select count(*) from assignments a where a.set_id = shared.set_id))
         filter (where not is_whole), 0)::float8 as copied
     from shared`,
    { ids },
  );
  const { wholeSets, covered, copied } = row!;
  const targets = parseIds(values.machineIds).length + parseIds(values.groupIds).length;
  const added = isAdding ? (parseIds(ids).length - covered) * targets : 0;
  if (added + copied > maxAssignments)
    throw invalidFields({
      machines:
        "This is too much for one action, so nothing was changed. Choose fewer codes, machines or groups.",
    });
  await changeSets(trx, wholeSets, values, isAdding);
  await query(
    trx,
    "update mass_generations set version = version + 1 where set_id = any(cast(:wholeSets as bigint[]))",
    { wholeSets },
  );
  return `{${wholeSets.join()}}`;
}

/**
 * Adds targets to codes or removes them: to the sets of codes that have one of their own, and to
 * copies for codes that share the set of their generation with others. Codes that have changed with their generation by
 * `changeWholeSets` only get a new version.
 */
async function changeTargets(
  trx: Database,
  ids: string,
  values: ActionValues,
  isAdding: boolean,
): Promise<void> {
  const codes = await query<{ id: string; setId: string; isShared: boolean }>(
    trx,
    `select p.id, p.set_id, g.id is not null as is_shared
     from promotions p left join mass_generations g on g.set_id = p.set_id
     where p.id = any(cast(:ids as bigint[])) and not ${isCoveredSql}
     order by p.id`,
    { ids, wholeSets: values.wholeSets, lastSet: values.lastSet },
  );
  const leaving = codes.filter(({ isShared }) => isShared);
  const sharedSets = leaving.map(({ setId }) => setId);
  const newSets = await copySets(trx, sharedSets);
  const ownSets = codes.filter(({ isShared }) => !isShared).map(({ setId }) => setId);
  await changeSets(trx, [...ownSets, ...newSets], values, isAdding);
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
  { machineIds, groupIds }: ActionValues,
  isAdding: boolean,
): Promise<void> {
  const targets = [
    ...parseIds(machineIds).map((machineId) => ({ machineId, groupId: null })),
    ...parseIds(groupIds).map((groupId) => ({ machineId: null, groupId })),
  ];
  return (isAdding ? addToSets : removeFromSets)(trx, setIds, targets);
}
