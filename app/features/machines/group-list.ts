/** What the lists of groups and of their machines show, as the URL says (rulings 1.6). */
import { parseListQuery } from "../../forms/list-query";

export const groupPageSizes = [25, 50, 100] as const;
const maxSearchLength = 200;

export type GroupListQuery = { search: string; page: number; perPage: number };

/** By name, or by serial number; `problems` names what means nothing. */
export function parseGroupList(params: URLSearchParams): {
  query: GroupListQuery;
  problems: string[];
} {
  const { query, problems } = parseListQuery(params, {
    pageSizes: groupPageSizes,
    perPage: 25,
    sorts: ["name"],
    sort: { by: "name", isDescending: false },
  });
  const search = (params.get("search") ?? "").replaceAll("\0", "").trim();
  if (search.length > maxSearchLength) problems.push("The search is too long: it was shortened");
  return {
    query: {
      search: Array.from(search).slice(0, maxSearchLength).join(""),
      page: query.page,
      perPage: query.perPage,
    },
    problems,
  };
}
