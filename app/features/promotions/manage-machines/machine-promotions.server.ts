/** The promotions that one machine accepts, counted at the time of the request. */
import { db, query } from "../../../db/connection.server";
import type { DiscountType } from "../promotion";
import { clockBindings, clockSql, statusConditions } from "../promotion-sql.server";

/** A single promotion, or a mass generation with the number of its codes that the machine accepts. */
export type MachinePromotion = {
  kind: "promotion" | "generation";
  /** Id of the promotion or the generation. */
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
  /** Mass generations first, then single promotions; of both the newest first. */
  promotions: MachinePromotion[];
  /** Number of lines on all pages. */
  total: number;
  /** Codes of all pages together: what `activePromotions` counts. */
  codes: number;
  /** From 1; a page after the last one is the last one. */
  page: number;
  perPage: number;
};

/**
 * Lists the promotions with status active that a machine accepts. One statement, so that the total
 * and the lines belong together; `countPromotionsByMachine` counts the same for all machines.
 * @param machineId a machine flagged deleted accepts none
 * @param options.now only tests pass one
 */
export async function listMachinePromotions(
  machineId: string,
  { page, perPage, now = null }: { page: number; perPage: number; now?: Date | null },
): Promise<MachinePromotionList> {
  const rows = await query<MachinePromotionRow>(
    db(),
    `with ${clockSql}, lines as (
       select case when p.mass_generation_id is null then 'promotion' else 'generation' end as kind,
         coalesce(p.mass_generation_id, p.id) as id, count(*)::integer as codes
       from (select distinct set_id from effective_machines where machine_id = :machineId) accepting
         join promotions p on p.set_id = accepting.set_id
       where ${statusConditions.active}
       group by 1, 2
     ), totals as (
       select count(*)::integer as total, coalesce(sum(codes), 0)::integer as all_codes,
         least(:page, greatest(1, ceil(count(*)::numeric / :perPage)))::integer as page
       from lines
     ), shown as (
       select kind, id, codes from lines order by kind, id desc
       limit :perPage offset (select (page - 1) * :perPage from totals)
     )
     select totals.total, totals.all_codes, totals.page, shown.kind, shown.id, shown.codes,
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
  const { total, allCodes: codes, page: currentPage } = rows[0]!;
  const promotions = rows.flatMap(
    ({ total: _total, allCodes: _allCodes, page: _page, kind, ...promotion }) =>
      kind === null ? [] : { kind, ...promotion },
  );
  return { promotions, total, codes, page: currentPage, perPage };
}

/** A line of the page, or a row of nulls when there is no line at all. */
type MachinePromotionRow = Omit<MachinePromotion, "kind"> & {
  kind: MachinePromotion["kind"] | null;
  total: number;
  allCodes: number;
  page: number;
};
