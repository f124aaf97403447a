/** What a machine accepts, as the API speaks of it: snake_case of core §3, §7. */
import type { MachinePromotionList } from "./machine-promotions.server";

const most = { page: 1_000_000, per_page: 100 };

/**
 * `page` from 1 and `per_page` up to 100, as the other lists of the API have them (rulings 6.4).
 * @returns problems by parameter, for a 400
 */
export function parseMachinePromotionsQuery(params: URLSearchParams) {
  const problems: Record<string, string> = {};
  const read = (name: keyof typeof most, usual: number) => {
    const text = params.get(name) ?? "";
    if (text === "") return usual;
    if (/^[1-9]\d{0,6}$/.test(text) && Number(text) <= most[name]) return Number(text);
    problems[name] = `The value of '${name}' is not valid`;
    return usual;
  };
  for (const name of params.keys())
    if (!(name in most)) problems[name] = "This parameter is not known";
  return { query: { page: read("page", 1), perPage: read("per_page", 25) }, problems };
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
