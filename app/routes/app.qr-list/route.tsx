import { json, redirect, type ActionFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, type ClientLoaderFunctionArgs } from "@remix-run/react";
import { useEffect } from "react";
import { promotionListCache } from "../../features/promotions/list/list-cache";
import { promotionList } from "../../features/promotions/list/promotion-filters";
import { formMeta } from "../../forms/form-meta";
import { formatNumber } from "../../format/number";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Page } from "../../ui/layout/page";
import { keepUnderDialogs } from "../../ui/overlay/dialog-route";
import { FilterBar, FilterChip, withoutFilters } from "../../ui/table/filter-bar";
import { ListNotes } from "../../ui/table/list-notes";
import { useListUrl } from "../../ui/table/list-url";
import { visuallyHidden } from "#styles/global.css";
import { BulkBar, ExportLink } from "./bulk-bar";
import { defaultViewUrl, readListScreen, runListTool } from "./list-screen.server";
import { NoRows, PromotionTable, type PromotionListData } from "./promotion-table";

export const handle = { hasTable: ({ total }: PromotionListData) => total.count > 0 };

export const meta = formMeta("QR List");

export const loader = screenLoader(requireUser, async (args, session) => {
  const view = await defaultViewUrl(args.request, session);
  if (view) throw redirect(view);
  const { data, headers } = await readListScreen(args.request, session);
  return json(data, { headers });
});

export async function action(args: ActionFunctionArgs) {
  const session = await requireUser(args);
  return runListTool(args.request, session);
}

export function clientLoader({ serverLoader }: ClientLoaderFunctionArgs) {
  return promotionListCache.load(() => serverLoader<typeof loader>());
}

export const shouldRevalidate = keepUnderDialogs();

export default function QrList() {
  const list = useLoaderData<typeof loader>();
  const url = useListUrl(promotionList);
  useEffect(() => promotionListCache.store(list), [list]);
  const { count, isCapped } = list.total;
  return (
    <Page
      title="QR List"
      actions={
        <>
          <ExportLink />
          <ButtonLink to={paths.qrGeneration} variant="primary" icon="plus">
            New promotion
          </ButtonLink>
        </>
      }
    >
      <ListNotes list={list}>
        {list.isShortText && (
          <MessageBlock kind="info">
            One or two characters are looked for at the beginning of codes only.
          </MessageBlock>
        )}
      </ListNotes>
      <Outlet />
      <FilterBar list={promotionList} data={list}>
        {list.isAdmin && (
          <FilterChip
            to={url({ ...withoutFilters(promotionList), deleted: "true" })}
            isChosen={list.filters.some(([name]) => name === "deleted")}
          >
            Deleted
          </FilterChip>
        )}
      </FilterBar>
      <p role="status" className={visuallyHidden}>
        {`${formatNumber(count)}${isCapped ? "+" : ""} ${count === 1 ? "promotion" : "promotions"}`}
      </p>
      <div id="list" tabIndex={-1}>
        {count === 0 ? <NoRows list={list} /> : <PromotionTable list={list} />}
      </div>
      {count > 0 && <BulkBar total={list.total} />}
    </Page>
  );
}
