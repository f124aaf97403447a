import type { LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import {
  archivedNote,
  missingRefusalsNote,
} from "../../features/archived-months/archived-note.server";
import { machineIntents } from "../../features/machines/machine";
import { markMachineDeleted } from "../../features/machines/manual-machines.server";
import { platformKind } from "../../features/machines/platform.server";
import { getMachine } from "../../features/machines/machines.server";
import { listMachinePromotions } from "../../features/promotions/manage-machines/machine-promotions.server";
import { defaultPeriod, parseActivityPeriod } from "../../features/redemptions/machine-activity";
import { readMachineActivity } from "../../features/redemptions/activity.server";
import { readMachineDays } from "../../features/reports/machine-use.server";
import { siteFormat } from "../../features/settings/settings.server";
import { MaskedNote } from "../../features/sign-in/viewer";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { pageSearch } from "../../lists/list-params";
import { paramReader, type Errors } from "../../lists/parse-list";
import { fromReplica, unavailableAs } from "../../http/answers.server";
import { formLoader, type FormPost, formsAction } from "../../http/form-action.server";
import { requireAdmin, requireUser } from "../../http/guards.server";
import { machineOfAddress } from "../../http/machine-routes.server";
import type { Session } from "../../http/sessions.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { PostButton } from "../../ui/form/post-button";
import { DetailColumns, Figures } from "../../ui/layout/detail";
import { parts } from "../../ui/layout/layout.css";
import { Card, Page } from "../../ui/layout/page";
import { ListNotes } from "../../ui/table/list-notes";
import {
  Facts,
  LatestRefusals,
  PeriodTabs,
  Redemptions,
  RefusalRates,
  Refusals,
  Transactions,
} from "./machine-report";
import { toPageView } from "./page-view";

export type MachinePageData = SerializeFrom<typeof loader>;

export const meta = pageMeta();

export const handle = {
  nameOf: ({ machine }: { machine: { humanName: string } }) => machine.humanName,
};

export const loader = formLoader(requireUser, fromReplica(loadMachine));

async function loadMachine(args: LoaderFunctionArgs, { user }: Session) {
  const errors: Errors = {};
  const read = paramReader(new URL(args.request.url).searchParams, errors);
  const period = read("period", defaultPeriod, parseActivityPeriod);
  return unavailableAs("Failed to load machines data", args, async () => {
    const machine = await getMachine(machineOfAddress(args.request));
    const [promotions, activity, attemptDays, platform] = await Promise.all([
      // The page shows only totals; the dialog lists the campaigns.
      listMachinePromotions(machine.id, { page: 1, perPage: 1 }),
      readMachineActivity(machine.id, period),
      readMachineDays(machine.id, period),
      platformKind(),
    ]);
    const archived = await archivedNote(null);
    const missingRefusals = await missingRefusalsNote();
    const site = { ...siteFormat(), hasPlatform: platform !== "none" };
    const view = toPageView(machine, promotions, { ...activity, attemptDays }, site, user);
    // Loaded when needed: the library takes a quarter of a second of every start.
    const { drawBarChart } = await import("../../ui/charts/bar-chart.server");
    const chart = view.chart && drawBarChart(view.chart);
    const rateChart = view.rateChart && drawBarChart(view.rateChart);
    const notes = { archived, missingRefusals, messages: Object.values(errors) };
    const isEditable = !site.hasPlatform && user.role === "admin";
    return { ...view, ...notes, chart, rateChart, isEditable };
  });
}

export const action = formsAction({
  guard: requireAdmin,
  forms: {
    [machineIntents.remove]: mark(true, "Machine marked as deleted. It accepts no codes."),
    [machineIntents.restore]: mark(false, "Machine restored"),
  },
});

function mark(isDeleted: boolean, text: string) {
  return async ({ request, options }: FormPost) => {
    const serialNumber = machineOfAddress(request);
    await markMachineDeleted(serialNumber, isDeleted, options);
    const { searchParams } = new URL(request.url);
    return { to: paths.machine(serialNumber) + pageSearch(searchParams), text };
  };
}

export const clientAction = rerenderForm("Error updating machine");

export default function MachinePage() {
  const page = useLoaderData<typeof loader>();
  const { machine } = page;
  return (
    <Page
      title={machine.humanName}
      beside={<MaskedNote />}
      actions={
        <>
          {page.isEditable && (
            <>
              <ButtonLink to={paths.machineEdit(machine.serialNumber)}>Edit</ButtonLink>
              {machine.deleted === null ? (
                <PostButton intent={machineIntents.remove} pendingLabel="Marking...">
                  Mark as deleted
                </PostButton>
              ) : (
                <PostButton intent={machineIntents.restore} pendingLabel="Restoring...">
                  Restore
                </PostButton>
              )}
            </>
          )}
          <ButtonLink to={paths.transactionsOf(machine.serialNumber)}>All transactions</ButtonLink>
        </>
      }
    >
      <ListNotes list={page}>
        {machine.deleted && <MessageBlock kind="warning">{machine.deleted}</MessageBlock>}
      </ListNotes>
      <PeriodTabs page={page} />
      <div className={parts}>
        <Card>
          <Figures figures={page.figures} />
        </Card>
        <DetailColumns aside={<Facts page={page} />}>
          <Redemptions page={page} />
          <Refusals page={page} />
        </DetailColumns>
        <RefusalRates page={page} />
        <Transactions page={page} />
        <LatestRefusals page={page} />
      </div>
    </Page>
  );
}
