import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { getMachine } from "../../features/machines/machine-details.server";
import { listMachinePromotions } from "../../features/promotions/manage-machines/machine-promotions.server";
import { readMachineActivity } from "../../features/redemptions/activity.server";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { machineOfAddress, unavailableAs } from "../../http/machine-routes.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { notes } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { Facts } from "./facts";
import { toPageView } from "./page-view";
import { parsePeriod } from "./period";
import { Redemptions } from "./redemptions";
import { RefusedAttempts } from "./refused-attempts";
import { Transactions } from "./transactions";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.machine.serialNumber ?? "Machine"} - Machines - Promo Console` },
];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  const { period, problem } = parsePeriod(new URL(args.request.url).searchParams);
  return unavailableAs("Failed to load machines data", args, async () => {
    const machine = await getMachine(machineOfAddress(args.request));
    const [promotions, activity] = await Promise.all([
      // Only the count: the dialog has the lines.
      listMachinePromotions(machine.id, { page: 1, perPage: 1 }),
      readMachineActivity(machine.id, period),
    ]);
    const words = toPageView(machine, promotions, activity, siteTimeZone());
    // Loaded when needed: the library takes a quarter of a second of every start.
    const { drawBarChart } = await import("../../ui/charts/bar-chart.server");
    const chart = words.chart && drawBarChart(words.chart);
    return json({ ...words, chart, problem });
  });
});

export default function MachinePage() {
  const page = useLoaderData<typeof loader>();
  const { machine, problem } = page;
  return (
    <Page
      title={machine.humanName}
      actions={
        <ButtonLink to={paths.transactionsOf(machine.serialNumber)}>All transactions</ButtonLink>
      }
    >
      {(problem || machine.deleted) && (
        <div className={notes}>
          {problem && <MessageBlock kind="warning">{problem}</MessageBlock>}
          {machine.deleted && <MessageBlock kind="warning">{machine.deleted}</MessageBlock>}
        </div>
      )}
      <Facts page={page} />
      <Redemptions page={page} />
      <RefusedAttempts page={page} />
      <Transactions page={page} />
    </Page>
  );
}
