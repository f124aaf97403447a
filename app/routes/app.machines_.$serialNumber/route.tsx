import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { getMachine } from "../../features/machines/machines.server";
import { listMachinePromotions } from "../../features/promotions/manage-machines/machine-promotions.server";
import { activityPeriods, defaultPeriod } from "../../features/redemptions/machine-activity";
import { readMachineActivity } from "../../features/redemptions/activity.server";
import { readMachineDays } from "../../features/reports/machine-use.server";
import { pageMeta } from "../../forms/page-meta";
import { paramReader, type Errors } from "../../lists/parse-list";
import { screenLoader, unavailableAs } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { machineOfAddress } from "../../http/machine-routes.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
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

export const meta = pageMeta<{ machine: { serialNumber: string } }>(
  (data) => `${data?.machine.serialNumber ?? "Machine"} - Machines`,
);

export const loader = screenLoader(requireUser, async (args) => {
  const errors: Errors = {};
  const read = paramReader(new URL(args.request.url).searchParams, errors);
  const period = read(
    "period",
    defaultPeriod,
    (text) => activityPeriods.find((days) => `${days}` === text) ?? null,
  );
  return unavailableAs("Failed to load machines data", args, async () => {
    const machine = await getMachine(machineOfAddress(args.request));
    const [promotions, activity, attemptDays] = await Promise.all([
      // Only the count: the dialog has the lines.
      listMachinePromotions(machine.id, { page: 1, perPage: 1 }),
      readMachineActivity(machine.id, period),
      readMachineDays(machine.id, period),
    ]);
    const view = toPageView(machine, promotions, { ...activity, attemptDays }, siteTimeZone());
    // Loaded when needed: the library takes a quarter of a second of every start.
    const { drawBarChart } = await import("../../ui/charts/bar-chart.server");
    const chart = view.chart && drawBarChart(view.chart);
    const rateChart = view.rateChart && drawBarChart(view.rateChart);
    return { ...view, chart, rateChart, messages: Object.values(errors) };
  });
});

export default function MachinePage() {
  const page = useLoaderData<typeof loader>();
  const { machine } = page;
  return (
    <Page
      title={machine.humanName}
      actions={
        <ButtonLink to={paths.transactionsOf(machine.serialNumber)}>All transactions</ButtonLink>
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
