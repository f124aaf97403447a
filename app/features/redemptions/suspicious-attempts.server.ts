/** Attempts at redemptions that somebody should look at, for alerts. */
import { db, query } from "../../db/connection.server";
import { joinGenerationSql } from "../promotions/promotion-sql.server";

type UnknownMachine = { serialNumber: string; attempts: number };

/** Lists serial numbers that no list has and that asked within 24 hours, the one that asked most first. */
export function listUnknownMachines(limit: number): Promise<UnknownMachine[]> {
  return query(
    db(),
    `select a.serial_number, count(*)::integer as attempts
     from redemption_attempts a
     where a.machine_id is null and a.outcome <> 'accepted' and a.outcome = 'machine_unknown'
       and a.created_at > now() - interval '24 hours'
       and not exists (select from machines m where m.serial_number = a.serial_number)
     group by a.serial_number order by count(*) desc, a.serial_number limit :limit`,
    { limit },
  );
}

type Burst = {
  id: string;
  code: string;
  name: string;
  /** The most redemptions within one minute. */
  redemptions: number;
  /** The time of the last of them. */
  lastAt: Date;
};

const maxInMinute = 20;

/** Lists active codes that were redeemed more than 20 times within a minute of the last hour. */
export function listBursts(limit: number): Promise<Burst[]> {
  return query(
    db(),
    `with recent as materialized (
       select t.promotion_id, t.created_at from transactions t
       where t.created_at > now() - interval '1 hour' and t.status = 'applied'
     ), often as (
       select promotion_id from recent group by promotion_id having count(*) > ${maxInMinute}
     ), counted as (
       select promotion_id, created_at as last_at, count(*) over (partition by promotion_id order by created_at
         range between interval '1 minute' preceding and current row)::integer as redemptions
       from recent where promotion_id in (select promotion_id from often)
     ), bursts as (
       select distinct on (promotion_id) * from counted where redemptions > ${maxInMinute}
       order by promotion_id, redemptions desc, last_at
     )
     select p.id, p.code, p.name, bursts.redemptions, bursts.last_at
     from bursts join promotions p on p.id = bursts.promotion_id ${joinGenerationSql}
     where not (p.is_deleted or coalesce(generation.is_deleted, false))
       and p.is_active and coalesce(generation.is_active, true)
     order by bursts.last_at desc, p.id limit :limit`,
    { limit },
  );
}
