import type { SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { suggestMachines } from "../../features/machines/machines.server";
import { SerialSuggestions } from "../../features/machines/serial-suggestions";
import { listReportGroups, readReport } from "../../features/reports/report.server";
import {
  periodOptions,
  reportAddress,
  reportList,
  reportParams,
  subjectLabels,
  type ReportSubject,
} from "../../features/reports/report-filters";
import { toReportView } from "../../features/reports/report-view";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { loadList } from "../../http/list.server";
import { paths } from "../../paths";
import { drawHeatMap } from "../../ui/charts/heat-map.server";
import { drawLineChart } from "../../ui/charts/line-chart.server";
import { Chart } from "../../ui/charts/chart";
import { ButtonLink } from "../../ui/form/button";
import { CardSection, Figures } from "../../ui/layout/detail";
import { parts } from "../../ui/layout/layout.css";
import { Card, FactList, LinkTabs, Page } from "../../ui/layout/page";
import { FilterBar } from "../../ui/table/filter-bar";
import { ListNotes } from "../../ui/table/list-notes";
import { formatCents } from "../../format/money";
import { muted } from "#styles/global.css";
import { ResultsTable } from "./results-table";
import * as css from "./reports.css";

export type ReportData = SerializeFrom<typeof loader>;

export const meta = pageMeta();

export const loader = screenLoader(requireUser, ({ request }, { user }) =>
  loadList(request, reportList, async ({ query: { page, perPage, sort }, filters }) => {
    const [report, groups, machines] = await Promise.all([
      readReport(filters, { sort, limit: perPage, offset: (page - 1) * perPage }),
      listReportGroups(),
      suggestMachines(),
    ]);
    const { chart, heat, ...view } = toReportView(report, siteTimeZone());
    const { hasBefore, isEmpty, ...line } = chart;
    return {
      ...view,
      page,
      hasDiscounts: !isEmpty,
      line: drawLineChart({
        id: "discounts",
        unit: "Discounts",
        format: formatCents,
        ...line,
        ...(hasBefore && { series: { current: "This period", before: "The period before" } }),
      }),
      heat: drawHeatMap({ id: "heat", unit: "Redemptions", ...heat }),
      tabs: (Object.keys(subjectLabels) as ReportSubject[]).map((by) => ({
        to: reportAddress(filters, by),
        label: subjectLabels[by],
        isCurrent: by === report.by,
      })),
      csv: `${paths.reportsCsv}?${new URLSearchParams(reportParams(filters))}`,
      groups,
      machines,
      canMail: user.role === "admin",
    };
  }),
);

export default function Reports() {
  const data = useLoaderData<typeof loader>();
  return (
    <Page
      title="Reports"
      beside={data.days}
      actions={
        <>
          <ButtonLink to={data.csv} reloadDocument icon="download">
            Export CSV
          </ButtonLink>
          {data.canMail && <ButtonLink to={paths.reportSchedules}>Reports by mail</ButtonLink>}
        </>
      }
    >
      <ListNotes list={data} />
      <FilterBar
        list={reportList}
        data={data}
        options={{ period: periodOptions, group: data.groups }}
        suggestions={data.machines.length > 0 ? { machine: "machines" } : {}}
      >
        <SerialSuggestions id="machines" machines={data.machines} />
      </FilterBar>
      <div className={parts}>
        <Card>
          <Figures figures={data.figures} />
        </Card>
        <section>
          <LinkTabs label="Results by" tabs={data.tabs} />
          <ResultsTable data={data} />
        </section>
        <CardSection title="Discounts given over time">
          {data.hasDiscounts ? (
            <Chart {...data.line} />
          ) : (
            <p className={muted}>No discounts in this period or the one before.</p>
          )}
        </CardSection>
        <CardSection title="Redemptions by weekday and hour">
          {data.hasRedemptions ? (
            <Chart {...data.heat} />
          ) : (
            <p className={muted}>No redemptions in this period.</p>
          )}
        </CardSection>
        <div className={css.cards}>
          <CardSection title="Liability" note="now">
            <FactList
              facts={[
                ["Free drinks outstanding", data.liability.drinks],
                ["Estimated value", data.liability.value],
                ["Active percentage codes", data.liability.percentageCodes],
              ]}
            />
          </CardSection>
          {data.refusals.length > 0 && (
            <CardSection title="Refused by reason">
              <FactList facts={data.refusals.map(({ label, count }) => [label, count] as const)} />
            </CardSection>
          )}
        </div>
      </div>
    </Page>
  );
}
