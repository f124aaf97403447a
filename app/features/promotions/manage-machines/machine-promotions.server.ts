/** What one machine accepts, counted at once (rulings 4.4). */
import { db } from "../../../db/connection.server";
import type { DiscountType } from "../promotion";
import { clockBindings, clockSql, statusConditions } from "../promotion-sql.server";

/** A promotion by itself, or a mass generation with how many of its codes the machine accepts. */
export type MachinePromotion = {
  kind: "promotion" | "generation";
  /** Of the promotion or the generation. */
  id: string;
  name: string;
  discountType: DiscountType;
  /** Percent, or a number of drinks. */
  discountValue: number;
  isSingleUse: boolean;
  /** Codes with status active. */
  codes: number;
};

export type MachinePromotionList = {
  /** Mass generations first, then promotions by themselves; of both the newest first. */
  promotions: MachinePromotion[];
  /** How many there are on all pages. */
  total: number;
  /** The codes of all pages together: what `activePromotions` counts. */
  codes: number;
  /** From 1; a page after the last one is the last one. */
  page: number;
  perPage: number;
};

/**
 * The promotions with status active that a machine accepts: its own, those of its groups, and the
 * codes of mass generations that are assigned to either. One statement, so that the total and the
 * lines are of one moment; `countPromotionsByMachine` counts the same for all machines.
 * @param machineId a machine flagged deleted accepts none (rulings 3.5)
 * @param options.now only tests pass one
 */
export async function listMachinePromotions(
  machineId: string,
  { page, perPage, now = null }: { page: number; perPage: number; now?: Date | null },
): Promise<MachinePromotionList> {
  const { rows } = await db().raw<{ rows: MachinePromotionRow[] }>(
    `with ${clockSql}, ${acceptedSql}, lines as (
       select 'generation' as kind, mass_generation_id as id, sum(codes)::integer as codes
       from of_generations group by mass_generation_id
       union all
       select 'promotion', id, 1 from own where mass_generation_id is null
     ), totals as (
       select count(*)::integer as total, coalesce(sum(codes), 0)::integer as codes,
         least(:page, greatest(1, ceil(count(*)::numeric / :perPage)))::integer as page
       from lines
     ), shown as (
       select kind, id, codes from lines order by kind, id desc
       limit :perPage offset (select (page - 1) * :perPage from totals)
     )
     select totals.total, totals.codes as all_codes, totals.page, shown.kind, shown.id, shown.codes,
       coalesce(p.name, g.name) as name,
       coalesce(p.discount_type, g.discount_type) as discount_type,
       coalesce(p.discount_value, g.discount_value) as discount_value,
       coalesce(p.is_single_use, g.is_single_use) as is_single_use
     from totals left join shown on true
     left join promotions p on shown.kind = 'promotion' and p.id = shown.id
     left join mass_generations g on shown.kind = 'generation' and g.id = shown.id
     order by shown.kind, shown.id desc`,
    { ...clockBindings(now), machineId, page, perPage },
  );
  const { total, all_codes: codes, page: currentPage } = rows[0]!;
  const promotions = rows.flatMap(({ kind, id, ...row }) =>
    kind === null
      ? []
      : {
          kind,
          id,
          name: row.name,
          discountType: row.discount_type,
          discountValue: row.discount_value,
          isSingleUse: row.is_single_use,
          codes: row.codes,
        },
  );
  return { promotions, total, codes, page: currentPage, perPage };
}

/**
 * The codes that `:machineId` accepts: `own` one by one, `of_generations` counted, with those of
 * `own` that belong to one. Needs `clockSql` before it.
 */
const acceptedSql = `machine as (
    select id from machines where id = :machineId and not is_deleted
  ), its_groups as (
    select group_id from machine_group_members join machine on machine.id = machine_id
  ), own as materialized (
    select p.id, p.mass_generation_id
    from (
      select promotion_id from promotion_assignments
      where machine_id = (select id from machine)
      union
      select promotion_id from promotion_assignments
      where group_id = any(array(select group_id from its_groups))
    ) assigned join promotions p on p.id = assigned.promotion_id
    where p.has_own_machines and ${statusConditions.active}
  ), generations as (
    select mass_generation_id from mass_generation_assignments
    where machine_id = (select id from machine)
    union
    select mass_generation_id from mass_generation_assignments
    where group_id = any(array(select group_id from its_groups))
  ), of_generations as (
    select p.mass_generation_id, count(*) as codes
    from generations join promotions p on p.mass_generation_id = generations.mass_generation_id
    where not p.has_own_machines and ${statusConditions.active}
    group by p.mass_generation_id
    union all
    select mass_generation_id, count(*) from own
    where mass_generation_id is not null group by mass_generation_id
  )`;

type MachinePromotionRow = {
  total: number;
  all_codes: number;
  page: number;
  /** Null where there is no line at all. */
  kind: MachinePromotion["kind"] | null;
  id: string;
  codes: number;
  name: string;
  discount_type: DiscountType;
  discount_value: number;
  is_single_use: boolean;
};
