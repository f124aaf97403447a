import { db, query } from "../../../db/connection.server";
import { clockBindings, clockSql, statusConditions } from "../promotion-sql.server";

/**
 * Counts, for all machines in one statement, the codes with status active that each accepts, and
 * stores the counts. Concurrent calls are safe.
 */
export async function countPromotionsByMachine(): Promise<void> {
  await query(
    db(),
    `with ${clockSql}, active as materialized (
       select p.set_id, count(*) as codes
       from promotions p where ${statusConditions.active} group by p.set_id
     ), counted as (
       select accepting.machine_id, sum(active.codes)::integer as codes
       from (select distinct set_id, machine_id from effective_machines) accepting
         join active on active.set_id = accepting.set_id
       group by accepting.machine_id
     )
     insert into machine_promotion_counts (machine_id, active_promotions, counted_at)
     select m.id, coalesce(counted.codes, 0), now()
     from machines m left join counted on counted.machine_id = m.id
     order by m.id
     on conflict (machine_id) do update
       set active_promotions = excluded.active_promotions, counted_at = excluded.counted_at`,
    clockBindings(),
  );
}
