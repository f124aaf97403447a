import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Outlet, useLoaderData, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { archiveSize } from "../../features/mass-generations/generation-archive.server";
import { codeList } from "../../features/mass-generations/mass-generation-view";
import {
  getGenerationDetails,
  listGenerationCodes,
} from "../../features/mass-generations/list-mass-generations.server";
import { History } from "../../features/activity/history";
import { generationHistory } from "../../features/activity/history.server";
import { listView, readList } from "../../http/list.server";
import { formatBytes } from "../../format/number";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { DownloadOutcome } from "../../ui/form/download";
import { Page } from "../../ui/layout/page";
import { ListNotes } from "../../ui/table/list-notes";
import { CodesTable } from "./codes-table";
import { Facts } from "./facts";
import { GenerationActions } from "./generation-actions";
import * as css from "./generation-page.css";
import { toPageView } from "./page-view";
import { useArchive } from "./use-archive";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.words.name ?? "Mass generation"} - QR Generation - Promo Console` },
];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  const { user } = await requireUser(args);
  const details = await getGenerationDetails(args.params.generationId ?? "");
  const { generation } = details;
  const list = readList(args.request, codeList);
  const timeZone = siteTimeZone();
  const [codes, history] = await Promise.all([
    listGenerationCodes(generation, list.query),
    generationHistory(generation.id, timeZone),
  ]);
  return json({
    ...toPageView(details, codes, timeZone),
    archiveSize: formatBytes(archiveSize(generation)),
    history,
    messages: listView(codeList, list).messages,
    isFallback: codes.page !== list.query.page,
    isAdmin: user.role === "admin",
  });
});

/** Opening a dialog over the page, closing it, or noting that the archive was saved changes nothing. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const shown = ({ searchParams }: URL) =>
    ["page", "after", "before", "per_page"].map((name) => searchParams.get(name)).join();
  const isSamePage = shown(currentUrl) === shown(nextUrl);
  const isRepeated = currentUrl.href === nextUrl.href;
  return isSamePage && !formMethod && !isRepeated ? false : defaultShouldRevalidate;
}

export default function GenerationPage() {
  const page = useLoaderData<typeof loader>();
  const { words } = page;
  const download = useArchive(words.id);
  return (
    <Page title={words.name} actions={<GenerationActions page={page} download={download} />}>
      <Outlet />
      <ListNotes list={page} />
      <div className={css.parts}>
        {words.status !== "deleted" && <DownloadOutcome download={download} />}
        <Facts page={page} />
      </div>
      <CodesTable name={words.name} codes={page.codes} />
      <History entries={page.history} />
    </Page>
  );
}
