/** What happened in a span of time: redemptions that were not rolled back, and refused attempts. */
import { query } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import { refusalReasons, type RefusalReason } from "../redemptions/refusal-reason";
import type { Span } from "./spans.server";
import { dailyRedemptions, dailyRefusals, hours, type SummaryPart } from "./summary-sql.server";
import type { Snapshot } from "./summary.server";

/** Money is in cents; that of a free drink is its price. */
export type Activity = {
  drinks: number;
  drinkDiscount: number;
  percentages: number;
  percentageDiscount: number;
  /** Redemptions by the hour on the clock, 0 to 23. */
  byHour: number[];
  refused: Record<RefusalReason, number>;
};

export type ActivityDay = Activity & { day: string };

type Row = Omit<ActivityDay, "refused"> & { refused: number[] };

const sums = ["drinks", "drink_discount", "percentages", "percentage_discount"];
const sumOf = (column: string, length: number) =>
  `array[${Array.from({ length }, (_, at) => `coalesce(sum(${column}[${at + 1}]), 0)::integer`).join(", ")}]`;

/**
 * Counts by site-local day, in the order of the days; those on which nothing happened are left out.
 * @param machineIds counts at these machines; null counts all, and attempts at unknown machines too
 */
export async function readActivityDays(
  { trx, summarised }: Snapshot,
  span: Span,
  machineIds: readonly string[] | null = null,
): Promise<ActivityDay[]> {
  const isCounted = machineIds === null ? "machine_id = 0" : "machine_id = any(:machineIds)";
  const raw = ({ source, columns, rowsSql }: SummaryPart, names: string[]) =>
    rawConditions[source].map((condition) => {
      const atMachines = machineIds === null ? "" : `and machine_id = any(:machineIds)`;
      const selected = names.map((name) => (name in columns ? name : "null"));
      return `select day, ${selected.join(", ")} from (${rowsSql(`${condition} ${atMachines}`)}) raw where ${isCounted}`;
    });
  const names = [...sums, "by_hour", "refused"];
  const rows = await query<Row>(
    trx,
    `select to_char(day, 'YYYY-MM-DD') as day,
       ${sums.map((name) => `coalesce(sum(${name}), 0)::float8 as ${name}`).join(", ")},
       ${sumOf("by_hour", hours.length)} as by_hour, ${sumOf("refused", refusalReasons.length)} as refused
     from (
       select day, ${names.join(", ")} from daily_activity
       where day >= cast(:firstDay as date) and day < cast(:endDay as date) and ${isCounted}
         and (:isSummarised)
       union all ${[...raw(dailyRedemptions, names), ...raw(dailyRefusals, names)].join(" union all ")}
     ) counted
     group by day order by day`,
    {
      timeZone: siteTimeZone(),
      ...span,
      machineIds,
      lastTransaction: summarised.transactions,
      lastAttempt: summarised.attempts,
      isSummarised: summarised.transactions !== "0" || summarised.attempts !== "0",
    },
  );
  return rows.map(({ refused, ...row }) => ({
    ...row,
    refused: Object.fromEntries(
      refusalReasons.map((reason, at) => [reason, refused[at]]),
    ) as ActivityDay["refused"],
  }));
}

/** Rows that the summary lacks; and rows of a day that is in the span only in part. */
const rawConditions: Record<SummaryPart["source"], string[]> = {
  transactions: [
    "t.id > :lastTransaction and t.created_at >= :from and t.created_at < :to",
    "t.id <= :lastTransaction and t.created_at >= :endOfDays and t.created_at < :to",
  ],
  attempts: [
    "a.id > :lastAttempt and a.created_at >= :from and a.created_at < :to",
    "a.id <= :lastAttempt and a.created_at >= :endOfDays and a.created_at < :to",
  ],
};

export function sumActivity(days: readonly Activity[]): Activity {
  const sum: Activity = {
    ...{ drinks: 0, drinkDiscount: 0, percentages: 0, percentageDiscount: 0 },
    byHour: hours.map(() => 0),
    refused: Object.fromEntries(refusalReasons.map((reason) => [reason, 0])) as Activity["refused"],
  };
  for (const day of days) {
    sum.drinks += day.drinks;
    sum.drinkDiscount += day.drinkDiscount;
    sum.percentages += day.percentages;
    sum.percentageDiscount += day.percentageDiscount;
    for (const hour of hours) sum.byHour[hour]! += day.byHour[hour]!;
    for (const reason of refusalReasons) sum.refused[reason] += day.refused[reason];
  }
  return sum;
}
