import type { Session } from "../../http/sessions.server";
import { siteTimeZone } from "../../db/site.server";
import { parseHidden, type ListColumn } from "../../features/promotions/list/list-columns";
import { listPromotions } from "../../features/promotions/list/list-promotions.server";
import {
  filterParameters,
  filtersToParams,
  formatSort,
  isShortNeedle,
  parsePromotionFilters,
  parsePromotionList,
} from "../../features/promotions/list/promotion-filters";
import { toPromotionView } from "../../features/promotions/promotion-view";
import { defaultViewParameters } from "../../features/promotions/list/saved-views.server";
import {
  isPageSize,
  readListCookie,
  rememberingList,
  type ListPreferences,
} from "../../http/list-cookie.server";
import { paths } from "../../paths";

/** Where a list that is opened without parameters leads; null where it stays. */
export async function defaultViewAddress(request: Request, { user }: Session) {
  const { pathname, searchParams } = new URL(request.url);
  const message = searchParams.get("f");
  for (const name of ["f", "_data"]) searchParams.delete(name);
  if (pathname !== paths.qrList || searchParams.size > 0) return null;
  const parameters = await defaultViewParameters(user.id);
  if (!parameters) return null;
  return `${paths.qrList}?${parameters}${message ? `&f=${encodeURIComponent(message)}` : ""}`;
}

/** What the list shows for an address, in words, and the cookie that remembers how. */
export async function readListScreen(request: Request, { user }: Session) {
  const params = new URL(request.url).searchParams;
  const remembered = readListCookie(request);
  const { query, problems } = parsePromotionList(params, remembered, isPageSize);
  const { filters, problems: filterProblems } = parsePromotionFilters(params);
  const hidden = readHidden(params, remembered, problems);
  const { promotions, ...list } = await listPromotions({ ...query, filters });
  const active = filtersToParams(filters);
  // A bad value stays in its field, with what is wrong with it.
  const typed = Object.fromEntries(
    [...fieldsAtHand, ...fieldsBehindMore].map((name) => [name, params.get(name) ?? ""]),
  );
  const data = {
    ...list,
    rows: promotions.map((promotion) => toPromotionView(promotion, siteTimeZone())),
    sort: formatSort(query.sort),
    hidden,
    filters: active,
    typed,
    isMoreOpen: fieldsBehindMore.some((name) => typed[name] !== ""),
    isShortText: isShortNeedle(filters.text),
    isAdmin: user.role === "admin",
    filterProblems,
    problems: [
      ...Object.values(problems),
      ...Object.entries(filterProblems).map(([name, problem]) =>
        name in typed ? `${problem}, so that filter is left out` : problem,
      ),
    ],
    staleReason: null as string | null,
  };
  const isAsked = (name: string) => params.has(name) && !(name in problems);
  const headers = rememberingList(request, {
    ...(isAsked("sort") && { sort: query.sort }),
    ...(isAsked("per_page") && { perPage: query.perPage }),
  });
  return { data, headers };
}

const fieldsAtHand = ["created_after", "created_before", "serial_number", "controller", "text"];
const fieldsBehindMore = filterParameters.filter(
  (name) => ![...fieldsAtHand, "created", "deleted"].includes(name),
);

function readHidden(
  params: URLSearchParams,
  remembered: ListPreferences,
  problems: Record<string, string>,
): ListColumn[] {
  const text = params.get("hide");
  if (!text) return remembered.hidden;
  const hidden = parseHidden(text);
  if (!hidden) problems.hide = "The value of 'hide' is not valid";
  return hidden ?? remembered.hidden;
}
