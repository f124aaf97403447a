/**
 * Records events of refused redemptions. A refusal writes nothing for them: its attempt is read once every statement
 * that ran when its id was marked has ended, so that none is missed. Publishing gives them their positions.
 */
import type { Knex } from "knex";
import { db, one, query } from "../../db/connection.server";
import { horizonSql, isVisibleUpToSql } from "../../db/xmin-horizon.server";

/** How many attempts are read in one database transaction. */
const chunkSize = 5_000;

type State = {
  lastAttemptId: string;
  /** null without a stored horizon. */
  markedAttemptId: string | null;
  /** Whether every statement that ran when the horizon was stored has ended. */
  isVisibleUpTo: boolean;
  hasNews: boolean;
};

const stateSql = `select last_attempt_id, marked_attempt_id,
    coalesce(${isVisibleUpToSql("marked_attempt_xid")}, false) as is_visible_up_to,
    coalesce(pg_sequence_last_value('redemption_attempts_id_seq'), 0) > last_attempt_id as has_news
  from event_log`;

/**
 * Records the refusals that have been committed, as far as what ran beside them has ended. One instance at a time does
 * it; the next run finds what this one missed.
 * @returns whether nothing is left to do
 */
export async function recordRefusals(): Promise<boolean> {
  const idle = (await one<State>(db(), stateSql))!;
  if (!idle.hasNews) return true;
  for (;;) {
    // Before the transaction has an id: whoever has a lower one is waited for.
    const { lastId } = (await one<{ lastId: string }>(db(), lastIdSql))!;
    const outcome = await db().transaction((trx) => recordNext(trx, lastId));
    if (outcome !== "unfinished") return outcome === "done";
  }
}

async function recordNext(
  trx: Knex.Transaction,
  lastId: string,
): Promise<"done" | "waiting" | "unfinished"> {
  const isOurs = await one(trx, "select from event_log for no key update skip locked");
  if (!isOurs) return "waiting";
  // A statement of its own, whose snapshot is younger than the lock.
  const { lastAttemptId, markedAttemptId, ...state } = (await one<State>(trx, stateSql))!;
  if (markedAttemptId === null) {
    if (!state.hasNews) return "done";
    await query(trx, storeHorizonSql, { lastId });
    return "unfinished";
  }
  if (!state.isVisibleUpTo) return "waiting";
  const last = Math.min(Number(lastAttemptId) + chunkSize, Number(markedAttemptId));
  await query(trx, recordSql, { first: lastAttemptId, last });
  const isMarkedDone = last === Number(markedAttemptId);
  await query(
    trx,
    `update event_log set last_attempt_id = :last
       ${isMarkedDone ? ", marked_attempt_id = null, marked_attempt_xid = null" : ""}`,
    { last },
  );
  return "unfinished";
}

const lastIdSql = `select coalesce(pg_sequence_last_value('redemption_attempts_id_seq'), 0) as last_id`;

const storeHorizonSql = `update event_log set
  marked_attempt_id = greatest(last_attempt_id, cast(:lastId as bigint)), marked_attempt_xid = ${horizonSql}`;

/** A machine that no list has is told of once a day; a throttled attempt decided nothing and is no event. */
const recordSql = `
  with refused as materialized (
    select a.*, m.human_name, p.name, p.discount_type, p.discount_value, p.mass_generation_id,
      case when a.machine_id is null then 'serial_number:' || a.serial_number else 'machine:' || a.machine_id end
        as subject
    from redemption_attempts a
      left join machines m on m.id = a.machine_id left join promotions p on p.id = a.promotion_id
    where a.id > :first and a.id <= :last and a.outcome not in ('accepted', 'throttled')
  ), unknown as (
    select distinct on (subject) * from refused
    where machine_id is null
      and not exists (select from events e where e.type = 'machine.unknown' and e.subject = refused.subject
        and e.occurred_at > refused.created_at - interval '1 day')
      and not exists (select from recorded_events r where r.type = 'machine.unknown'
        and r.subject = refused.subject)
    order by subject, id
  ), told as (
    select id, 0 as rank, 'machine.unknown' as type, subject, created_at,
      jsonb_build_object('machine', jsonb_build_object('serialNumber', serial_number)) as data
    from unknown
    union all
    select id, 1, 'redemption.refused', subject, created_at, jsonb_build_object(
      'promotion', case when promotion_id is not null then jsonb_build_object('id', promotion_id, 'code', code,
        'name', name, 'discount_type', discount_type, 'discount_value', discount_value,
        'mass_generation_id', mass_generation_id) end,
      'machine', jsonb_build_object('serialNumber', serial_number, 'humanName', human_name),
      'attempt', jsonb_build_object('redemptionId', redemption_id, 'code', code,
        'originalPrice', original_price, 'reason', outcome))
    from refused
  )
  insert into recorded_events (type, subject, data, occurred_at)
  select type, subject, data, created_at from told order by id, rank`;
