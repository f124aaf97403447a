/** Promotions of a machine as the API writes them, in snake case. */
import { paramReader, type Errors } from "../../../forms/list";
import type { MachinePromotionList } from "./machine-promotions.server";

const maximum: Record<string, number> = { page: 1_000_000, per_page: 100 };

/** Parses `page` and `per_page`, as the other lists of the API have them; nothing else is known. */
export function parseMachinePromotionsQuery(params: URLSearchParams) {
  const errors: Errors = {};
  const read = paramReader(params, errors);
  const number = (name: string, fallback: number) =>
    read(name, fallback, (text) =>
      /^[1-9]\d{0,6}$/.test(text) && Number(text) <= maximum[name]! ? Number(text) : null,
    );
  for (const name of params.keys())
    if (!(name in maximum)) errors[name] = "This parameter is not known";
  return { query: { page: number("page", 1), perPage: number("per_page", 25) }, errors };
}

/** Behind the last page the list is empty, so that a client that counts pages comes to an end. */
export function toApiMachinePromotions(list: MachinePromotionList, requestedPage: number) {
  const isBehindTheLast = list.page !== requestedPage;
  return {
    promotions: isBehindTheLast
      ? []
      : list.promotions.map((promotion) => ({
          name: promotion.name,
          discount_type: promotion.discountType,
          discount_value: promotion.discountValue,
          is_single_use: promotion.isSingleUse,
          promotion_id: promotion.kind === "promotion" ? Number(promotion.id) : null,
          mass_generation_id: promotion.kind === "generation" ? Number(promotion.id) : null,
          codes: promotion.codes,
        })),
    total: list.total,
    active_promotions: list.codes,
    page: requestedPage,
    per_page: list.perPage,
  };
}
