/** The numbers of a report as it shows them: texts, links and the points of its charts. */
import { formatDate, formatDateTime } from "../../format/date";
import type { Cell } from "../../codec/csv.server";
import { decimalAmount, formatCents, type Currency } from "../../format/money";
import { countOf, formatNumber, formatShare } from "../../format/number";
import type { SiteFormat, WeekStart } from "../../format/site";
import { formatCode } from "../../format/promotion";
import { paths } from "../../paths";
import { countRefused, refusalLabels, refusalReasons } from "../redemptions/refusal-reason";
import { codeFor } from "../sign-in/masked";
import { refusalsAddress } from "../redemptions/refusal-list";
import { canEdit, type Reader } from "../sign-in/user";
import { transactionsAddress } from "../transactions/transaction-filters";
import { discountOf, redemptionsOf, type ActivityDay } from "./activity";
import type { Liability } from "./liability.server";
import { toRefusalRate } from "./refusal-rate";
import type { ResultRow } from "./results.server";
import type { Report } from "./report.server";
import { codesHeadings, type ReportSubject } from "./report-filters";
import {
  addDays,
  centsComparison,
  compare,
  type Comparison,
  daysBetween,
  describeDays,
  placeInWeek,
  refusedComparison,
  comparedUntil,
  weekdaysFrom,
} from "./period-texts";

export type ResultView = ReturnType<typeof toReportView>["rows"][number];

export function toReportView(report: Report, site: SiteFormat, reader: Reader) {
  const { by, spans, activity, liability } = report;
  const { current, previous } = activity;
  const isOtherYear = spans.previous.lastDay.slice(0, 4) !== spans.current.lastDay.slice(0, 4);
  const { firstDay, lastDay } = spans.previous;
  const before = describeDays(firstDay, lastDay, { withYear: isOtherYear });
  const figure = (name: string, now: number, then: number, more: Comparison = {}) => {
    const { earlier, change } = compare(now, then, before, more);
    const { format = formatNumber } = more;
    return { name, value: format(now), note: [earlier, change].filter(Boolean).join(" · ") };
  };
  const redemptions = redemptionsOf(current);
  return {
    by,
    days:
      describeDays(spans.current.firstDay, spans.current.lastDay, { withYear: true }) +
      comparedUntil(spans.previous, before, site.timeZone),
    figures: [
      figure("Redemptions", redemptions, redemptionsOf(previous)),
      figure(
        "Discounts given",
        discountOf(current),
        discountOf(previous),
        centsComparison(site.currency),
      ),
      figure("Free drinks", current.drinks, previous.drinks),
      figure(
        "Refused",
        countRefused(current.refused),
        countRefused(previous.refused),
        refusedComparison,
      ),
    ],
    refusals: refusalReasons
      .filter((reason) => current.refused[reason] > 0)
      .map((reason) => ({
        label: refusalLabels[reason],
        count: formatNumber(current.refused[reason]),
      })),
    liability: describeLiability(liability, site.currency),
    chart: discountChart(report),
    heat: heatMap(report, site.weekStart),
    hasRedemptions: redemptions > 0,
    rows: report.rows.map((row) => ({
      ...toResultView(by, row, site, reader),
      ...rowLinks(report, row, reader),
    })),
    total: report.total,
  };
}

function describeLiability({ drinks, value, percentageCodes }: Liability, currency: Currency) {
  return {
    drinks: formatNumber(drinks),
    value:
      value === null && drinks > 0
        ? "Not known: no free drink in the last 90 days"
        : `${formatCents(value ?? 0, currency)}, at the average price of the last 90 days`,
    percentageCodes: formatNumber(percentageCodes),
  };
}

/** Discounts by day; by month where there are more days than a chart can show. */
function discountChart({ spans, days, before }: Report) {
  const { firstDay, endDay } = spans.current;
  const dayCount = daysBetween(firstDay, endDay);
  const sums = (counted: ActivityDay[], keyOf: (day: string) => string) => {
    const byKey = new Map<string, number>();
    for (const day of counted)
      byKey.set(keyOf(day.day), (byKey.get(keyOf(day.day)) ?? 0) + discountOf(day));
    return byKey;
  };
  const isByDay = dayCount <= 92;
  const keyOf = (day: string) => (isByDay ? day : day.slice(0, 7));
  const keys = isByDay ? daysOf(firstDay, endDay) : monthsOf(firstDay, spans.current.lastDay);
  const current = sums(days, keyOf);
  const earlier = isByDay
    ? daysOf(spans.previous.firstDay, addDays(spans.previous.lastDay, 1))
    : [];
  const previous = sums(before, (day) => day);
  const points = keys.map((key, at) => {
    const isToCome = key > keyOf(spans.today);
    const dayBefore = isToCome ? undefined : earlier[at];
    return {
      label: isByDay ? `${key.slice(8)}.${key.slice(5, 7)}.` : `${key.slice(5)}.${key.slice(0, 4)}`,
      value: isToCome ? null : (current.get(key) ?? 0),
      before: dayBefore === undefined ? null : (previous.get(dayBefore) ?? 0),
    };
  });
  const labels = new Set(points.map(({ label }) => label));
  return {
    title: `Discounts given per ${isByDay ? "day" : "month"}`,
    description: `The discounts of ${countOf(dayCount, "day")}.`,
    labelHeading: isByDay ? "Day" : "Month",
    points:
      labels.size === points.length
        ? points
        : points.map((point, at) => ({ ...point, label: keys[at]! })),
    hasBefore: isByDay,
    isEmpty: points.every(({ value, before: earlierValue }) => !value && !earlierValue),
  };
}

/** Returns the months from that of the first day to that of the last one, as YYYY-MM. */
function monthsOf(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = first.slice(0, 7); month <= last.slice(0, 7);) {
    months.push(month);
    month = addDays(`${month}-01`, 31).slice(0, 7);
  }
  return months;
}

function daysOf(first: string, end: string): string[] {
  const days: string[] = [];
  for (let day = first; day < end; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Redemptions by weekday and hour on the clock. */
function heatMap({ days }: Report, weekStart: WeekStart) {
  const weekdays = weekdaysFrom(weekStart);
  const values = weekdays.map(() => Array.from({ length: 24 }, () => 0));
  for (const { day, byHour } of days) {
    const row = values[placeInWeek(day, weekStart)]!;
    byHour.forEach((count, hour) => (row[hour]! += count));
  }
  return {
    title: "Redemptions by weekday and hour",
    description: "The darker a cell, the more redemptions in that hour.",
    rowHeading: "weekday",
    columnHeading: "Hour",
    rows: weekdays.map((name) => name.slice(0, 3)),
    columns: Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0")),
    values,
  };
}

const pages: Record<ReportSubject, (row: ResultRow) => string> = {
  promotion: ({ id }) => paths.promotion(id),
  generation: ({ id }) => paths.generation(id),
  machine: ({ detail }) => paths.machine(detail),
  group: ({ id }) => paths.machineGroup(id),
};

/** The lists of what a row counts in the period; null where a list has no such filter, or a viewer no whole code. */
function rowLinks({ by, filters, spans }: Report, row: ResultRow, reader: Reader) {
  const { firstDay: createdAfter, lastDay: createdBefore } = spans.current;
  const { machine, generationId: massGenerationId } = filters;
  const subjects = {
    generation: { massGenerationId: row.id },
    promotion: canEdit(reader) ? { promotion: row.detail } : null,
    machine: { machine: row.detail },
    group: null,
  };
  const subject = filters.groupId === null || by === "machine" ? subjects[by] : null;
  const days = { createdAfter, createdBefore };
  return {
    toRedeemed:
      subject &&
      transactionsAddress({ ...days, status: "applied", machine, massGenerationId, ...subject }),
    toRefused:
      by === "machine" && massGenerationId === null
        ? refusalsAddress({ ...days, machine: row.detail })
        : null,
  };
}

function toResultView(
  by: ReportSubject,
  row: ResultRow,
  { timeZone, currency }: Pick<SiteFormat, "timeZone" | "currency">,
  reader: Reader,
) {
  const reasons = refusalReasons.filter((reason) => row.refused[reason] > 0);
  const date = (instant: Date | null) => instant && formatDate(instant, timeZone);
  return {
    id: row.id,
    name: row.name || row.detail,
    detail: by === "promotion" ? formatCode(codeFor(reader, row.detail)) : row.detail,
    to: pages[by](row),
    codes: formatNumber(row.codes),
    redemptions: formatNumber(row.redemptions),
    rate: row.uses === null ? "No fixed limit" : formatShare(row.redemptions, row.uses),
    discount: formatCents(row.discount, currency),
    refused: formatNumber(countRefused(row.refused)),
    refusalRate: describeRefusalRate(row),
    // No line ends with a number.
    reasons: reasons
      .map((reason) => `${formatNumber(row.refused[reason])} ${refusalLabels[reason]}`)
      .map((part) => part.toLowerCase().replace(" ", "\u00a0"))
      .join(", "),
    firstUse: date(row.firstUse) ?? "–",
    lastUse: date(row.lastUse) ?? "–",
    isIdle: row.idleMachines !== null && row.idleMachines > 0,
    idleMachines: row.idleMachines === null ? "–" : formatNumber(row.idleMachines),
  };
}

/** '25% of 20' attempts, with the most frequent reason; null for a machine that nobody asked. */
function describeRefusalRate(row: ResultRow) {
  const { attempts, rate, reason, reasonLabel, isOften } = toRefusalRate(row);
  if (attempts === 0) return null;
  return {
    text: `${rate} of ${formatNumber(attempts)}`,
    reason: reason && `mostly ${reasonLabel.toLowerCase()}`,
    isOften,
  };
}

type CsvColumn = [heading: string, cell: (row: ResultRow) => Cell];

/**
 * Headings and cells of the table as CSV.
 * @param timeZone the site's IANA zone
 */
export function resultColumns(by: ReportSubject, timeZone: string, reader: Reader): CsvColumn[] {
  const time = (instant: Date | null) => instant && formatDateTime(instant, timeZone);
  const isOfCodes = by === "promotion" || by === "generation";
  const details: Partial<Record<ReportSubject, CsvColumn>> = {
    promotion: ["Code", ({ detail }) => formatCode(codeFor(reader, detail))],
    machine: ["Serial number", ({ detail }) => detail],
  };
  const detail = details[by];
  const ofCodes: CsvColumn = ["Uses issued", ({ uses }) => uses];
  const ofMachines: CsvColumn = ["Idle machines", ({ idleMachines }) => idleMachines];
  const refusalRates: CsvColumn[] = [
    ["Attempts", (row) => toRefusalRate(row).attempts],
    ["Refusal rate", (row) => toRefusalRate(row).rate],
    ["Most frequent reason", (row) => toRefusalRate(row).reasonLabel],
  ];
  return [
    ["ID", ({ id }) => id],
    ["Name", ({ name }) => name],
    ...(detail ? [detail] : []),
    [codesHeadings[by], ({ codes }) => codes],
    ["Redeemed", ({ redemptions }) => redemptions],
    isOfCodes ? ofCodes : ofMachines,
    ["Discount", ({ discount }) => decimalAmount(discount)],
    ["Refused", ({ refused }) => countRefused(refused)],
    ...(isOfCodes ? [] : refusalRates),
    ...refusalReasons.map((reason): CsvColumn => [
      `Refused: ${refusalLabels[reason].toLowerCase()}`,
      ({ refused }) => refused[reason],
    ]),
    [`First use (${timeZone})`, ({ firstUse }) => time(firstUse)],
    [`Last use (${timeZone})`, ({ lastUse }) => time(lastUse)],
  ];
}
