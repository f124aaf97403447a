/**
 * Lifecycle actions as data. An action means the same for a single promotion, for a whole mass
 * generation and for a selection of codes.
 *
 * The SQL is about a row `p` of promotions and the row `g` of its mass generation (all null for a
 * single promotion). For a generation as a whole, `p` stands for the generation itself. It may read
 * `wanted.ends_at`, the end of the day that was chosen, and `moment.at`, the time when the rows were
 * locked.
 */
import type { Knex } from "knex";
import { type Database, one, query } from "../../../db/connection.server";
import { siteTimeZone } from "../../../db/site.server";
import { endOfDaySql } from "../promotion-sql.server";
import { invalidFields } from "../../../errors";
import { type TargetField, targetKinds } from "../../assignments/targets";
import { addToSets, copySets, removeFromSets } from "../../assignments/assignments.server";
import type { LifecycleAction } from "./bulk-actions";

/** Values that an action needs, as they are bound in its SQL and stored with an operation. */
export type ActionValues = {
  /** YYYY-MM-DD in the site's zone. */
  lastDay: string | null;
  name: string | null;
  /** Serial numbers of machines and names of groups, and their ids as PostgreSQL writes an array. */
  machines: readonly string[];
  machineIds: string;
  groups: readonly string[];
  groupIds: string;
  /** Sets that changed as a whole before their codes follow, as PostgreSQL writes an array. */
  wholeSets: string;
};

/** A condition under which a code stays as it is, and the reason that people read. */
type Refusal = [condition: string, reason: string];

type ActionRule = {
  /** Last part of the audited action's name. */
  auditName: string | ((values: ActionValues) => string);
  /** Whether one code of a mass generation stands for all of them. */
  coversGeneration: boolean;
  /** The first that holds decides. */
  refusals: Refusal[];
  /** Holds when nothing is left to do. */
  done: Refusal;
  /** Assignments of columns that codes and generations share. */
  set: string;
  /** Assignments of columns that only codes have. */
  setOnCode?: string;
  /** Whether the row of the generation says what the action wants. */
  isOnGeneration: string;
  /** Runs once for all codes before the first of them changes. */
  prepare?: (trx: Knex.Transaction, ids: string, values: ActionValues) => Promise<ActionValues>;
  /** Replaces `set` where more than the code's row changes. */
  apply?: (trx: Knex.Transaction, ids: string, values: ActionValues) => Promise<void>;
  /** Describes the change in the audit log. */
  details: (trx: Knex.Transaction, ids: string, values: ActionValues) => Promise<object> | object;
};

/** Lists of ids stay text that PostgreSQL wrote: 100,000 ids never become objects here. */
export const noIds = "{}";

export function parseIds(ids: string): string[] {
  return ids === noIds ? [] : ids.slice(1, -1).split(",");
}

/** Whether the code changes together with its whole generation. */
const isWholeSql = "coalesce(p.mass_generation_id = any(cast(:generationIds as bigint[])), false)";

const deleted: Refusal = ["p.is_deleted or g.is_deleted", "It is deleted."];
const common = { coversGeneration: false, refusals: [deleted] };

/** More assignments than this in one transaction would block everybody else for too long. */
const maxAssignments = 2_500_000;

/** Whether the code `p` lacks a target, or has one, of those whose ids are bound under a name. */
const hasTargetSql = (isAssigned: boolean) => {
  const kinds = { machineIds: "machine_id", groupIds: "group_id" };
  const parts = Object.entries(kinds).map(
    ([ids, column]) => `exists (
      select from unnest(cast(:${ids} as bigint[])) as wanted (id)
      where ${isAssigned ? "" : "not "}exists (select from assignments a
        where a.set_id = p.set_id and a.${column} = wanted.id))`,
  );
  return `(${parts.join(" or ")})`;
};

/** Holds when targets were chosen and the set of the code has not changed with this action. */
const isComparableSql = `(:machineIds <> '${noIds}' or :groupIds <> '${noIds}')
  and p.set_id <> all(cast(:wholeSets as bigint[]))`;

function targetChange(isAdding: boolean) {
  const verb = isAdding ? "added" : "removed";
  const change = (names: readonly string[]) =>
    isAdding ? { from: null, to: names } : { from: names, to: null };
  return {
    auditName: (values: ActionValues) => `${fieldsOf(values).join("_and_")}_${verb}`,
    set: "",
    isOnGeneration: "true",
    prepare: async (trx: Knex.Transaction, ids: string, values: ActionValues) => ({
      ...values,
      wholeSets: await changeWholeSets(trx, ids, values, isAdding),
    }),
    apply: (trx: Knex.Transaction, ids: string, values: ActionValues) =>
      changeTargets(trx, ids, values, isAdding),
    details: (_trx: Knex.Transaction, _ids: string, values: ActionValues) =>
      Object.fromEntries(
        fieldsOf(values).map((field) => [`${field}_${verb}`, change(values[field])]),
      ),
  };
}

function fieldsOf(values: ActionValues): TargetField[] {
  return targetKinds.map(({ field }) => field).filter((field) => values[field].length > 0);
}

export const actionRules: Record<LifecycleAction, ActionRule> = {
  deactivate: {
    ...common,
    auditName: "deactivated",
    done: ["not p.is_active", "It is already inactive."],
    set: "is_active = false",
    isOnGeneration: "not g.is_active",
    details: () => ({ is_active: { from: true, to: false } }),
  },
  reactivate: {
    ...common,
    auditName: "reactivated",
    refusals: [
      deleted,
      [`not g.is_active and not ${isWholeSql}`, "Its mass generation is inactive."],
    ],
    done: ["p.is_active", "It is already active."],
    set: "is_active = true",
    isOnGeneration: "g.is_active",
    details: () => ({ is_active: { from: false, to: true } }),
  },
  rename: {
    ...common,
    auditName: "renamed",
    done: ["p.name = :name", "It already has this name."],
    set: "name = :name",
    isOnGeneration: "g.name = :name",
    details: async (trx, ids, { name }) => ({ name: { from: await readName(trx, ids), to: name } }),
  },
  extend: {
    ...common,
    auditName: "edited",
    refusals: [
      deleted,
      ["p.is_renewable", "A renewable code has no expiration date."],
      [`p.has_own_expiration and ${isWholeSql}`, "It has its own expiration date."],
      ["p.expires_at is null", "It has no expiration date."],
    ],
    done: [
      "p.expires_at >= (select ends_at from wanted)",
      "It already expires on that day or later.",
    ],
    set: "expires_at = (select ends_at from wanted)",
    setOnCode: `has_own_expiration = p.mass_generation_id is not null and not ${isWholeSql}`,
    isOnGeneration: "g.expires_at is not distinct from (select ends_at from wanted)",
    details: async (trx, ids, { lastDay }) => ({
      expiration_date: { from: await readLastDays(trx, ids), to: lastDay },
    }),
  },
  assign: {
    ...common,
    ...targetChange(true),
    done: [`${isComparableSql} and not ${hasTargetSql(false)}`, "It is already assigned to these."],
  },
  unassign: {
    ...common,
    ...targetChange(false),
    done: [
      `${isComparableSql} and not ${hasTargetSql(true)}`,
      "None of these is assigned to it directly.",
    ],
  },
  delete: {
    ...common,
    auditName: "deleted",
    coversGeneration: true,
    refusals: [],
    done: ["p.is_deleted", "It is already deleted."],
    set: "is_deleted = true, deleted_at = (select at from moment)",
    isOnGeneration: "g.is_deleted",
    details: () => ({ is_deleted: { from: false, to: true } }),
  },
  restore: {
    ...common,
    auditName: "restored",
    coversGeneration: true,
    refusals: [],
    done: ["not p.is_deleted", "It is not deleted."],
    set: "is_deleted = false, deleted_at = null",
    isOnGeneration: "not g.is_deleted",
    details: () => ({ is_deleted: { from: true, to: false } }),
  },
};

export const noValues: ActionValues = {
  lastDay: null,
  name: null,
  machines: [],
  machineIds: noIds,
  groups: [],
  groupIds: noIds,
  wholeSets: noIds,
};

export function auditNameOf(action: LifecycleAction, values: ActionValues): string {
  const { auditName } = actionRules[action];
  return typeof auditName === "string" ? auditName : auditName(values);
}

/** Returns the reason why a code `p` stays as it is; null where it changes. */
export function reasonSql(action: LifecycleAction, more: Refusal[] = []): string {
  const { refusals, done } = actionRules[action];
  const cases = [...more, ...refusals, done].map(
    ([condition, reason]) => `when ${condition} then '${reason}'`,
  );
  return `(case ${cases.join(" ")} end)`;
}

/** Another action on the generation came between the codes of this one. */
export function meanwhileRefusal(action: LifecycleAction): Refusal {
  return [
    `${isWholeSql} and not (${actionRules[action].isOnGeneration})`,
    "Its mass generation was changed in the meantime.",
  ];
}

/** CTEs that the SQL of the actions reads. The time is taken when the statement runs. */
export const actionContextSql = `moment as materialized (select clock_timestamp() as at),
  wanted as materialized (
    select case when cast(:lastDay as date) is not null then ${endOfDaySql} end as ends_at)`;

export function actionBindings(
  { machines: _machines, groups: _groups, ...values }: ActionValues,
  generationIds: string,
) {
  return { ...values, generationIds, timeZone: siteTimeZone() };
}

/** Returns the name that the codes of a mass generation share. */
async function readName(trx: Knex.Transaction, ids: string): Promise<string | null> {
  const row = await one<{ name: string }>(
    trx,
    "select name from promotions where id = any(cast(:ids as bigint[])) limit 1",
    { ids },
  );
  return row?.name ?? null;
}

/** Returns the last valid days of the codes as they are now, ten at most. */
async function readLastDays(trx: Knex.Transaction, ids: string): Promise<string[]> {
  const rows = await query<{ day: string }>(
    trx,
    `select distinct to_char((expires_at - interval '1 microsecond') at time zone :timeZone,
       'YYYY-MM-DD') as day
     from promotions where id = any(cast(:ids as bigint[])) order by 1 limit 10`,
    { ids, timeZone: siteTimeZone() },
  );
  return rows.map((row) => row.day);
}

/** @throws DomainError invalid, about the machines */
export function rejectTooManyAssignments(codes: number, targets: number): void {
  if (codes * targets <= maxAssignments) return;
  throw invalidFields({
    machines:
      "This is too much for one action, so nothing was changed. Choose fewer codes, machines or groups.",
  });
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
  rejectTooManyAssignments(Number(copied), 1);
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
 * copies for codes that share the set of their generation with others. Codes of `wholeSets`, which
 * `changeWholeSets` has changed, only get a new version.
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
     where p.id = any(cast(:ids as bigint[])) and p.set_id <> all(cast(:wholeSets as bigint[]))
     order by p.id`,
    { ids, wholeSets: values.wholeSets },
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
