import { json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { archiveSize } from "../../features/mass-generations/generation-archive.server";
import { codeList } from "../../features/mass-generations/mass-generation-view";
import {
  getGenerationDetails,
  listGenerationCodes,
} from "../../features/mass-generations/list-mass-generations.server";
import { History } from "../../features/activity/history";
import { generationHistory } from "../../features/activity/audit-log.server";
import { formMeta } from "../../forms/form-meta";
import { formatBytes } from "../../format/number";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { listView, readList } from "../../http/list.server";
import { DownloadOutcome } from "../../ui/form/download";
import { parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { keepUnderDialogs } from "../../ui/overlay/dialog-route";
import { ListNotes } from "../../ui/table/list-notes";
import { CodesTable, Facts, GenerationActions, useArchive } from "./page-parts";
import { toPageView } from "./page-view";

export type GenerationPageData = SerializeFrom<typeof loader>;

export const meta = formMeta<{ generation: { name: string } }>(
  (data) => `${data?.generation.name ?? "Mass generation"} - QR Generation`,
);

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

// Noting that the archive was saved changes nothing either.
export const shouldRevalidate = keepUnderDialogs(({ searchParams }) =>
  ["page", "after", "before", "per_page"].map((name) => searchParams.get(name)).join(),
);

export default function GenerationPage() {
  const page = useLoaderData<typeof loader>();
  const { generation } = page;
  const download = useArchive(generation.id);
  return (
    <Page title={generation.name} actions={<GenerationActions page={page} download={download} />}>
      <Outlet />
      <ListNotes list={page} />
      <div className={parts}>
        {generation.status !== "deleted" && <DownloadOutcome download={download} />}
        <Facts page={page} />
      </div>
      <CodesTable name={generation.name} codes={page.codes} />
      <History entries={page.history} />
    </Page>
  );
}
