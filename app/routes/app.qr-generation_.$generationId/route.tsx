import type { SerializeFrom } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { siteTimeZone, siteToday } from "../../db/site.server";
import { History } from "../../features/activity/history";
import { generationHistory } from "../../features/activity/audit-log.server";
import { isMachineMissing } from "../../features/promotions/promotion-view";
import { toAssignedView, MachinesCard } from "../../features/assignments/assigned-machines";
import {
  editGeneration,
  generationEditFacts,
} from "../../features/mass-generations/edit-mass-generation.server";
import { archiveSize } from "../../features/mass-generations/generation-archive.server";
import { getMassGeneration } from "../../features/mass-generations/mass-generation.server";
import {
  codeList,
  generationProblem,
  toAddedView,
  toCodesView,
  toGenerationFigures,
  toGenerationView,
} from "../../features/mass-generations/mass-generation-view";
import {
  getGenerationDetails,
  listGenerationCodes,
} from "../../features/mass-generations/generation-details.server";
import { toTimesInput } from "../../features/promotions/form/times-form.server";
import { mayReactivate } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { toCampaignTimes } from "../../features/promotions/schedule";
import { describeCapsOf } from "../../features/caps/caps.server";
import { StatusBadge } from "../../features/promotions/status-badge";
import { useCanEdit } from "../../features/sign-in/viewer";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formatBytes } from "../../format/number";
import { formatCodes } from "../../format/promotion";
import { detailAction } from "../../http/detail-action.server";
import { formLoader } from "../../http/form-action.server";
import { requireUser } from "../../http/guards.server";
import { listView, readList } from "../../http/list.server";
import { DetailColumns } from "../../ui/layout/detail";
import { MessageBlock } from "../../ui/feedback/message-block";
import { DownloadOutcome } from "../../ui/form/download";
import { parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { ignoreDialogs } from "../../ui/overlay/dialog-route";
import { ListNotes } from "../../ui/table/list-notes";
import {
  AddedCodes,
  CodesTable,
  Facts,
  GenerationActions,
  Outcome,
  useArchive,
} from "./generation-details";

export type GenerationPageData = SerializeFrom<typeof loader>;

export const meta = pageMeta();

export const loader = formLoader(requireUser, async (args, { user, actor }) => {
  const details = await getGenerationDetails(args.params.generationId ?? "");
  const { generation, ...outcome } = details;
  const { id, isActive, isDeleted } = generation;
  const list = readList(args.request, codeList);
  const timeZone = siteTimeZone();
  const [codes, history, canReactivate, today, caps] = await Promise.all([
    listGenerationCodes(generation, list.query),
    generationHistory(id),
    outcome.status === "inactive" && mayReactivate({ type: "mass_generation", id }, actor),
    siteToday(),
    describeCapsOf({ type: "mass_generation", id }),
  ]);
  const view = toGenerationView({ ...generation, ...outcome }, timeZone);
  const facts: Record<string, string> = { ...view.facts, Caps: caps.text };
  return {
    generation: { ...view, facts },
    problem:
      generationProblem(
        details,
        timeZone,
        user.role === "viewer" ? undefined : { isAdmin: user.role === "admin", canReactivate },
      ) ?? caps.reached,
    figures: toGenerationFigures(details),
    assigned: toAssignedView(details, outcome.status === "active"),
    ownMachines:
      details.ownCodes > 0 ? `${formatCodes(details.ownCodes)} with their own machines` : null,
    codes: toCodesView(codes, generation.numCodes, user),
    archiveSize: formatBytes(archiveSize(generation)),
    added: details.added.map((codes) => toAddedView(codes, timeZone)),
    history,
    messages: listView(codeList, list).messages,
    isFallback: codes.page !== list.query.page,
    isAdmin: user.role === "admin",
    isMachineMissing: isMachineMissing(outcome.status, details),
    canDeactivate: isActive && !isDeleted && outcome.status !== "inactive",
    canReactivate,
    version: generation.version,
    edit: isDeleted ? null : generationEditFacts(generation, today),
    editTimes: toTimesInput(toCampaignTimes(generation.times)),
  };
});

export const handle = { nameOf: (page: GenerationPageData) => page.generation.name };

export const action = detailAction(
  "mass_generation",
  async (id) => {
    const generation = await getMassGeneration(id);
    return { ...generationEditFacts(generation, await siteToday()), version: generation.version };
  },
  editGeneration,
);

export const clientAction = rerenderForm("Error updating campaign");

// Noting that the archive was saved changes nothing either.
export const shouldRevalidate = ignoreDialogs(({ searchParams }) =>
  ["page", "after", "before", "per_page"].map((name) => searchParams.get(name)).join(),
);

export default function GenerationPage() {
  const page = useLoaderData<typeof loader>();
  const { generation } = page;
  const { id, name, status } = generation;
  const isEditor = useCanEdit();
  const download = useArchive(id);
  return (
    <Page
      title={name}
      beside={<StatusBadge status={status} />}
      actions={isEditor && <GenerationActions key={id} page={page} download={download} />}
    >
      <Outlet />
      <ListNotes list={page} />
      <div className={parts}>
        {isEditor && status !== "deleted" && <DownloadOutcome download={download} />}
        {page.problem && <MessageBlock kind="warning">{page.problem}</MessageBlock>}
        <DetailColumns aside={<Facts page={page} />}>
          <Outcome page={page} />
          {isEditor && status !== "deleted" && <AddedCodes page={page} />}
          <MachinesCard {...page.assigned} note={page.ownMachines} accepting="these codes" />
        </DetailColumns>
        <CodesTable name={name} codes={page.codes} />
        <History entries={page.history} />
      </div>
    </Page>
  );
}
