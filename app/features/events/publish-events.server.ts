/**
 * Gives events their positions, in the order of commits. A redemption is no event of its own: its transaction is read
 * once every statement that ran when its id was marked has ended, so that nothing arrives behind a position.
 *
 * The order of one subject is exact. Redemptions and rollbacks of a code hold the lock of its row when they take their
 * id or place, so ids follow the order of that lock; what others record takes its id under the lock of its own row.
 * An event comes after everything that it depends on, which was visible when the event was marked.
 */
import type { Knex } from "knex";
import { db, one, query } from "../../db/connection.server";
import { horizonSql, isOfAnotherClusterSql, isVisibleUpToSql } from "../../db/xmin-horizon.server";

/** How many transactions get their positions in one database transaction. */
const defaultChunkSize = 5_000;

type State = {
  lastTransactionId: string;
  /** null without a stored horizon. */
  markedTransactionId: string | null;
  /** Whether every statement that ran when the horizon was stored has ended. */
  isVisibleUpTo: boolean;
  /** Whether anything may have happened since. */
  hasNews: boolean;
};

const stateSql = `select last_transaction_id, marked_transaction_id,
    coalesce(${isVisibleUpToSql("marked_xid")}, false) as is_visible_up_to,
    coalesce(pg_sequence_last_value('transactions_id_seq'), 0) > last_transaction_id
      or exists (select from recorded_events) as has_news
  from event_log`;

/** The point at which it stopped: at the end, for another instance, or for statements that have not ended. */
export type PublishOutcome = "done" | "busy" | "waiting";

/** Publishes what has been committed. One instance at a time does it; the next run finds what this one missed. */
export async function publishEvents(options: { chunkSize?: number } = {}): Promise<PublishOutcome> {
  const idle = (await one<State>(db(), stateSql))!;
  if (!idle.hasNews && idle.markedTransactionId === null) return "done";
  for (;;) {
    // Before the transaction has an id: whoever has a lower one is waited for.
    const { lastId } = (await one<{ lastId: string }>(db(), lastIdSql))!;
    const outcome = await db().transaction((trx) => publishOnce(trx, lastId, options));
    if (outcome !== "unfinished") return outcome;
  }
}

async function publishOnce(
  trx: Knex.Transaction,
  lastId: string,
  { chunkSize = defaultChunkSize }: { chunkSize?: number },
): Promise<PublishOutcome | "unfinished"> {
  const isOurs = await one(trx, "select from event_log for no key update skip locked");
  if (!isOurs) return "busy";
  // A statement of its own, whose snapshot is younger than the lock.
  const state = (await one<State>(trx, stateSql))!;
  const { markedTransactionId: marked } = state;
  if (marked === null) {
    if (!state.hasNews) return "done";
    await query(trx, storeHorizonSql, { lastId });
    return "unfinished";
  }
  if (!state.isVisibleUpTo) return "waiting";
  const last = Math.min(Number(state.lastTransactionId) + chunkSize, Number(marked));
  await query(trx, publishSql, { first: state.lastTransactionId, last });
  if (last < Number(marked)) return "unfinished";
  await query(trx, "update event_log set marked_transaction_id = null, marked_xid = null");
  return "unfinished";
}

const lastIdSql = `select coalesce(pg_sequence_last_value('transactions_id_seq'), 0) as last_id`;

/** A redemption writes the code's row, and so has a transaction id, before it takes the id of its transaction. */
const storeHorizonSql = `update event_log set
  marked_transaction_id = greatest(last_transaction_id, cast(:lastId as bigint)), marked_xid = ${horizonSql}`;

const publishSql = `
  with log as materialized (select last_position, marked_xid from event_log),
  recorded as (
    delete from recorded_events r using log
    where (r.xid < log.marked_xid or ${isOfAnotherClusterSql("r.xid")})
      and r.after_transaction_id <= :last
    returning r.*
  ), ready as (
    select t.id as place, 0 as rank, kind.rank as part, kind.type,
      'promotion:' || t.promotion_id as subject, t.id as transaction_id, cast(null as jsonb) as data,
      t.created_at as occurred_at
    from transactions t
      join (values (1, 'promotion.redeemed'), (2, 'promotion.used_up')) kind (rank, type)
        on kind.rank = 1 or t.is_last_use
    where t.id > :first and t.id <= :last
    union all
    select after_transaction_id, 1, id, type, subject, transaction_id, data, occurred_at from recorded
  ), published as (
    insert into events (position, type, subject, transaction_id, data, occurred_at)
    select log.last_position + row_number() over (order by place, rank, part), type, subject, transaction_id,
      data, occurred_at
    from ready, log
    returning position
  )
  update event_log set last_transaction_id = :last,
    last_position = greatest(last_position, (select max(position) from published))`;
