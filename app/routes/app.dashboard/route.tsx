import { json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { archivedNote } from "../../features/archived-months/archived-note.server";
import { readDashboard } from "../../features/dashboard/dashboard.server";
import { readFirstSteps } from "../../features/dashboard/first-steps.server";
import { toDashboardView } from "../../features/dashboard/dashboard-view";
import {
  recentLinks,
  recentList,
  sortTransactions,
} from "../../features/dashboard/recent-transactions";
import { OutgoingNotice } from "../../features/outgoing/outgoing-notice";
import { readPausedOutgoing } from "../../features/outgoing/outgoing.server";
import { defaultPeriod, parsePeriod, periodLabels, periods } from "../../features/reports/period";
import { newestTransactions } from "../../features/transactions/list-transactions.server";
import { siteFormat } from "../../features/settings/settings.server";
import { canEdit } from "../../features/sign-in/user";
import { toTransactionView } from "../../features/transactions/transaction";
import { paramReader } from "../../lists/parse-list";
import { pageMeta } from "../../forms/page-meta";
import { formatDateLine } from "../../format/date";
import { fromReplica, screenLoader, unavailableAs } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { readList } from "../../http/list.server";
import { readPreferences } from "../../http/preferences.server";
import type { Session } from "../../http/sessions.server";
import { paths } from "../../paths";
import { drawLineChart } from "../../ui/charts/line-chart.server";
import { ButtonLink } from "../../ui/form/button";
import { LinkTabs, Page } from "../../ui/layout/page";
import { FailedPage } from "../../ui/table/failed-page";
import { ListNotes } from "../../ui/table/list-notes";
import { Aside, ChartCard, FirstSteps, KeyFigures } from "./cards";
import * as css from "./dashboard.css";
import { RecentTransactions } from "./recent-transactions";

export type DashboardData = SerializeFrom<typeof loader>;

const failure = "Failed to load dashboard data";

export const meta = pageMeta();

export const handle = { hasTable: ({ rows }: DashboardData) => rows.length > 0 };

export const loader = screenLoader(requireUser, fromReplica(loadDashboard));

async function loadDashboard(args: LoaderFunctionArgs, { user }: Session) {
  const { request } = args;
  const { headers, ...list } = readList(request, recentList);
  const period = paramReader(list.params, list.errors)("period", defaultPeriod, parsePeriod);
  const { isFirstStepsShown } = readPreferences(request);
  const [figures, newest, pausedOutgoing, firstSteps] = await unavailableAs(failure, args, () =>
    Promise.all([
      readDashboard(period),
      newestTransactions({ limit: list.query.perPage, before: null }),
      readPausedOutgoing(user.role),
      isFirstStepsShown && canEdit(user) ? readFirstSteps(user.role) : null,
    ]),
  );
  const site = siteFormat();
  const { timeZone } = site;
  const { chart, ...view } = toDashboardView(period, figures, site);
  const transactions = sortTransactions(newest?.transactions ?? [], list.query.sort);
  const data = {
    ...view,
    messages: Object.values(list.errors),
    recent: recentLinks(list.params, list.query),
    period,
    // Shown in the shell's navigation bar.
    today: formatDateLine(figures.spans.now, timeZone),
    chart: {
      ...chart,
      drawings: drawLineChart({ id: "redemptions", unit: "Redemptions", ...chart }),
    },
    rows: transactions.map((transaction) => toTransactionView(transaction, site, user)),
    archived: transactions.length === 0 ? await archivedNote(null) : null,
    firstSteps,
    pausedOutgoing,
  };
  return json(data, { headers });
}

export default function Dashboard() {
  const data = useLoaderData<typeof loader>();
  return (
    <Page
      title="Dashboard"
      beside={data.span}
      actions={<ButtonLink to={paths.reports}>Latest Reports</ButtonLink>}
    >
      <OutgoingNotice waiting={data.pausedOutgoing} />
      <ListNotes list={data} />
      {data.firstSteps && <FirstSteps steps={data.firstSteps} />}
      <LinkTabs
        label="Period"
        tabs={periods.map((period) => ({
          to: `${paths.dashboard}?period=${period}`,
          label: periodLabels[period],
          isCurrent: period === data.period,
        }))}
      />
      <KeyFigures figures={data.figures} span={data.span} />
      <div className={css.columns}>
        <div className={css.main}>
          <ChartCard chart={data.chart} />
          <RecentTransactions data={data} />
        </div>
        <Aside data={data} />
      </div>
    </Page>
  );
}

export function ErrorBoundary() {
  return <FailedPage routeId="routes/app.dashboard" title="Dashboard" failure={failure} />;
}
