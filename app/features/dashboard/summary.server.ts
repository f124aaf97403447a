import { db } from "../../db/connection.server";

export type PromotionSummary = {
  freeDrinkPromos: number;
  percentagePromos: number;
  totalPromos: number;
};

/**
 * The three summary cards (core §2): all codes that are not deleted, whatever their status, each
 * code of a mass generation counted. Exact: at a million codes it reads for a fifth of a second.
 */
export async function summarisePromotions(): Promise<PromotionSummary> {
  const { rows } = await db().raw<{ rows: { discount_type: string; count: string }[] }>(
    `select discount_type, count(*) from promotions where not is_deleted group by discount_type`,
  );
  const countOf = (type: string) =>
    Number(rows.find((row) => row.discount_type === type)?.count ?? 0);
  const [freeDrinkPromos, percentagePromos] = [countOf("free_drink"), countOf("percentage")];
  return { freeDrinkPromos, percentagePromos, totalPromos: freeDrinkPromos + percentagePromos };
}
