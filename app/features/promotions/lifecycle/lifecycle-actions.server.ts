/**
 * Lifecycle actions as data. An action means the same for a single promotion, for a whole mass
 * generation and for a selection of codes.
 *
 * The SQL is about a row `p` of promotions and the row `g` of its mass generation (all null for a
 * single promotion). For a generation as a whole, `p` stands for the generation itself. It may read
 * `requested`, with the end of the day and the times that were chosen, and `locked_at.at`, the time when the rows
 * were locked.
 */
import type { Knex } from "knex";
import { one, query } from "../../../db/connection.server";
import { siteTimeZone } from "../../../db/site.server";
import { forbidden } from "../../../errors";
import type { Role } from "../../sign-in/user";
import { clockBindings, clockSql, timesSql } from "../promotion-sql.server";
import { endOfDaySql, startSql, timesBindings, timesChanges } from "../times.server";
import { noTimes, type StoredTimes, toCampaignTimes } from "../schedule";
import type { ActionValues } from "./action-values";
import { isForAdmins, type LifecycleAction } from "./bulk-actions";
import type { Refusal, RefusalCode } from "./refusals.server";
import { targetRule } from "./target-changes.server";

type ActionRule = {
  /** Last part of the audited action's name. */
  auditName: string | ((values: ActionValues) => string);
  /** Whether one code of a mass generation stands for all of them. */
  coversGeneration: boolean;
  /** The first whose condition holds decides. */
  refusals: Refusal[];
  /** Holds when nothing is left to do. */
  done: Refusal;
  /**
   * Set if the action changes a generation `g` of which all codes are selected: whether it can change as a whole, and
   * which codes `p` then follow.
   */
  whole?: { generation: string; codes: string };
  /** Assignments of columns that codes and generations share. */
  set: string;
  /** Assignments of columns that only codes have. */
  setOnCode?: string;
  /** Replaces `set` for a generation whose codes have no such columns of their own. */
  setOnGeneration?: string;
  /** Whether the row of the generation says what the action wants. */
  isOnGeneration: string;
  /** Runs once for all codes before the first of them changes. */
  prepare?: (trx: Knex.Transaction, ids: string, values: ActionValues) => Promise<ActionValues>;
  /** Replaces `set` where more than the code's row changes. */
  apply?: (trx: Knex.Transaction, ids: string, values: ActionValues) => Promise<void>;
  /** Describes the change in the audit log. */
  details: (trx: Knex.Transaction, ids: string, values: ActionValues) => Promise<object> | object;
};

/** Whether the code changes together with its whole generation. */
export const isWholeSql =
  "coalesce(p.mass_generation_id = any(cast(:generationIds as bigint[])), false)";

/** Codes follow their generation also while its deletion or restoration is being carried over, or is still to come. */
const deleted: Refusal = ["deleted", `(p.is_deleted or g.is_deleted) and not ${isWholeSql}`];
const common = { coversGeneration: false, refusals: [deleted] };

/** @param done the refusal of a code whose flag has the value already */
function setFlag(column: "is_active" | "is_deleted", value: boolean, done: RefusalCode) {
  const isSet = (row: "p" | "g") => `${value ? "" : "not "}${row}.${column}`;
  return {
    done: [done, isSet("p")] satisfies Refusal,
    set: `${column} = ${value}`,
    isOnGeneration: isSet("g"),
    details: () => ({ [column]: { from: !value, to: value } }),
  };
}

/** Whether a row has the start and the hours that were requested, as far as they change. */
function hasTimesSql(row: string): string {
  return `(select (not changes_start or ${row}.starts_at is not distinct from requested.starts_at)
      and (not changes_hours or (${row}.open_minutes is not distinct from requested.open_minutes
        and ${row}.closed_on is not distinct from requested.closed_on)) from requested)`;
}

/** Assigns those that change. @param condition of rows that have times of their own */
function timesAssignments(row: string, condition = "true"): string {
  const assign = (column: string, flag: string) =>
    `${column} = (select case when ${condition} and ${flag} then requested.${column} else ${row}.${column} end
      from requested)`;
  return [
    assign("starts_at", "changes_start"),
    assign("open_minutes", "changes_hours"),
    assign("closed_on", "changes_hours"),
  ].join(", ");
}

/** Detaches a restored row from an import that was undone, so that the same file no longer restores it (RULES I4). */
function detachFromImportSql(row: "p" | "g", condition = "true"): string {
  return `import_id = case when ${condition} and exists (select from imports undone
      where undone.id = ${row}.import_id and undone.state in ('undoing', 'undone'))
    then -${row}.import_id else ${row}.import_id end`;
}

export const actionRules: Record<LifecycleAction, ActionRule> = {
  deactivate: {
    ...common,
    auditName: "deactivated",
    whole: { generation: "g.is_active", codes: "p.is_active" },
    ...setFlag("is_active", false, "already_inactive"),
  },
  reactivate: {
    auditName: "reactivated",
    coversGeneration: false,
    whole: { generation: "not g.is_active", codes: "not p.is_active" },
    refusals: [deleted, ["inactive_campaign", `not g.is_active and not ${isWholeSql}`]],
    ...setFlag("is_active", true, "already_active"),
  },
  rename: {
    ...common,
    auditName: "renamed",
    done: ["already_has_name", "p.name = :name"],
    set: "name = :name",
    isOnGeneration: "g.name = :name",
    details: async (trx, ids, { name }) => ({ name: { from: await readName(trx, ids), to: name } }),
  },
  extend: {
    ...common,
    auditName: "edited",
    whole: {
      generation:
        "coalesce(g.expires_at < (select ends_at from requested), g.expires_at is not null)",
      codes: "not p.has_own_expiration",
    },
    refusals: [
      deleted,
      ["renewable", "p.is_renewable"],
      ["has_own_expiration", `p.has_own_expiration and ${isWholeSql}`],
      ["has_no_expiration", "p.expires_at is null"],
    ],
    done: [
      "already_expires_later",
      `case when p.mass_generation_id is null or p.has_own_expiration or ${isWholeSql} then p.expires_at
        else g.expires_at end >= (select ends_at from requested)`,
    ],
    set: "expires_at = (select ends_at from requested)",
    setOnCode: `has_own_expiration = p.mass_generation_id is not null and not ${isWholeSql}`,
    isOnGeneration: "g.expires_at is not distinct from (select ends_at from requested)",
    details: async (trx, ids, { lastDay }) => ({
      expiration_date: { from: await readLastDays(trx, ids), to: lastDay },
    }),
  },
  assign: { ...common, ...targetRule(true) },
  unassign: { ...common, ...targetRule(false) },
  reschedule: {
    auditName: "edited",
    coversGeneration: true,
    refusals: [
      deleted,
      [
        "expires_before_start",
        "(select starts_at from requested) >= case when g.id is null then p.expires_at else g.expires_at end",
      ],
    ],
    done: [
      "already_has_times",
      `not ${isWholeSql} and (select changes_start or changes_hours from requested) and case
        when p.mass_generation_id is null then ${hasTimesSql("p")}
        else (select ${hasTimesSql("o")} from mass_generations o where o.id = p.mass_generation_id) end`,
    ],
    set: "",
    setOnCode: timesAssignments("p", "p.mass_generation_id is null"),
    setOnGeneration: timesAssignments("g"),
    isOnGeneration: hasTimesSql("g"),
    details: readTimesChanges,
  },
  delete: {
    auditName: "deleted",
    coversGeneration: true,
    refusals: [],
    ...setFlag("is_deleted", true, "already_deleted"),
    set: "is_deleted = true, deleted_at = (select at from locked_at)",
  },
  restore: {
    auditName: "restored",
    coversGeneration: true,
    refusals: [],
    ...setFlag("is_deleted", false, "not_deleted"),
    set: "is_deleted = false, deleted_at = null",
    setOnCode: detachFromImportSql("p", "p.mass_generation_id is null"),
    setOnGeneration: `is_deleted = false, deleted_at = null, ${detachFromImportSql("g")}`,
  },
};

export function auditNameOf(action: LifecycleAction, values: ActionValues): string {
  const { auditName } = actionRules[action];
  return typeof auditName === "string" ? auditName : auditName(values);
}

/** @throws DomainError forbidden */
export function rejectOthersThanAdmins(action: LifecycleAction, { role }: { role?: Role }): void {
  if (isForAdmins(action) && role !== "admin")
    throw forbidden("Only admins can do this now. Ask one of them.");
}

/** Returns the refusal of a code `p`, as SQL; null where it changes. */
export function refusalSql(action: LifecycleAction, more: Refusal[]): string {
  const { refusals, done } = actionRules[action];
  const cases = [...more, ...refusals, done].map(
    ([refusal, condition]) => `when ${condition} then '${refusal}'`,
  );
  return `(case ${cases.join(" ")} end)`;
}

/** Returns what keeps a generation from changing as a whole, beyond what keeps its codes. */
export function wholeRefusals(action: LifecycleAction): Refusal[] {
  return actionRules[action].refusals.includes(deleted) ? [["deleted", "g.is_deleted"]] : [];
}

/** Condition of an operation `o` whose codes are to follow. */
export const isPendingSql = "o.started_at is not null and o.done_at is null";

/**
 * Returns what keeps codes out of an action that starts. A generation that is deactivated as a whole leaves codes to
 * earlier deactivations of only these, which have not reached them yet: an undo of its own doesn't bring them back.
 */
export function startRefusals(action: LifecycleAction): Refusal[] {
  if (action !== "deactivate") return [];
  const isPending = `p.id in (
    select p.id from lifecycle_operations o, unnest(o.promotion_ids[o.position + 1 :]) as left_over (id)
      join promotions p on p.id = left_over.id
    where ${isPendingSql} and o.action = 'deactivate'
      and not coalesce(p.mass_generation_id = any(o.generation_ids), false))`;
  return [["already_being_deactivated", `${isWholeSql} and ${isPending}`]];
}

/**
 * Another action on the generation came between the codes of this one. A deactivation that was undone has ended also if
 * its generation was deactivated again since. `:startedAt` is the start of the operation, null at the start itself.
 */
export function meanwhileRefusal(action: LifecycleAction): Refusal {
  const { isOnGeneration } = actionRules[action];
  const isAgain = `g.id in (select unnest(o.generation_ids) from lifecycle_operations o
    where o.action = 'deactivate' and o.started_at > cast(:startedAt as timestamptz))`;
  const isChanged = `not (${isOnGeneration}) ${action === "deactivate" ? `or ${isAgain}` : ""}`;
  return ["changed_campaign", `${isWholeSql} and (${isChanged})`];
}

/** CTEs that the SQL of the actions reads. The time is taken when the statement runs. */
export const actionContextSql = `locked_at as materialized (select clock_timestamp() as at),
  requested as materialized (
    select ${endOfDaySql} as ends_at,
      cast(:changesStart as boolean) as changes_start, ${startSql} as starts_at,
      cast(:changesHours as boolean) as changes_hours, cast(:openMinutes as int4multirange) as open_minutes,
      cast(:closedOn as date[]) as closed_on)`;

export function actionBindings(
  { machines: _machines, groups: _groups, times, ...values }: ActionValues,
  generationIds: string,
) {
  return {
    ...values,
    generationIds,
    ...timesBindings({ ...noTimes, ...times }),
    changesStart: times?.startsAt !== undefined,
    changesHours: times?.schedule !== undefined,
  };
}

/** Returns the changes of the start and the hours of campaigns that have the same ones; else only the new ones. */
async function readTimesChanges(trx: Knex.Transaction, ids: string, { times }: ActionValues) {
  const rows = await query<{ times: StoredTimes }>(
    trx,
    `with ${clockSql} select distinct ${timesSql} as times
     from promotions p where p.id = any(cast(:ids as bigint[])) limit 2`,
    { ...clockBindings(), ids },
  );
  return timesChanges(rows.length === 1 ? toCampaignTimes(rows[0]!.times) : null, times ?? {});
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
