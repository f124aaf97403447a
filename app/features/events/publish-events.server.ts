/**
 * Gives events their positions, in the order of commits. A redemption is no event of its own: its transaction is read
 * once every statement that ran when its id was stored has ended, so that nothing arrives behind a position.
 *
 * The order of one subject is exact. Redemptions and rollbacks of a code hold the lock of its row when they take their
 * id or place, so ids follow the order of that lock; what others record takes its id under the lock of its own row.
 * An event comes after everything that it depends on, which was visible when the event was stored.
 */
import { query } from "../../db/connection.server";
import { isOfAnotherClusterSql, type ReadOutcome } from "../../db/xmin-horizon.server";
import { readCommittedRows, type RowReader } from "./committed-rows.server";

/** A redemption writes the code's row, and so has a transaction id, before it takes the id of its transaction. */
const transactions: RowReader = {
  sequence: "transactions_id_seq",
  columns: { last: "last_transaction_id", visibleUpTo: "marked_transaction_id", xid: "marked_xid" },
  hasMoreSql: "exists (select from recorded_events)",
  async readRows(trx, span) {
    await query(trx, publishSql, span);
  },
};

export function publishEvents(options: { chunkSize?: number } = {}): Promise<ReadOutcome> {
  return readCommittedRows(transactions, options);
}

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
  update event_log set last_position = greatest(last_position, (select max(position) from published))`;
