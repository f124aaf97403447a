import {
  json,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import {
  Outlet,
  useLoaderData,
  type ClientLoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { useEffect } from "react";
import { hiddenWithout } from "../../features/promotions/list/list-columns";
import { formatNumber } from "../../format/number";
import { requireUser } from "../../http/guards.server";
import { rememberingList } from "../../http/list-cookie.server";
import { redirectWithMessage } from "../../http/messages.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Page } from "../../ui/layout/page";
import { visuallyHidden } from "#styles/global.css";
import { PromotionFilterBar } from "./filter-bar";
import { BulkBar, ExportLink } from "./bulk-bar";
import { loadListOrCached, cacheList, type PromotionListData } from "./list-cache";
import { defaultViewAddress, readListScreen } from "./list-screen.server";
import { ListNotes } from "./list-notes";
import { NoRows } from "./no-rows";
import { PromotionTable } from "./promotion-table";

export const handle = { hasTable: ({ total }: PromotionListData) => total.count > 0 };

export const meta: MetaFunction = () => [{ title: "QR List - Promo Console" }];

export async function loader(args: LoaderFunctionArgs) {
  const session = await requireUser(args);
  const view = await defaultViewAddress(args.request, session);
  if (view) throw redirect(view);
  const { data, headers } = await readListScreen(args.request, session);
  return json(data, { headers });
}

/** The tools of the list: which columns it has, and reading it once more. */
export async function action(args: ActionFunctionArgs) {
  const session = await requireUser(args);
  const posted = await args.request.formData();
  const { searchParams } = new URL(args.request.url);
  // Without scripts a new page comes: its fragment gives the focus back to the control.
  const control = (id: string) => (searchParams.has("_data") ? "" : `#${id}`);
  for (const name of ["_data", "f"]) searchParams.delete(name);
  const address = () => `${paths.qrList}?${searchParams.size > 0 ? searchParams : "page=1"}`;
  if (posted.get("intent") === "columns") {
    searchParams.delete("hide");
    const headers = rememberingList(args.request, {
      hidden: hiddenWithout(posted.getAll("columns")),
    });
    return redirect(`${address()}${control("columns")}`, { status: 303, headers });
  }
  return redirectWithMessage(session, `${address()}${control("refresh-list")}`, {
    kind: "success",
    text: "Data refreshed successfully",
  });
}

export function clientLoader({ serverLoader }: ClientLoaderFunctionArgs) {
  return loadListOrCached(() => serverLoader<typeof loader>());
}

/** Opening a dialog over the list, or closing it, doesn't fetch the list again. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const isSameList =
    currentUrl.search === nextUrl.search && currentUrl.pathname !== nextUrl.pathname;
  return isSameList && !formMethod ? false : defaultShouldRevalidate;
}

export default function QrList() {
  const list = useLoaderData<typeof loader>();
  useEffect(() => cacheList(list), [list]);
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
      <ListNotes list={list} />
      <Outlet />
      <PromotionFilterBar list={list} />
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
