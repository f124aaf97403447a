import { db } from "../../../db/connection.server";
import { clockBindings, clockSql, storedStatusSql } from "../promotion-sql.server";

/**
 * Counts, for all machines in one statement, the codes with status active that each accepts, and
 * keeps the figures (rulings 4.4). For after a sync and every two minutes; several at once are safe.
 */
export async function countPromotionsByMachine(): Promise<void> {
  await db().raw(
    `with ${clockSql}, active as materialized (
       select p.id, p.mass_generation_id, p.has_own_machines
       from promotions p where not p.is_deleted and p.is_assigned and ${storedStatusSql} = 'active'
     ), per_generation as (
       select mass_generation_id, count(*) as codes
       from active where not has_own_machines group by mass_generation_id
     ), own as (
       select a.promotion_id, a.machine_id from promotion_assignments a where a.machine_id is not null
       union
       select a.promotion_id, g.machine_id
       from promotion_assignments a join machine_group_members g using (group_id)
     ), of_generation as (
       select a.mass_generation_id, a.machine_id
       from mass_generation_assignments a where a.machine_id is not null
       union
       select a.mass_generation_id, g.machine_id
       from mass_generation_assignments a join machine_group_members g using (group_id)
     ), counted as (
       select machine_id, sum(codes)::integer as codes from (
         select own.machine_id, count(*) as codes
         from own join active on active.id = own.promotion_id and active.has_own_machines
         group by own.machine_id
         union all
         select of_generation.machine_id, sum(per_generation.codes)
         from of_generation join per_generation using (mass_generation_id)
         group by of_generation.machine_id
       ) each group by machine_id
     )
     insert into machine_promotion_counts (machine_id, active_promotions, counted_at)
     select m.id, case when m.is_deleted then 0 else coalesce(counted.codes, 0) end, now()
     from machines m left join counted on counted.machine_id = m.id
     order by m.id
     on conflict (machine_id) do update
       set active_promotions = excluded.active_promotions, counted_at = excluded.counted_at`,
    clockBindings(),
  );
}
