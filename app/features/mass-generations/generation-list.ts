/** What the list of all mass generations shows, as the URL says (rulings 1.6). */
import { pageSizes } from "../promotions/list/promotion-filters";
import { parseListQuery, type ListQuery } from "../../forms/list-query";

export const generationSorts = ["created", "name", "codes"] as const;
export type GenerationSort = (typeof generationSorts)[number];
export type GenerationListQuery = ListQuery<GenerationSort>;

/** By page numbers, the newest first; `problems` names what means nothing. */
export function parseGenerationList(params: URLSearchParams) {
  return parseListQuery(params, {
    pageSizes,
    perPage: 25,
    sorts: generationSorts,
    sort: { by: "created", isDescending: true },
  });
}

/** Of the codes of one generation: by cursors, in one order only. */
export function parseGenerationCodes(params: URLSearchParams) {
  return parseListQuery(params, {
    pageSizes,
    perPage: 25,
    sorts: ["made"],
    sort: { by: "made", isDescending: false },
  });
}
