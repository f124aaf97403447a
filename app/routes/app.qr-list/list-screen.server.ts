import { randomBytes } from "node:crypto";
import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import type { SerializeFrom } from "@remix-run/node";
import { siteTimeZone } from "../../db/site.server";
import { listGroupChoices } from "../../features/machines/machine-groups.server";
import { readFilterNames } from "../../features/mass-generations/mass-generation.server";
import { toCampaigns } from "../../features/promotions/list/campaigns.server";
import { listColumns } from "../../features/promotions/list/list-columns";
import { qrListColumns } from "../../features/promotions/list/promotion-columns";
import { listPromotions } from "../../features/promotions/list/list-promotions.server";
import { readOptionalColumns } from "../../features/promotions/list/optional-columns.server";
import {
  activeFilters,
  campaignList,
  fetchFailed,
  isCampaignView,
  isDeletedView,
  noteOnShortText,
  parsePromotionFilters,
  promotionList,
} from "../../features/promotions/list/promotion-filters";
import type { SavedView } from "../../features/promotions/list/saved-view";
import { listSavedViews } from "../../features/promotions/list/saved-views.server";
import { campaignsHint, viewTabs } from "../../features/promotions/list/view-tabs.server";
import { canEdit } from "../../features/sign-in/user";
import { toPromotionView } from "../../features/promotions/promotion-view";
import { countOf, formatCount } from "../../format/number";
import { unavailableAs } from "../../http/answers.server";
import { readCookie, setCookie } from "../../http/cookies.server";
import { listView, readList, rememberList } from "../../http/list.server";
import { redirectWithMessage, takeMessages } from "../../http/messages.server";
import type { Session } from "../../http/sessions.server";
import { flashParam, pageSearch, rowsMessagePrefix } from "../../lists/list-params";
import { paths } from "../../paths";

const foldedColumns = qrListColumns([])
  .filter(({ isWide, heading }) => isWide && heading !== listColumns.discountType)
  .map(({ heading }) => heading);
/** Says where narrow windows show columns that they have no room for. */
const foldedNote = `In the second line of the name: ${foldedColumns.join(", ")}. In the discount: ${listColumns.discountType}.`;

export type PromotionListData = SerializeFrom<typeof loadPromotions>;

export async function loadPromotions(args: LoaderFunctionArgs, session: Session) {
  const { request } = args;
  const { user } = session;
  const { searchParams } = new URL(request.url);
  const isCampaigns = isCampaignView(searchParams);
  const isDeleted = isDeletedView(searchParams);
  const definition = isCampaigns ? campaignList : promotionList;
  const { headers, hidden, ...list } = readList(request, definition);
  const { filters, errors } = parsePromotionFilters(list.params, user);
  const [{ promotions, ...page }, views, filterNames, groups] = await unavailableAs(
    fetchFailed,
    args,
    async () => {
      const readViews = listSavedViews(user);
      const defaultView = await defaultViewUrl(request, readViews);
      if (defaultView) throw redirect(defaultView);
      return Promise.all([
        listPromotions({ ...list.query, filters }),
        readViews,
        readFilterNames(filters),
        listGroupChoices(),
      ]);
    },
  );
  const active = activeFilters(filters);
  const isFiltered = active.length > 0;
  if (!isFiltered && !isDeleted) rememberView(request, headers, isCampaigns);
  const rows = isCampaigns ? await toCampaigns(promotions) : promotions;
  const optional = await readOptionalColumns(rows, hidden);
  const isAdmin = user.role === "admin";
  const noun = isCampaigns ? "campaign" : "code";
  const { total } = page;
  const data = {
    ...listView(definition, list, { active, errors, filterNames }),
    ...page,
    isCampaigns,
    isDeleted,
    isAdmin,
    noun,
    hidden,
    isEmpty: total.count === 0 && !isFiltered && !isDeleted,
    /** Names the rows of all pages. */
    allLabel: `All ${isFiltered ? `${formatCount(total)} that match` : countOf(total, noun)}`,
    rows: rows.map((promotion) => ({
      ...toPromotionView(promotion, siteTimeZone(), user),
      ...optional.get(promotion.id),
    })),
    tabs: viewTabs({
      params: searchParams,
      views,
      isCampaigns,
      isDeleted,
      isAdmin,
      canSave: canEdit(user),
      isFiltered,
      isFirstPage: page.page === 1,
      sort: list.query.sort,
      hidden,
    }),
    /** Leads to the campaigns of the codes. */
    campaigns: isCampaigns || isDeleted ? null : campaignsHint(promotions, searchParams),
    groups: groups.map(({ id, name }): [string, string] => [id, name]),
    foldedNote,
    shortTextNote: noteOnShortText(filters.text, user),
    staleReason: null as string | null,
    /** Short, because it stands in each row. */
    idempotencyKey: randomBytes(3).toString("base64url"),
    notices: await takeMessages(args, session, rowsMessagePrefix),
  };
  return json(data, { headers });
}

/** Stores the columns that were chosen, or leads back to the list, which reads it once more. */
export async function chooseColumnsOrRefresh(
  { request, context }: ActionFunctionArgs,
  session: Session,
) {
  const posted = await request.formData();
  const { searchParams } = new URL(request.url);
  // Without scripts a new page comes: its fragment gives the focus back to the control.
  const control = (id: string) => (context.isDocument ? `#${id}` : "");
  const list = () => paths.qrList + (pageSearch(searchParams) || promotionList.emptySearch);
  if (posted.has("columns")) {
    for (const name of ["hide", "show"]) searchParams.delete(name);
    const chosen = posted.getAll("columns");
    const { optionalColumns = [] } = promotionList;
    const headers = rememberList(request, promotionList, {
      hidden: Object.keys(listColumns).filter(
        (name) => !chosen.includes(name) && !optionalColumns.includes(name),
      ),
      chosen: optionalColumns.filter((name) => chosen.includes(name)),
    });
    return redirect(list() + control("columns"), { status: 303, headers });
  }
  if (posted.get("intent") !== "refresh") return redirect(list(), 303);
  return redirectWithMessage(session, list() + control("refresh-list"), {
    kind: "success",
    text: "Data refreshed successfully",
    isAboutRows: true,
  });
}

/** Has the view that the browser showed last, with which the list opens. */
const viewCookie = "view";

/** Returns the parameters of the view, or null for the one that needs none. */
function rememberedView(request: Request): string | null {
  return readCookie(request, viewCookie) === "campaigns" ? "view=campaigns" : null;
}

/** Adds the cookie where the view has changed. A list with filters is no choice of a view. */
function rememberView(request: Request, headers: Headers, isCampaigns: boolean): void {
  if (new URL(request.url).search === "" || isCampaigns === (rememberedView(request) !== null))
    return;
  headers.append("Set-Cookie", setCookie(viewCookie, isCampaigns ? "campaigns" : "codes"));
}

/**
 * Returns the URL of the default view, or else of the one that was shown last, for a list that is
 * opened without parameters; else null.
 */
async function defaultViewUrl(
  request: Request,
  views: Promise<readonly SavedView[]>,
): Promise<string | null> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname !== paths.qrList || pageSearch(searchParams) !== "") return null;
  const parameters =
    (await views).find(({ isDefault }) => isDefault)?.parameters ?? rememberedView(request);
  if (!parameters) return null;
  const message = searchParams.get(flashParam);
  return `${paths.qrList}?${parameters}${message ? `&${flashParam}=${encodeURIComponent(message)}` : ""}`;
}
