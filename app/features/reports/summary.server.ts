/**
 * The summary of transactions and refused attempts (RULES D1). Rows with ids up to those of `activity_summary`
 * are in its tables; whoever reads the tables adds the younger rows, in the same snapshot.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Knex } from "knex";
import { isArchivedSql, isAtHandSql } from "../../db/archived-months.server";
import { db, one, query, type Database } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import {
  horizonSql,
  isVisibleUpToSql,
  type ReadOutcome,
  readUpToHorizon,
} from "../../db/xmin-horizon.server";
import { countAllCodes, countUses } from "./code-counts.server";
import {
  summaryParts,
  summaryVersion,
  withArchivedSql,
  type SummaryPart,
} from "./summary-sql.server";

type State = {
  version: number;
  lastTransactionId: string;
  lastAttemptId: string;
  hasCodeCounts: boolean;
  /** Whether refused attempts that are in the summary were deleted. */
  keepsRefusals: boolean;
  /** Whether every statement that ran when the horizon was stored has ended; null without one. */
  isVisibleUpTo: boolean | null;
  /** The last transaction and attempt before the horizon. */
  markedTransactionId: string | null;
  markedAttemptId: string | null;
};

type RefreshOptions = {
  /** How many ids are added in one database transaction. */
  chunkSize?: number;
};

/** Bounds the time that a rollback waits for the chunk which is being added. */
const defaultChunkSize = 20_000;

/**
 * Adds the rows to the summary that it lacks, chunk by chunk, and builds it anew when this release counts
 * otherwise. One instance at a time does it; another one, or one of an earlier release, does nothing.
 */
export async function refreshSummary(options: RefreshOptions = {}): Promise<ReadOutcome> {
  return readUpToHorizon({
    // The lock also keeps rollbacks of summarised transactions waiting, and waits for them.
    lockSql: "select from activity_summary for no key update skip locked",
    readLastIds: async () => (await one<LastIds>(db(), lastIdsSql))!,
    run: (trx, ids) => refreshOnce(trx, ids, options),
  });
}

/** Lets the next refresh build the summary from nothing. What is read meanwhile is right, but slow. */
export async function resetSummary(database: Database = db()): Promise<void> {
  await query(database, "update activity_summary set version = 0");
}

export async function rebuildSummary(options: RefreshOptions = {}): Promise<void> {
  await resetSummary();
  while ((await refreshSummary(options)) !== "done") await delay(200);
}

async function refreshOnce(
  trx: Knex.Transaction,
  ids: LastIds,
  { chunkSize = defaultChunkSize }: RefreshOptions,
): Promise<ReadOutcome | "unfinished"> {
  const state = (await one<State>(trx, stateSql))!;
  if (state.version > summaryVersion) return "done";
  if (state.version < summaryVersion) {
    await emptySummary(trx, state);
    return "unfinished";
  }
  if (state.isVisibleUpTo === false) return "waiting";
  if (state.isVisibleUpTo === null) {
    await query(trx, storeHorizonSql, ids);
    return "unfinished";
  }
  return addChunk(trx, state, ids, chunkSize);
}

/** Leaves what archived months summed up to, and the sums of refusals of which some were deleted. */
async function emptySummary(trx: Knex.Transaction, { keepsRefusals }: State): Promise<void> {
  await trx.raw("set local statement_timeout = 0");
  await trx.raw(keepsRefusals ? emptyButRefusalsSql : emptySql);
  for (const part of summaryParts)
    if (!keepsRefusals || part.source !== "attempts")
      await query(trx, addSql(part, withArchivedSql(part, part.rowsSql("false"))), {
        timeZone: siteTimeZone(),
      });
  await query(
    trx,
    `update activity_summary set version = :summaryVersion, last_transaction_id = 0,
       last_attempt_id = case when keeps_refusals then last_attempt_id else 0 end,
       has_code_counts = false, marked_transaction_id = null, marked_attempt_id = null,
       marked_xid = null, marked_at = null`,
    { summaryVersion },
  );
}

const emptySql = `delete from daily_activity; delete from campaign_activity; delete from campaign_years;
  delete from used_up_codes where not ${isArchivedSql("used_at")}`;

const emptyCampaignSql = `redemptions = default, discount = default, first_use = default, last_use = default`;
const emptyButRefusalsSql = `update daily_activity set drinks = default, drink_discount = default,
    percentages = default, percentage_discount = default, by_hour = default;
  update campaign_activity set ${emptyCampaignSql};
  update campaign_years set ${emptyCampaignSql};
  delete from used_up_codes where not ${isArchivedSql("used_at")}`;

/** Once all that ran at the time of the horizon have ended, rows up to the marked ids exist or never will. */
const stateSql = `select version, last_transaction_id, last_attempt_id, has_code_counts, keeps_refusals,
  ${isVisibleUpToSql("marked_xid")} as is_visible_up_to, marked_transaction_id, marked_attempt_id
from activity_summary`;

type LastIds = { transaction: string | null; attempt: string | null };

const lastIdsSql = `select (select max(id) from transactions) as transaction,
  (select max(id) from redemption_attempts) as attempt`;

const storeHorizonSql = `update activity_summary set
  marked_transaction_id = greatest(last_transaction_id, cast(:transaction as bigint)),
  marked_attempt_id = greatest(last_attempt_id, cast(:attempt as bigint)),
  marked_xid = ${horizonSql}, marked_at = clock_timestamp()`;

async function addChunk(
  trx: Knex.Transaction,
  state: State,
  ids: LastIds,
  chunkSize: number,
): Promise<"done" | "unfinished"> {
  const lastTransaction = Math.min(
    Number(state.lastTransactionId) + chunkSize,
    Number(state.markedTransactionId),
  );
  const lastAttempt = Math.min(
    Number(state.lastAttemptId) + chunkSize,
    Number(state.markedAttemptId),
  );
  const bindings = {
    timeZone: siteTimeZone(),
    firstTransaction: state.lastTransactionId,
    lastTransaction,
    firstAttempt: state.lastAttemptId,
    lastAttempt,
  };
  for (const part of summaryParts)
    await query(trx, addSql(part, part.rowsSql(chunkConditions[part.source])), bindings);
  const { lastTransactionId, hasCodeCounts } = state;
  await countUses(trx, { from: Number(lastTransactionId), to: lastTransaction, hasCodeCounts });
  await query(
    trx,
    `update activity_summary set last_transaction_id = :lastTransaction, last_attempt_id = :lastAttempt`,
    bindings,
  );
  const isDone =
    lastTransaction === Number(state.markedTransactionId) &&
    lastAttempt === Number(state.markedAttemptId);
  // All codes are counted once, when a new summary has reached the transactions of today.
  if (isDone && !state.hasCodeCounts) await countAllCodes(trx, lastTransaction);
  if (isDone) await query(trx, storeHorizonSql, ids);
  return isDone ? "done" : "unfinished";
}

const chunkConditions: Record<SummaryPart["source"], string> = {
  transactions: `t.id > :firstTransaction and t.id <= :lastTransaction and ${isAtHandSql("t.created_at")}`,
  attempts: `a.id > :firstAttempt and a.id <= :lastAttempt and ${isAtHandSql("a.created_at")}`,
};

/** @param rowsSql selects the rows that are added */
function addSql({ table, key, columns }: SummaryPart, rowsSql: string): string {
  const names = Object.keys(columns);
  const sums = Object.entries(columns).map(
    ([name, { add }]) => `${name} = ${add(`kept.${name}`, `excluded.${name}`)}`,
  );
  return `insert into ${table} as kept (${[...key, ...names].join(", ")})
    ${rowsSql}
    order by ${key.join(", ")}
    on conflict (${key.join(", ")}) do update set ${sums.join(", ")}`;
}
