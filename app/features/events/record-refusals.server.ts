/**
 * Records events of refused redemptions. A refusal writes nothing for them: its attempt is read once every statement
 * that ran when its id was stored has ended, so that none is missed. Publishing gives them their positions.
 */
import { query } from "../../db/connection.server";
import type { ReadOutcome } from "../../db/xmin-horizon.server";
import { readCommittedRows, type RowReader } from "./committed-rows.server";

const attempts: RowReader = {
  sequence: "redemption_attempts_id_seq",
  columns: { last: "last_attempt_id", visibleUpTo: "marked_attempt_id", xid: "marked_attempt_xid" },
  async readRows(trx, span) {
    await query(trx, recordSql, span);
  },
};

/** Records the refusals that have been committed, as far as what ran beside them has ended. */
export function recordRefusals(): Promise<ReadOutcome> {
  return readCommittedRows(attempts);
}

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
      'attempt', jsonb_strip_nulls(jsonb_build_object('redemptionId', redemption_id, 'code', code,
        'originalPrice', original_price, 'reason', outcome, 'cap', cap)))
    from refused
  )
  insert into recorded_events (type, subject, data, occurred_at)
  select type, subject, data, created_at from told order by id, rank`;
