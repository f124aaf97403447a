/** Events of a span of time: redemptions that were not rolled back, and refused attempts. */
import { query } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import type { Activity, ActivityDay } from "./activity";
import type { Span, Spans } from "./spans.server";
import {
  byReason,
  dailyRedemptions,
  dailyRefusals,
  hours,
  sumOfArrays,
  summedReasons,
  type SummaryPart,
} from "./summary-sql.server";
import type { Snapshot } from "./summary.server";

/** Activity at a machine of this id. Hours are left out: summing them up takes longer than all else. */
export type MachineActivityRow = Omit<Activity, "byHour"> & { machineId: string };

/** Which rows are counted; null counts all. */
export type ActivityFilter = {
  machineIds?: readonly string[] | null;
  /** Counts codes of this mass generation. */
  generationId?: string | null;
};

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
  filter: ActivityFilter = {},
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
  return readActivity(snapshot, [span], {}, "machine_id", ["drinks", "drink_discount"]);
}

/** Counts by machine; those at which nothing happened are left out. */
export function readActivityByMachine(
  snapshot: Snapshot,
  span: Span,
  filter: ActivityFilter,
): Promise<MachineActivityRow[]> {
  return readActivity(snapshot, [span], filter, "machine_id", [...sums, "refused"]);
}

async function readActivity<Row extends Partial<Activity>>(
  { trx, summarised }: Snapshot,
  spans: readonly Span[],
  { machineIds = null, generationId = null }: ActivityFilter,
  key: "day" | "machine_id",
  names: readonly ColumnName[],
): Promise<Row[]> {
  const keySql = key === "day" ? "to_char(day, 'YYYY-MM-DD') as day" : key;
  // The rows of machine 0 count attempts at unknown machines too.
  const anyMachineSql = key === "day" ? "machine_id = 0" : "machine_id > 0";
  const isCounted = machineIds === null ? anyMachineSql : "machine_id = any(:machineIds)";
  const isSiteOnly = key === "day" && machineIds === null;
  const raw = ({ source, columns, rowsSql }: SummaryPart) =>
    rawConditions(source, spans, { machineIds, generationId }).map(
      (condition) => `select day, machine_id,
        ${names.map((name) => (name in columns ? name : "null")).join(", ")}
        from (${rowsSql(condition, { isSiteOnly })}) raw where ${isCounted}`,
    );
  const isSummarised = summarised.transactions !== "0" || summarised.attempts !== "0";
  const rows = await query<Omit<Row, "refused"> & { refused?: number[] }>(
    trx,
    `select ${keySql}, ${names.map((name) => `${sumSql[name]} as ${name}`).join(", ")}
     from (
       select day, machine_id, ${names.join(", ")} from daily_activity
       where ${eachOf(spans, (at) => `day >= cast(:firstDay${at} as date) and day < cast(:endDay${at} as date)`)}
         and ${isCounted} and (:isSummarised)
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
      // The summary by day knows no mass generations.
      isSummarised: isSummarised && generationId === null,
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

const eachOf = (spans: readonly Span[], condition: (at: number) => string) =>
  `(${spans.map((_, at) => condition(at)).join(" or ")})`;

/** The rows that the summary lacks, and those of a day that is in a span only in part. */
function rawConditions(
  source: SummaryPart["source"],
  spans: readonly Span[],
  { machineIds, generationId }: ActivityFilter,
): string[] {
  const [row, last] = source === "transactions" ? ["t", ":lastTransaction"] : ["a", ":lastAttempt"];
  const atMachines = machineIds ? `and ${row}.machine_id = any(:machineIds)` : "";
  const isIn = (from: "from" | "endOfDays", at: number) =>
    `${row}.created_at >= :${from}${at} and ${row}.created_at < :to${at}`;
  const isInSpans = `${eachOf(spans, (at) => isIn("from", at))} ${atMachines}`;
  if (generationId)
    return [
      `${isInSpans} and ${row}.promotion_id in (
        select p.id from promotions p where p.mass_generation_id = :generationId)`,
    ];
  return [
    `${row}.id > ${last} and ${isInSpans}`,
    ...spans.map((_, at) => `${row}.id <= ${last} and ${isIn("endOfDays", at)} ${atMachines}`),
  ];
}

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
