import { json, redirect, type ActionFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, type ClientLoaderFunctionArgs } from "@remix-run/react";
import { useEffect } from "react";
import { siteTimeZone } from "../../db/site.server";
import { bulkActions, isForAdmins } from "../../features/promotions/lifecycle/bulk-actions";
import { bulkTexts } from "../../features/promotions/lifecycle/bulk-texts";
import { readFilterNames } from "../../features/mass-generations/mass-generation.server";
import { fetchFailure, promotionListCache } from "../../features/promotions/list/list-cache";
import { readCampaigns } from "../../features/promotions/list/campaigns.server";
import { listPromotions } from "../../features/promotions/list/list-promotions.server";
import {
  activeFilters,
  campaignList,
  isCampaignView,
  isDeletedView,
  isShortNeedle,
  parsePromotionFilters,
  promotionList,
} from "../../features/promotions/list/promotion-filters";
import { listSavedViews, viewParameters } from "../../features/promotions/list/saved-views.server";
import { listColumns, toPromotionView } from "../../features/promotions/promotion-view";
import { pageMeta } from "../../forms/page-meta";
import { pageSearch } from "../../lists/list-params";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { listView, readList, rememberList } from "../../http/list.server";
import { redirectWithMessage } from "../../http/messages.server";
import { paths } from "../../paths";
import { isDataRequest } from "../../remix/data-requests";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Page } from "../../ui/layout/page";
import { ignoreDialogs } from "../../ui/overlay/dialog-route";
import { FailedPage } from "../../ui/table/failed-page";
import { FilterBar } from "../../ui/table/filter-bar";
import { ListNotes } from "../../ui/table/list-notes";
import { BulkBar, ListActions } from "./bulk-bar";
import { defaultViewUrl, rememberView } from "./last-view.server";
import { NoRows, PromotionTable, type PromotionListData } from "./promotion-table";
import { rowLabels } from "./row-labels.server";
import { ViewTabs } from "./view-tabs";

export const handle = { hasTable: ({ total }: PromotionListData) => total.count > 0 };

export const meta = pageMeta("QR List");

export const loader = screenLoader(requireUser, async ({ request }, { user }) => {
  const { searchParams } = new URL(request.url);
  const isCampaigns = isCampaignView(searchParams);
  const isDeleted = isDeletedView(searchParams);
  const definition = isCampaigns ? campaignList : promotionList;
  const { headers, hidden, ...list } = readList(request, definition);
  const { filters, errors } = parsePromotionFilters(list.params);
  const [{ promotions, ...page }, views, filterNames] = await Promise.all([
    listPromotions({ ...list.query, filters }),
    listSavedViews(user.id),
    readFilterNames(filters),
  ]);
  const view = defaultViewUrl(request, views);
  if (view) throw redirect(view);
  const shown = viewParameters(list.params);
  const active = activeFilters(filters);
  if (active.length === 0 && !isDeleted) rememberView(request, headers, isCampaigns);
  const rows = isCampaigns ? await readCampaigns(promotions) : promotions;
  const data = {
    ...listView(definition, list, { active, errors, filterNames }),
    ...page,
    isCampaigns,
    isDeleted,
    ...rowLabels(page.total, { isCampaigns, isDeleted, isFiltered: active.length > 0 }),
    rows: rows.map((promotion) => toPromotionView(promotion, siteTimeZone())),
    hidden,
    views: views.map(({ name, parameters }) => ({
      name,
      parameters,
      isShown: parameters === shown,
    })),
    isShortText: isShortNeedle(filters.text),
    isAdmin: user.role === "admin",
    bulkActions: bulkActions
      .filter((action) => user.role === "admin" || !isForAdmins(action))
      .map((action): [string, string] => [action, bulkTexts[action].button]),
    staleReason: null as string | null,
  };
  return json(data, { headers });
});

/** Chooses the columns of the list, also when the choice comes back after signing in, or reads the list once more. */
export async function action(args: ActionFunctionArgs) {
  const session = await requireUser(args, { canRestore: true });
  const posted = await args.request.formData();
  const { searchParams } = new URL(args.request.url);
  // Without scripts a new page comes: its fragment gives the focus back to the control.
  const control = (id: string) => (isDataRequest(searchParams) ? "" : `#${id}`);
  const list = () => paths.qrList + (pageSearch(searchParams) || promotionList.emptySearch);
  if (posted.has("columns")) {
    searchParams.delete("hide");
    const chosen = posted.getAll("columns");
    const hidden = Object.keys(listColumns).filter((name) => !chosen.includes(name));
    const headers = rememberList(args.request, promotionList, { hidden });
    return redirect(list() + control("columns"), { status: 303, headers });
  }
  if (posted.get("intent") !== "refresh") return redirect(list(), 303);
  return redirectWithMessage(session, list() + control("refresh-list"), {
    kind: "success",
    text: "Data refreshed successfully",
  });
}

export { runOrSignIn as clientAction } from "../../forms/network-errors";

export function clientLoader({ serverLoader }: ClientLoaderFunctionArgs) {
  return promotionListCache.load(() => serverLoader<typeof loader>());
}

export const shouldRevalidate = ignoreDialogs();

export default function QrList() {
  const list = useLoaderData<typeof loader>();
  useEffect(() => promotionListCache.store(list), [list]);
  const { count } = list.total;
  return (
    <Page title="QR List" actions={!list.isEmpty && <ListActions />}>
      <ListNotes list={list}>
        {list.isShortText && (
          <MessageBlock kind="info">
            One or two characters match only the beginning of a code.
          </MessageBlock>
        )}
      </ListNotes>
      <Outlet />
      <ViewTabs list={list} />
      <FilterBar list={promotionList} data={list} />
      <div id="list" tabIndex={-1}>
        {count === 0 ? <NoRows list={list} /> : <PromotionTable list={list} />}
      </div>
      {count > 0 && <BulkBar list={list} />}
    </Page>
  );
}

/** Replaces the list by a link that asks again. */
export function ErrorBoundary() {
  return <FailedPage routeId="routes/app.qr-list" title="QR List" failure={fetchFailure} />;
}
