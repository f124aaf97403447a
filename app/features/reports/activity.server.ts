/** Events of a span of time: redemptions that were not rolled back, and refused attempts. */
import { query } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import type { Activity, ActivityDay } from "./activity";
import type { Span, Spans } from "./spans.server";
import {
  byReason,
  dailyRedemptions,
  dailyRefusals,
  everything,
  hours,
  rawConditions,
  type ResultFilter,
  sumOfArrays,
  summedReasons,
  type SummaryPart,
  type TimeRange,
} from "./summary-sql.server";
import type { Snapshot } from "./snapshot.server";

/** Activity at a machine of this id. Hours are left out: summing them up takes longer than all else. */
export type MachineActivityRow = Omit<Activity, "byHour"> & { machineId: string };

const sums = ["drinks", "drink_discount", "percentages", "percentage_discount"] as const;
const sumOf = (column: string) => `coalesce(sum(${column}), 0)::float8`;
const sumSql = {
  drinks: sumOf("drinks"),
  drink_discount: sumOf("drink_discount"),
  percentages: sumOf("percentages"),
  percentage_discount: sumOf("percentage_discount"),
  by_hour: sumOfArrays("by_hour", hours.length),
  refused: sumOfArrays("refused", summedReasons.length),
};
type ColumnName = keyof typeof sumSql;

/**
 * Counts by site-local day, in the order of the days; those on which nothing happened are left out. Both spans are read
 * at once, because each statement reads all rows that the summary lacks.
 */
export async function readActivityDays(
  snapshot: Snapshot,
  { current, previous }: Spans,
  filter: ResultFilter = everything,
): Promise<Record<keyof Spans, ActivityDay[]>> {
  const columns = [...sums, "by_hour", "refused"] as const;
  const days = await readActivity<ActivityDay>(
    snapshot,
    [previous, current],
    filter,
    "day",
    columns,
  );
  // The previous span ends before the first day of the current one.
  const isCurrent = ({ day }: ActivityDay) => day >= current.firstDay;
  return { current: days.filter(isCurrent), previous: days.filter((day) => !isCurrent(day)) };
}

/** Sums free drinks and their prices, in cents, up by machine. An index holds them, so that it takes little. */
export function readDrinksByMachine(
  snapshot: Snapshot,
  span: Span,
): Promise<Pick<MachineActivityRow, "machineId" | "drinks" | "drinkDiscount">[]> {
  return readActivity(snapshot, [span], everything, "machine_id", ["drinks", "drink_discount"]);
}

/** Counts by machine; those at which nothing happened are left out. */
export function readActivityByMachine(
  snapshot: Snapshot,
  span: Span,
  filter: ResultFilter,
): Promise<MachineActivityRow[]> {
  return readActivity(snapshot, [span], filter, "machine_id", [...sums, "refused"]);
}

async function readActivity<Row extends Partial<Activity>>(
  { trx, summarised, isSummarised }: Snapshot,
  spans: readonly Span[],
  filter: ResultFilter,
  key: "day" | "machine_id",
  names: readonly ColumnName[],
): Promise<Row[]> {
  const { machineIds, generationId } = filter;
  const keySql = key === "day" ? "to_char(day, 'YYYY-MM-DD') as day" : key;
  // The rows of machine 0 count attempts at unknown machines too.
  const anyMachineSql = key === "day" ? "machine_id = 0" : "machine_id > 0";
  const isCounted = machineIds === null ? anyMachineSql : "machine_id = any(:machineIds)";
  const isSiteOnly = key === "day" && machineIds === null;
  const ranges = spans.map((_, at): TimeRange => [`from${at}`, `to${at}`]);
  const partsOfDays = spans.flatMap(({ endOfDays, to }, at): TimeRange[] =>
    endOfDays < to ? [[`endOfDays${at}`, `to${at}`]] : [],
  );
  // The summary by day knows no mass generations.
  const remainders = generationId === null ? partsOfDays : null;
  const isInSpans = spans.map(
    (_, at) => `day >= cast(:firstDay${at} as date) and day < cast(:endDay${at} as date)`,
  );
  const raw = ({ source, columns, rowsSql }: SummaryPart) =>
    rawConditions(source, filter, ranges, remainders).map(
      (condition) => `select day, machine_id,
        ${names.map((name) => (name in columns ? name : "null")).join(", ")}
        from (${rowsSql(condition, { isSiteOnly })}) raw where ${isCounted}`,
    );
  const rows = await query<Omit<Row, "refused"> & { refused?: number[] }>(
    trx,
    `select ${keySql}, ${names.map((name) => `${sumSql[name]} as ${name}`).join(", ")}
     from (
       select day, machine_id, ${names.join(", ")} from daily_activity
       where (${isInSpans.join(" or ")}) and ${isCounted} and (:isSummarised)
       union all ${[...raw(dailyRedemptions), ...raw(dailyRefusals)].join(" union all ")}
     ) counted
     group by ${key} order by ${key}`,
    {
      timeZone: siteTimeZone(),
      ...Object.assign({}, ...spans.map(bindSpan)),
      machineIds,
      generationId,
      lastTransaction: summarised.transactions,
      lastAttempt: summarised.attempts,
      isSummarised: isSummarised && remainders !== null,
    },
    { isPrepared: !generationId },
  );
  return rows.map(
    ({ refused, ...row }) =>
      ({
        ...row,
        ...(refused && { refused: byReason(refused) }),
      }) as unknown as Row,
  );
}

/** Binds a span as `:firstDay0`, `:from0` and so on. */
const bindSpan = (span: Span, at: number) =>
  Object.fromEntries(Object.entries(span).map(([name, value]) => [`${name}${at}`, value]));

export function sumActivity(days: readonly Activity[]): Activity {
  const sum = (value: (day: Activity) => number) =>
    days.reduce((total, day) => total + value(day), 0);
  return {
    drinks: sum(({ drinks }) => drinks),
    drinkDiscount: sum(({ drinkDiscount }) => drinkDiscount),
    percentages: sum(({ percentages }) => percentages),
    percentageDiscount: sum(({ percentageDiscount }) => percentageDiscount),
    byHour: hours.map((hour) => sum(({ byHour }) => byHour[hour]!)),
    refused: byReason(summedReasons.map((reason) => sum(({ refused }) => refused[reason]))),
  };
}
