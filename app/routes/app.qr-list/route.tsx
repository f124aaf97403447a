import type { ActionFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, type ClientLoaderFunctionArgs } from "@remix-run/react";
import { BulkBar } from "../../features/promotions/list/bulk-bar";
import { promotionList } from "../../features/promotions/list/promotion-filters";
import { ViewTabs } from "../../features/promotions/list/view-tabs";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Page } from "../../ui/layout/page";
import { ignoreDialogs } from "../../ui/overlay/dialog-route";
import { FailedPage } from "../../ui/table/failed-page";
import { FilterBar } from "../../ui/list/filter-bar";
import { useListCache } from "../../ui/table/list-cache";
import { ListNotes } from "../../ui/table/list-notes";
import { loadListOrCached } from "../../ui/list/load-list";
import { chooseColumnsOrRefresh, loadPromotions } from "./list-screen.server";
import { ListActions, NoRows, PromotionTable } from "./promotion-table";

export const meta = pageMeta();

export const loader = screenLoader(requireUser, loadPromotions);

/** Also when the columns come back after signing in. */
export async function action(args: ActionFunctionArgs) {
  return chooseColumnsOrRefresh(args.request, await requireUser(args, { canRestore: true }));
}

export { runOrSignIn as clientAction } from "../../forms/network-errors";

const failure = "Failed to fetch promotions: The server could not answer";

export function clientLoader({ serverLoader }: ClientLoaderFunctionArgs) {
  return loadListOrCached(paths.qrList, () => serverLoader<typeof loader>(), { failure });
}

export const shouldRevalidate = ignoreDialogs();

export default function QrList() {
  const list = useLoaderData<typeof loader>();
  useListCache(paths.qrList, list);
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
  return <FailedPage routeId="routes/app.qr-list" title="QR List" failure={failure} />;
}
