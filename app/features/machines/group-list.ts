/** Declares the lists of machine groups and of the machines in a group. */
import { defineList, parseList } from "../../forms/list";
import { paths } from "../../paths";

export const groupList = defineList({
  path: paths.machineGroups,
  pageSizes: [25, 50, 100],
  sorts: { name: "ascending" },
  defaultSort: { by: "name", isDescending: false },
});

export type GroupListQuery = { search: string; page: number; perPage: number };

const maxSearchLength = 200;

/** Parses the page and `search`, which is shortened rather than left out when it is too long. */
export function parseGroupList(params: URLSearchParams) {
  const { query, errors } = parseList(groupList, params);
  const text = (params.get("search") ?? "").replaceAll("\0", "").trim();
  if (text.length > maxSearchLength) errors.search = "The search is too long: it was shortened";
  const search = Array.from(text).slice(0, maxSearchLength).join("");
  return { query: { ...query, search }, errors };
}
