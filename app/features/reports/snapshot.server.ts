/** Reads the summary (RULES D1) and the rows that it lacks at one moment. */
import type { Knex } from "knex";
import { db, one } from "../../db/connection.server";
import { summaryVersion, type SummaryPart } from "./summary-sql.server";

/** One moment of the database, for all figures of a page. */
export type Snapshot = {
  trx: Knex.Transaction;
  /** Transactions and attempts up to these ids are in the summary. */
  summarised: Record<SummaryPart["source"], string>;
  /** False while the summary is empty, or counts otherwise than this release. */
  isSummarised: boolean;
  /** True once the summary counts codes. */
  hasCodeCounts: boolean;
  /** Whether refused attempts that are in the summary were deleted. */
  keepsRefusals: boolean;
};

type SummaryState = Snapshot["summarised"] & Pick<Snapshot, "hasCodeCounts" | "keepsRefusals">;

/**
 * Selects what is summed up. A summary of another release may count otherwise: until it is built anew, raw rows are read.
 * Figures are read by indexes, of which most is in memory. A second process would take its time from redemptions.
 */
const snapshotSql = `
  select case when version = :summaryVersion then last_transaction_id else 0 end as transactions,
    case when version = :summaryVersion then last_attempt_id else 0 end as attempts,
    version = :summaryVersion and has_code_counts as has_code_counts, keeps_refusals,
    set_config('work_mem', '32MB', true), set_config('random_page_cost', '1.1', true),
    set_config('max_parallel_workers_per_gather', '0', true)
  from activity_summary`;

/**
 * Runs queries one after the other that all see the database at one moment, so that the summary and the rows
 * that it lacks belong together, as do all figures of a page.
 */
export function withSnapshot<Result>(
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  return db().transaction(
    async (trx) => {
      const state = await one<SummaryState>(
        trx,
        snapshotSql,
        { summaryVersion },
        { isPrepared: true },
      );
      const { hasCodeCounts, keepsRefusals, transactions, attempts } = state!;
      const summarised = { transactions, attempts };
      const isSummarised = summarised.transactions !== "0" || summarised.attempts !== "0";
      return work({ trx, summarised, isSummarised, hasCodeCounts, keepsRefusals });
    },
    { isolationLevel: "repeatable read", readOnly: true },
  );
}
