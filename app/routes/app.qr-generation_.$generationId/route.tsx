import type { SerializeFrom } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { archiveSize } from "../../features/mass-generations/generation-archive.server";
import { codeList, toGenerationView } from "../../features/mass-generations/mass-generation-view";
import {
  type GenerationCodes,
  type GenerationDetails,
  getGenerationDetails,
  listGenerationCodes,
} from "../../features/mass-generations/list-mass-generations.server";
import { History } from "../../features/activity/history";
import { generationHistory } from "../../features/activity/audit-log.server";
import { formMeta } from "../../forms/form-meta";
import { formatBytes, formatNumber } from "../../format/number";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { listView, readList } from "../../http/list.server";
import { DownloadOutcome } from "../../ui/form/download";
import { parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { keepUnderDialogs } from "../../ui/overlay/dialog-route";
import { ListNotes } from "../../ui/table/list-notes";
import { CodesTable, Facts, GenerationActions, useArchive } from "./generation-details";
import { toAssignedView } from "../../features/assignments/assigned-machines";
import { whyNobodyAccepts } from "../../features/assignments/targets";
import { promotionStatuses } from "../../features/promotions/promotion";
import { statusLabels } from "../../features/promotions/promotion-view";
import { formatCode, formatUsesLeft } from "../../format/promotion";

export type GenerationPageData = SerializeFrom<typeof loader>;

export const meta = formMeta<{ generation: { name: string } }>(
  (data) => `${data?.generation.name ?? "Mass generation"} - QR Generation`,
);

export const loader = screenLoader(requireUser, async (args, { user }) => {
  const details = await getGenerationDetails(args.params.generationId ?? "");
  const { generation } = details;
  const list = readList(args.request, codeList);
  const timeZone = siteTimeZone();
  const [codes, history] = await Promise.all([
    listGenerationCodes(generation, list.query),
    generationHistory(generation.id, timeZone),
  ]);
  return {
    ...toPageView(details, codes, timeZone),
    archiveSize: formatBytes(archiveSize(generation)),
    history,
    messages: listView(codeList, list).messages,
    isFallback: codes.page !== list.query.page,
    isAdmin: user.role === "admin",
  };
});

/** @param timeZone the site's IANA zone */
function toPageView(
  details: GenerationDetails,
  { codes, ...paging }: GenerationCodes,
  timeZone: string,
) {
  const { generation, outcome } = details;
  const { byStatus } = outcome;
  const view = toGenerationView(generation, outcome.used, timeZone);
  return {
    generation: view,
    reason: reasonOf(details, view.validity),
    figures: [
      { name: "Codes", value: formatNumber(generation.numCodes), note: "" },
      { name: "Used", value: formatNumber(outcome.used), note: view.usedShare },
      { name: "Still usable", value: formatNumber(byStatus.active), note: "" },
      { name: "Deleted", value: formatNumber(byStatus.deleted), note: "" },
    ],
    uses: formatNumber(outcome.uses),
    byStatus: promotionStatuses
      .filter((status) => byStatus[status] > 0)
      .reverse()
      .map((status) => `${formatNumber(byStatus[status])} ${statusLabels[status].toLowerCase()}`)
      .join(", "),
    assigned: toAssignedView(details),
    codes: {
      rows: codes.map(({ id, code, status, activationCount, remainingUses }) => ({
        id,
        code: formatCode(code),
        status,
        used: formatNumber(activationCount),
        usesLeft: formatUsesLeft(remainingUses),
      })),
      total: generation.numCodes,
      ...paging,
    },
  };
}

/** Explains the status and its consequence at a machine. */
function reasonOf(details: GenerationDetails, validity: string): string {
  switch (details.generation.status) {
    case "deleted":
      return "Machines refuse its codes; an admin can restore it.";
    case "expired":
      return `It was ${validity}. Machines refuse its codes.`;
    case "not_assigned":
      return "No machine is assigned, so no machine accepts its codes.";
    case "active": {
      const why = whyNobodyAccepts(details);
      return why
        ? `${why}, so no machine accepts its codes.`
        : "The assigned machines accept its codes.";
    }
  }
}

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
