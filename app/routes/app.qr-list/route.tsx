import type { ActionFunctionArgs } from "@remix-run/node";
import {
  Outlet,
  useActionData,
  useLoaderData,
  useNavigation,
  type ClientActionFunctionArgs,
  type ClientLoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { BulkBar } from "../../features/promotions/list/bulk-bar";
import {
  emptyFailure,
  fetchFailed,
  promotionList,
} from "../../features/promotions/list/promotion-filters";
import { actionOrSignIn, networkErrorMessage, noAnswerMessage } from "../../forms/network-errors";
import { pageMeta } from "../../forms/page-meta";
import { fromReplica, screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { useCanEdit } from "../../features/sign-in/viewer";
import { paths } from "../../paths";
import { FailureNote, MessageBlock } from "../../ui/feedback/message-block";
import { notes } from "../../ui/layout/layout.css";
import { LinkTabs, Page } from "../../ui/layout/page";
import { ignoreDialogs } from "../../ui/overlay/dialog-route";
import { FailedPage } from "../../ui/table/failed-page";
import { FilterBar } from "../../ui/list/filter-bar";
import { useListCache } from "../../ui/table/list-cache";
import { ListNotes } from "../../ui/table/list-notes";
import { ListStatus } from "../../ui/table/pagination";
import { loadListOrCached, unansweredMessage } from "../../ui/list/load-list";
import { chooseColumnsOrRefresh, loadPromotions } from "./list-screen.server";
import { ListActions, NoRows, PromotionTable } from "./promotion-table";

export const meta = pageMeta();

export const loader = screenLoader(requireUser, fromReplica(loadPromotions));

/** Stores columns also when their form comes back after signing in. */
export async function action(args: ActionFunctionArgs) {
  return chooseColumnsOrRefresh(args, await requireUser(args, { canRestore: true }));
}

/** Keeps the rows when a form gets no answer, or one without a reason. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const isRefresh = (await request.clone().formData()).get("intent") === "refresh";
  try {
    return await actionOrSignIn(request, () => serverAction<never>());
  } catch (cause) {
    const noAnswer = isRefresh ? unansweredMessage(paths.qrList, emptyFailure) : noAnswerMessage;
    return { failure: await networkErrorMessage(cause, fetchFailed, noAnswer) };
  }
}

export function clientLoader({ serverLoader }: ClientLoaderFunctionArgs) {
  return loadListOrCached(paths.qrList, () => serverLoader<typeof loader>(), {
    failure: fetchFailed,
    emptyFailure,
  });
}

const revalidate = ignoreDialogs();

/** A form that failed changed nothing. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return !args.actionResult?.failure && revalidate(args);
}

export default function QrList() {
  const list = useLoaderData<typeof loader>();
  const failed = useActionData<typeof clientAction>()?.failure ?? list.staleReason;
  const isSending = useNavigation().formMethod !== undefined;
  useListCache(paths.qrList, list);
  const { count } = list.total;
  const isEditor = useCanEdit();
  return (
    <Page title="QR List" actions={!list.isEmpty && <ListActions />}>
      <div className={failed && !isSending ? notes : undefined}>
        <FailureNote isPending={isSending}>{failed}</FailureNote>
      </div>
      <ListNotes list={list}>
        {list.shortTextNote && <MessageBlock kind="info">{list.shortTextNote}</MessageBlock>}
      </ListNotes>
      <Outlet />
      <LinkTabs label="Views" tabs={list.tabs} />
      <FilterBar list={promotionList} data={list} options={{ group: list.groups }} />
      <ListStatus data={list} noun={list.noun} />
      <div id="list" tabIndex={-1}>
        {count === 0 ? <NoRows list={list} /> : <PromotionTable list={list} />}
      </div>
      {isEditor && count > 0 && <BulkBar list={list} />}
    </Page>
  );
}

export function ErrorBoundary() {
  return <FailedPage routeId="routes/app.qr-list" title="QR List" failure={fetchFailed} />;
}
