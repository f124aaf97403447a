import type { LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { archivedNote } from "../../features/archived-months/archived-note.server";
import { suggestMachines } from "../../features/machines/machines.server";
import type { GroupChoice } from "../../features/machines/machine-group";
import { listGroupChoices } from "../../features/machines/machine-groups.server";
import { readReport, type Report } from "../../features/reports/report.server";
import {
  defaultPeriod,
  parseReportFilters,
  reportAddress,
  reportList,
  reportParams,
  reportPeriods,
  subjectLabels,
  type ReportFilters,
  type ReportPeriod,
  type ReportSubject,
} from "../../features/reports/report-filters";
import { toReportView } from "../../features/reports/report-view";
import { deletedRefusalsNote } from "../../features/reports/refusal-retention.server";
import { siteFormat } from "../../features/settings/settings.server";
import { formatDateTime } from "../../format/date";
import { formatCents } from "../../format/money";
import { capitalized } from "../../format/text";
import { loadList } from "../../http/list.server";
import type { Session } from "../../http/sessions.server";
import { serverPaths } from "../../paths";
import { drawHeatMap } from "../../ui/charts/heat-map.server";
import { drawLineChart } from "../../ui/charts/line-chart.server";

export type ReportData = SerializeFrom<typeof loadReport>;

export async function loadReport({ request }: LoaderFunctionArgs, { user }: Session) {
  return loadList(
    request,
    reportList,
    async ({ query: { page, perPage, sort }, filters }) => {
      const [report, groups, machines] = await Promise.all([
        readReport(filters, { sort, limit: perPage, offset: (page - 1) * perPage }),
        listGroupChoices(),
        suggestMachines(),
      ]);
      const site = siteFormat();
      const { chart, heat, ...view } = toReportView(report, site, user);
      const { hasBefore, isEmpty, ...line } = chart;
      return {
        ...view,
        page: report.page,
        missing: await describeMissing(filters, report.spans),
        hasDiscounts: !isEmpty,
        line: drawLineChart({
          id: "discounts",
          unit: "Discounts",
          format: (cents) => formatCents(cents, site.currency),
          ...line,
          ...(hasBefore && { series: { current: "This period", before: "The period before" } }),
        }),
        heat: drawHeatMap({ id: "heat", unit: "Redemptions", ...heat }),
        tabs: (Object.keys(subjectLabels) as ReportSubject[]).map((by) => ({
          to: reportAddress(filters, { by }),
          label: subjectLabels[by],
          isCurrent: by === report.by,
        })),
        periods: periodTabs(filters),
        /** Says on paper what the report covers, and when it was made. */
        printNote: `As of ${formatDateTime(report.spans.now, site.timeZone)}. ${describeFilters(filters, groups)}.`,
        csv: `${serverPaths.reportsCsv}?${new URLSearchParams(reportParams(filters))}`,
        groups: groups.map(({ id, name }): [string, string] => [id, name]),
        machines,
        canMail: user.role === "admin",
      };
    },
    parseReportFilters,
  );
}

/** Says which rows are archived or deleted, and where they are missing; '' if none are. */
async function describeMissing(
  { generationId }: ReportFilters,
  { current, previous, now }: Report["spans"],
): Promise<string> {
  // Without a campaign, the period before has its sums by day.
  const { from } = generationId === null ? current : previous;
  const archived = await archivedNote(from);
  const deleted = await deletedRefusalsNote(from, now);
  if (!archived && !deleted) return "";
  const consequences =
    generationId === null
      ? [
          "Campaigns are counted without them where a month is cut or machines are chosen.",
          archived && "The first and last use of machines and groups leave them out.",
        ]
      : [
          "A chosen campaign is counted without them, except in its own row, which has whole months unless machines are chosen.",
        ];
  return [archived, deleted, ...consequences].filter(Boolean).join(" ");
}

function describeFilters(
  { machine, groupId, generationId }: ReportFilters,
  groups: readonly GroupChoice[],
): string {
  const group = groups.find(({ id }) => id === groupId)?.name ?? groupId;
  const named = [
    machine && `machine ${machine}`,
    group && `machine group ${group}`,
    generationId && `campaign number ${generationId}`,
  ].filter(Boolean);
  return named.length > 0 ? `Filtered by ${named.join(", ")}` : "All machines and campaigns";
}

/** A tab for each period. Days that were chosen are none of them. */
function periodTabs(filters: ReportFilters) {
  const hasDays = filters.from !== null || filters.to !== null;
  return (Object.keys(reportPeriods) as ReportPeriod[]).map((period) => ({
    to: reportAddress(filters, {
      period: period === defaultPeriod ? null : period,
      from: null,
      to: null,
    }),
    label: capitalized(reportPeriods[period]),
    isCurrent: !hasDays && period === (filters.period ?? defaultPeriod),
  }));
}
