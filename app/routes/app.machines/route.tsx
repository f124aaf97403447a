import {
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
  type SerializeFrom,
} from "@remix-run/node";
import {
  Outlet,
  useLoaderData,
  type ClientLoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { useEffect } from "react";
import { formatNumber } from "../../format/number";
import { PlatformNotes } from "../../features/machines/platform-notes";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { unavailableAs } from "../../http/machine-routes.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { notes } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { createListCache } from "../../ui/table/list-cache";
import { ListNotes } from "../../ui/table/list-notes";
import { visuallyHidden } from "#styles/global.css";
import * as css from "./list.css";
import { readListScreen } from "./list-screen.server";
import { MachineTable, NoRows } from "./machine-table";
import { SearchForm } from "./search-form";

export type MachineListData = SerializeFrom<typeof loader>;

const listCache = createListCache<MachineListData>({
  failure: "Failed to load machines data.",
  showsAge: true,
});

export const handle = { hasTable: (list?: MachineListData) => Boolean(list?.total) };

export const meta: MetaFunction = () => [{ title: "Machines - Promo Console" }];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  const { user } = await requireUser(args);
  const { data, headers } = await unavailableAs("Failed to load machines data", args, () =>
    readListScreen(args.request),
  );
  return json({ ...data, canConfirm: user.role === "admin" }, { headers });
});

export function clientLoader({ serverLoader }: ClientLoaderFunctionArgs) {
  return listCache.load(() => serverLoader<typeof loader>());
}

/** Opening a dialog over the list, paging in it or closing it doesn't read the list again. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const listOf = ({ searchParams }: URL) =>
    [...searchParams].filter(([name]) => name !== "promos_page").join("&");
  const isSameList = listOf(currentUrl) === listOf(nextUrl) && currentUrl.href !== nextUrl.href;
  return isSameList && !formMethod ? false : defaultShouldRevalidate;
}

export default function Machines() {
  const list = useLoaderData<typeof loader>();
  useEffect(() => listCache.store(list), [list]);
  const { total, staleReason } = list;
  return (
    <Page
      title="Machines"
      actions={<ButtonLink to={paths.machineGroups}>Machine groups</ButtonLink>}
    >
      <div role="status" className={staleReason ? notes : undefined}>
        {staleReason && <MessageBlock kind="error">{staleReason}</MessageBlock>}
      </div>
      <ListNotes list={{ ...list, staleReason: null }} />
      <PlatformNotes state={list.platform} canConfirm={list.canConfirm} />
      <Outlet />
      <SearchForm list={list} />
      <p role="status" className={visuallyHidden}>
        {`${formatNumber(total)} ${total === 1 ? "machine" : "machines"}`}
      </p>
      <div className={css.rows}>
        {total === 0 ? <NoRows list={list} /> : <MachineTable list={list} />}
      </div>
    </Page>
  );
}

export { LoadFailure as ErrorBoundary } from "./load-failure";
