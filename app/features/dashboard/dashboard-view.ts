/** The figures of the dashboard as it shows them: texts, links to the rows that they count, and the chart's points. */
import { formatDateTime, toTimestampView } from "../../format/date";
import { formatCents } from "../../format/money";
import { countOf, formatNumber } from "../../format/number";
import type { SiteFormat } from "../../format/site";
import { pageSearch } from "../../lists/list-params";
import { paths } from "../../paths";
import { activityLabels, type MachineActivity } from "../machines/machine";
import {
  filtersToParams,
  noFilters,
  promotionList,
  type PromotionFilters,
} from "../promotions/list/promotion-filters";
import { refusalsAddress, type RefusalFilters } from "../redemptions/refusal-list";
import { countRefused, refusalLabels, refusalReasons } from "../redemptions/refusal-reason";
import { discountOf, redemptionsOf } from "../reports/activity";
import type { Period } from "../reports/period";
import {
  centsComparison,
  compare,
  daysBetween,
  describeDays,
  monthNames,
  refusedComparison,
  comparedUntil,
  untilTime,
  weekdaysFrom,
  type Comparison,
} from "../reports/period-texts";
import type { PeriodSpans } from "../reports/spans.server";
import { transactionsAddress, type TransactionFilters } from "../transactions/transaction-filters";
import type { DashboardFigures } from "./dashboard.server";

export type Link = { label: string; value: string; to: string; tone?: "warn" | "info" };

export function toDashboardView(period: Period, figures: DashboardFigures, site: SiteFormat) {
  const { promotions, machines } = figures;
  const { timeZone } = site;
  return {
    figures: figuresOf(period, figures, site),
    span: describeCurrent(period, figures.spans, timeZone),
    tracker: trackerOf(promotions),
    types: [
      stateOf("Free Drink Promos", promotions.freeDrinks, { discountType: "free_drink" }),
      stateOf("Percentage Promos", promotions.total - promotions.freeDrinks, {
        discountType: "percentage",
      }),
      stateOf("Total Promos", promotions.total, {}),
    ],
    machines: (Object.keys(activityLabels) as (keyof typeof activityLabels)[]).map((activity) => ({
      label: activityLabels[activity] satisfies MachineActivity,
      value: formatNumber(machines.counts[activity]),
      to: `${paths.machines}?activity=${activity}`,
    })),
    machinesUpdated: toTimestampView(machines.countedAt, timeZone),
    chart: chartOf(period, figures, site),
  };
}

/** The four figures at the top, each compared with the period before. */
function figuresOf(
  period: Period,
  { spans, activity: { current, previous }, completed }: DashboardFigures,
  { timeZone, currency }: SiteFormat,
) {
  const before = describePrevious(period, spans, timeZone);
  const compared = (figureOf: (activity: typeof current) => number, words?: Comparison) =>
    compare(figureOf(current), figureOf(previous), before, words);
  const links = linksOf(spans);
  return [
    {
      name: "Redemptions",
      value: formatNumber(redemptionsOf(current)),
      to: links.transactions(),
      comparison: compared(redemptionsOf),
      parts: [],
    },
    {
      name: "Discounts given",
      value: formatCents(discountOf(current), currency),
      to: links.transactions(),
      comparison: compared(discountOf, centsComparison(currency)),
      parts: [
        {
          label: `drink${current.drinks === 1 ? "" : "s"}`,
          value: formatNumber(current.drinks),
          to: links.transactions({ type: "free_drink" }),
        },
        {
          label: `percentage${current.percentages === 1 ? "" : "s"}`,
          value: formatNumber(current.percentages),
          to: links.transactions({ type: "percentage" }),
        },
      ],
    },
    {
      name: "Refused",
      value: formatNumber(countRefused(current.refused)),
      to: links.refusals(),
      comparison: compared(({ refused }) => countRefused(refused), refusedComparison),
      parts: refusalReasons
        .filter((reason) => current.refused[reason] > 0)
        .sort((one, other) => current.refused[other] - current.refused[one])
        .map((reason) => ({
          label: refusalLabels[reason].toLowerCase(),
          value: formatNumber(current.refused[reason]),
          to: links.refusals({ reason }),
        })),
    },
    {
      name: "Completed Promo",
      value: formatNumber(completed.current),
      to: promotionsUrl({
        completedAfter: spans.current.firstDay,
        completedBefore: spans.current.lastDay,
      }),
      comparison: compare(completed.current, completed.previous, before),
      parts: [],
    },
  ];
}

function trackerOf(promotions: DashboardFigures["promotions"]) {
  return [
    stateOf("Active", promotions.active, { status: "active" }),
    stateOf(
      "Expiring within 7 days",
      promotions.expiring,
      { status: "active", expires: "7d" },
      "warn",
    ),
    stateOf("Not assigned", promotions.notAssigned, { status: "not_assigned" }, "info"),
    stateOf("Scheduled", promotions.scheduled, { status: "scheduled" }),
    stateOf("Used up", promotions.usedUp, { status: "used_up" }),
    stateOf("Expired", promotions.expired, { status: "expired" }),
  ];
}

/** @param tone marks a number that is not 0 */
function stateOf(
  label: string,
  count: number,
  filters: Partial<PromotionFilters>,
  tone?: Link["tone"],
): Link {
  const link = { label, value: formatNumber(count), to: promotionsUrl(filters) };
  return tone && count > 0 ? { ...link, tone } : link;
}

function promotionsUrl(filters: Partial<PromotionFilters>): string {
  const search = pageSearch(filtersToParams({ ...noFilters, ...filters }));
  return paths.qrList + (search || promotionList.emptySearch!);
}

function linksOf({ current }: PeriodSpans) {
  const days = { createdAfter: current.firstDay, createdBefore: current.lastDay };
  return {
    transactions: (filters: Partial<TransactionFilters> = {}) =>
      transactionsAddress({ ...days, status: "applied", ...filters }),
    refusals: (filters: Partial<RefusalFilters> = {}) => refusalsAddress({ ...days, ...filters }),
  };
}

/** The days that a period is compared with: 'yesterday until 15:59', '1–21 October'; with the year unless it is this one. */
export function describePrevious(
  period: Period,
  { previous, today }: Pick<PeriodSpans, "previous" | "today">,
  timeZone: string,
): string {
  const { firstDay, lastDay, from, to } = previous;
  if (period === "today") return `yesterday${untilTime(to, from, timeZone)}`;
  const last = to > from ? lastDay : firstDay;
  const withYear = last.slice(0, 4) !== today.slice(0, 4);
  return describeDays(firstDay, last, { withYear });
}

/** The days of a period so far: 'Today until 15:59', '1–21 November, compared with 1–21 October until 15:59'. */
function describeCurrent(period: Period, spans: PeriodSpans, timeZone: string) {
  const { current, previous, today, now } = spans;
  if (period === "today") return `Today until ${formatDateTime(now, timeZone).split(" ")[1]}`;
  const before = describePrevious(period, spans, timeZone);
  return describeDays(current.firstDay, today) + comparedUntil(previous, before, timeZone);
}

type Place = { label: string; value: number | null; before: number | null };

/** Redemptions at the places of the period: 24 hours, 7 weekdays, 31 days or 12 months. */
function chartOf(period: Period, figures: DashboardFigures, site: SiteFormat) {
  const points = placesOf(period, figures, site);
  const headings = { today: "Hour", week: "Weekday", month: "Day", year: "Month" };
  const names = {
    today: ["Today", "Yesterday"],
    week: ["This week", "The week before"],
    month: ["This month", "The month before"],
    year: ["This year", "The year before"],
  };
  const [current = "", before = ""] = names[period];
  const total = redemptionsOf(figures.activity.current);
  return {
    title: `Redemptions per ${headings[period].toLowerCase()}`,
    description: `${countOf(total, "redemption")} ${current.toLowerCase()}.`,
    labelHeading: headings[period],
    points,
    series: { current, before },
    isEmpty: points.every(({ value, before }) => !value && !before),
  };
}

function placesOf(
  period: Period,
  figures: DashboardFigures,
  { timeZone, weekStart }: SiteFormat,
): Place[] {
  const { spans, days, daysBefore, activity } = figures;
  const [, time = "00:00"] = formatDateTime(spans.now, timeZone).split(" ");
  if (period === "today") {
    const hour = Number(time.slice(0, 2));
    const upToNow = (counts: number[]) => counts.map((count, at) => (at > hour ? null : count));
    const [values, before] = [upToNow(activity.current.byHour), upToNow(activity.previous.byHour)];
    return values.map((value, at) => ({
      label: `${String(at).padStart(2, "0")}:00`,
      value,
      before: before[at] ?? null,
    }));
  }
  const labels = {
    week: weekdaysFrom(weekStart),
    month: Array.from({ length: 31 }, (_, at) => String(at + 1)),
    year: monthNames,
  }[period];
  const placeOf = (day: string, firstDay: string) =>
    period === "week"
      ? daysBetween(firstDay, day)
      : Number(period === "month" ? day.slice(8) : day.slice(5, 7)) - 1;
  const sumsOf = (counted: DashboardFigures["days"], firstDay: string, lastDay: string) => {
    const last = placeOf(lastDay, firstDay);
    const sums: (number | null)[] = labels.map((_, at) => (at > last ? null : 0));
    for (const day of counted) {
      const at = placeOf(day.day, firstDay);
      sums[at] = (sums[at] ?? 0) + redemptionsOf(day);
    }
    return sums;
  };
  const { current, previous } = spans;
  const values = sumsOf(days, current.firstDay, spans.today);
  const before =
    previous.lastDay < previous.firstDay
      ? labels.map(() => null)
      : sumsOf(daysBefore, previous.firstDay, previous.lastDay);
  return labels.map((label, at) => ({ label, value: values[at]!, before: before[at]! }));
}
