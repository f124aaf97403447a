/** The figures of a report by mail. */
import type { Knex } from "knex";
import { formatCents } from "../../format/money";
import { formatNumber } from "../../format/number";
import type { TemplateData } from "../mail/templates";
import { readActivityDays, sumActivity, type Activity } from "../reports/activity.server";
import { readSpans } from "../reports/spans.server";
import { withSnapshot } from "../reports/summary.server";
import { refusalMessage, refusalReasons } from "../redemptions/refusal-reason";
import { paths } from "../../paths";
import { describeDays, frequencyLabels, type Frequency } from "./report-schedule";

const units: Record<Frequency, string> = { daily: "day", weekly: "week", monthly: "month" };

/**
 * Reads the report of the last whole day, week or month, compared with as many days before it.
 * @param now replaces the database's clock, in tests
 */
export function readReport(
  frequency: Frequency,
  now: Date | null = null,
): Promise<Omit<TemplateData["report"], "reason">> {
  return withSnapshot(async (snapshot) => {
    const spans = await readSpansOf(frequency, snapshot.trx, now);
    const days = await readActivityDays(snapshot, spans);
    const [current, before] = [sumActivity(days.current), sumActivity(days.previous)];
    return {
      title: `${frequencyLabels[frequency]} report`,
      period: describeDays(spans.current),
      tables: [figuresTable(current, before), ...refusalsTable(current, before)],
      notes: [`Before: ${describeDays(spans.previous)}.`],
      path: `${paths.reports}?from=${spans.current.firstDay}&to=${spans.current.lastDay}`,
    };
  });
}

function readSpansOf(frequency: Frequency, trx: Knex.Transaction, now: Date | null) {
  const unit = units[frequency];
  const days = {
    firstDay: `(date_trunc('${unit}', local_time) - interval '1 ${unit}')::date`,
    endDay: `date_trunc('${unit}', local_time)::date`,
    previousDay: "first_day - (end_day - first_day)",
    previousEnd: "first_day",
  };
  return readSpans(trx, days, { now });
}

const headings = ["", "In this report", "Before"];

function figuresTable(current: Activity, before: Activity) {
  const row = (name: string, format: (value: number) => string, of: (sum: Activity) => number) => [
    name,
    format(of(current)),
    format(of(before)),
  ];
  return {
    title: "What happened",
    headings,
    rows: [
      row("Redemptions", formatNumber, ({ drinks, percentages }) => drinks + percentages),
      row("Free drinks", formatNumber, ({ drinks }) => drinks),
      row("Percentage discounts", formatNumber, ({ percentages }) => percentages),
      row(
        "Discounts given",
        formatCents,
        ({ drinkDiscount, percentageDiscount }) => drinkDiscount + percentageDiscount,
      ),
      row("Value of free drinks", formatCents, ({ drinkDiscount }) => drinkDiscount),
      row("Refused attempts", formatNumber, refusedOf),
    ],
  };
}

function refusedOf({ refused }: Activity): number {
  return refusalReasons.reduce((sum, reason) => sum + refused[reason], 0);
}

/** Lists the reasons that occurred; no table without any. */
function refusalsTable(current: Activity, before: Activity) {
  const reasons = refusalReasons.filter(
    (reason) => current.refused[reason] + before.refused[reason] > 0,
  );
  if (reasons.length === 0) return [];
  return [
    {
      title: "Refused attempts",
      headings,
      rows: reasons.map((reason) => [
        refusalMessage(reason),
        formatNumber(current.refused[reason]),
        formatNumber(before.refused[reason]),
      ]),
    },
  ];
}
