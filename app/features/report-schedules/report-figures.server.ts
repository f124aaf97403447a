/** The figures of a report by mail. */
import type { Knex } from "knex";
import { shorten } from "../../forms/storable-text";
import { formatCents } from "../../format/money";
import { formatNumber } from "../../format/number";
import { siteFormat } from "../settings/settings.server";
import type { TemplateData } from "../mail/templates";
import { discountOf, redemptionsOf, type Activity } from "../reports/activity";
import { readActivityDays, sumActivity } from "../reports/activity.server";
import { csvOf, readCampaigns, readMachines } from "./report-csv.server";
import { maxRefusedPercent, minAttempts, toRefusalRate } from "../reports/refusal-rate";
import { readReportSpans } from "../reports/report-spans.server";
import { sortResults, type ResultRow } from "../reports/results.server";
import { firstDaySql, readSpans, type CalendarUnit } from "../reports/spans.server";
import { withSnapshot } from "../reports/snapshot.server";
import { countRefused, refusalLabels, refusalReasons } from "../redemptions/refusal-reason";
import type { Reader } from "../sign-in/user";
import { paths } from "../../paths";
import { describeReportDays, frequencyLabels, type Frequency } from "./report-schedule";

const units: Record<Frequency, CalendarUnit> = { daily: "day", weekly: "week", monthly: "month" };

/** Rows of a table in a mail. */
const maxRows = 10;

/**
 * Reads the report of the last whole day, week or month, compared with as many days before it.
 * @param reader of the mail
 * @param now replaces the database's clock, in tests
 */
export function readReport(
  frequency: Frequency,
  reader: Reader,
  now: Date | null = null,
): Promise<Omit<TemplateData["report"], "reason">> {
  return withSnapshot(async (snapshot) => {
    const spans = await readSpansOf(frequency, snapshot.trx, now);
    const days = await readActivityDays(snapshot, spans);
    const [current, before] = [sumActivity(days.current), sumActivity(days.previous)];
    const { firstDay: from, lastDay: to } = spans.current;
    const { current: span } = await readReportSpans(snapshot.trx, { period: null, from, to }, now);
    const generations = await readCampaigns(snapshot, span, "generation");
    const promotions = await readCampaigns(snapshot, span, "promotion");
    const machines = await readMachines(snapshot, span);
    const csv = [generations, promotions, machines].map((table) =>
      csvOf(table, spans.current, reader),
    );
    return {
      title: `${frequencyLabels[frequency]} report`,
      period: describeReportDays(spans.current),
      tables: [
        figuresTable(current, before),
        refusalsTable(current, before),
        campaignsTable([...generations.rows, ...promotions.rows]),
        machinesTable(machines.rows),
      ].filter(({ rows }) => rows.length > 0),
      attachments: csv.flatMap(({ file }) => file ?? []),
      notes: [
        `Before: ${describeReportDays(spans.previous)}.`,
        ...csv.flatMap(({ note }) => note ?? []),
      ],
      path: `${paths.reports}?from=${from}&to=${to}`,
    };
  });
}

function readSpansOf(frequency: Frequency, trx: Knex.Transaction, now: Date | null) {
  const unit = units[frequency];
  const endDay = firstDaySql(unit, "local_time");
  const days = {
    firstDay: `(${endDay} - interval '1 ${unit}')::date`,
    endDay,
    previousDay: "first_day - (end_day - first_day)",
  };
  return readSpans(trx, days, { now });
}

const formatMoney = (cents: number) => formatCents(cents, siteFormat().currency);

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
      row("Redemptions", formatNumber, redemptionsOf),
      row("Free drinks", formatNumber, ({ drinks }) => drinks),
      row("Percentage discounts", formatNumber, ({ percentages }) => percentages),
      row("Discounts given", formatMoney, discountOf),
      row("Value of free drinks", formatMoney, ({ drinkDiscount }) => drinkDiscount),
      row("Refused attempts", formatNumber, ({ refused }) => countRefused(refused)),
    ],
  };
}

function refusalsTable(current: Activity, before: Activity) {
  return {
    title: "Refused attempts",
    headings,
    rows: refusalReasons
      .filter((reason) => current.refused[reason] + before.refused[reason] > 0)
      .map((reason) => [
        refusalLabels[reason],
        formatNumber(current.refused[reason]),
        formatNumber(before.refused[reason]),
      ]),
  };
}

/** Lists the campaigns of both kinds with the most redemptions. A name may have 200 characters, a line of a mail fewer. */
function campaignsTable(campaigns: readonly ResultRow[]) {
  const used = campaigns.filter(({ redemptions }) => redemptions > 0);
  return {
    title: "Top campaigns",
    headings: ["", "Redemptions", "Discounts given", "Refused"],
    rows: sortResults(used, { by: "redeemed", isDescending: true })
      .slice(0, maxRows)
      .map(({ name, redemptions, discount, refused }) => [
        shorten(name, 40),
        formatNumber(redemptions),
        formatMoney(discount),
        formatNumber(countRefused(refused)),
      ]),
  };
}

function machinesTable(rows: readonly ResultRow[]) {
  const machines = rows
    .map((row) => ({ ...row, ...toRefusalRate(row) }))
    .filter(({ isOften }) => isOften)
    .toSorted((one, other) => other.refused - one.refused);
  const more = machines.length > maxRows ? ` (${maxRows} of ${formatNumber(machines.length)})` : "";
  return {
    title: `Machines that refuse more than ${maxRefusedPercent}% of at least ${minAttempts} attempts${more}`,
    headings: ["", "Attempts", "Refused", "Rate", "Most frequent reason"],
    rows: machines
      .slice(0, maxRows)
      .map(({ name, detail, attempts, refused, rate, reasonLabel }) => [
        name ? `${shorten(name, 40)} (${detail})` : detail,
        formatNumber(attempts),
        formatNumber(refused),
        rate,
        reasonLabel,
      ]),
  };
}
