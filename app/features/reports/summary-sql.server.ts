/** How raw rows are summed up, as SQL: for the summary, for the rows that it lacks, and for checking it. */
import { type RefusalReason, refusalReasons } from "../redemptions/refusal-reason";

/** Raise it when a statement of this file changes: the summary is then built anew. */
export const summaryVersion = 3;

const laterReasons: RefusalReason[] = ["not_yet", "outside_hours", "price_too_low", "cap_reached"];

/** The reasons in the order of stored sums, in which a new reason is the last: sums of before have no element for it. */
export const summedReasons: RefusalReason[] = [
  ...refusalReasons.filter((reason) => !laterReasons.includes(reason)),
  ...laterReasons,
];

export const hours = Array.from({ length: 24 }, (_, hour) => hour);

const arrayOf = (elements: string[]) => `array[${elements.join(", ")}]`;
const zeros = (length: number) => `${arrayOf(Array<string>(length).fill("0"))}::integer[]`;
const noHours = zeros(hours.length);
export const noRefusals = zeros(summedReasons.length);

const hoursSql = arrayOf(
  hours.map(
    (hour) => `(coalesce(sum(drinks + percentages) filter (where hour = ${hour}), 0))::integer`,
  ),
);
const refusedSql = arrayOf(
  summedReasons.map(
    (reason) => `(coalesce(sum(number) filter (where outcome = '${reason}'), 0))::integer`,
  ),
);

/** Names of the rows of a source, and of the binding that holds the last of them which is in the summary. */
export const sourceNames = {
  transactions: { row: "t", lastId: ":lastTransaction" },
  attempts: { row: "a", lastId: ":lastAttempt" },
} as const;

/** Machines, and a mass generation with all its codes, that are counted; null counts all. */
export type ResultFilter = { machineIds: readonly string[] | null; generationId: string | null };

export const everything: ResultFilter = { machineIds: null, generationId: null };

/** Names of the bindings that a stretch of time begins and ends with; the end is excluded. */
export type TimeRange = [from: string, to: string];

/**
 * Returns the conditions of raw rows that the summary lacks within ranges, and of those in the remainders of the ranges,
 * which it doesn't count apart; or of all rows within the ranges, where the remainders are null.
 */
export function rawConditions(
  source: SummaryPart["source"],
  { machineIds, generationId }: ResultFilter,
  ranges: TimeRange[],
  remainders: TimeRange[] | null,
): string[] {
  const { row, lastId } = sourceNames[source];
  const isIn = ([from, to]: TimeRange) =>
    `${row}.created_at >= :${from} and ${row}.created_at < :${to}`;
  const isInRanges = `(${ranges.map(isIn).join(" or ")})`;
  const isYounger = `${row}.id > ${lastId} and ${isInRanges}`;
  const isInRemainder = (range: TimeRange) => `${row}.id <= ${lastId} and ${isIn(range)}`;
  const times = remainders ? [isYounger, ...remainders.map(isInRemainder)] : [isInRanges];
  const filters = [
    machineIds && `${row}.machine_id = any(:machineIds)`,
    generationId &&
      `${row}.promotion_id in (select p.id from promotions p where p.mass_generation_id = :generationId)`,
  ];
  return times.map((time) => [time, ...filters].filter(Boolean).join(" and "));
}

/** By day and machine, and by day for the whole site, which is machine 0. */
const bySiteAndMachineSql = `group by grouping sets ((day), (day, machine_id))
  having grouping(machine_id) = 1 or machine_id is not null`;

const campaignSql = "coalesce(-p.mass_generation_id, p.id)";

/** Leaves rows by machine out, which saves sorting by machine. */
const machineSql = (row: "t" | "a", isSiteOnly: boolean) =>
  isSiteOnly ? "cast(null as bigint) as machine_id" : `${row}.machine_id`;

type SummedColumn = {
  empty: string;
  add: (one: string, other: string) => string;
  sum: (column: string) => string;
};

/**
 * A part of a table of the summary, which is counted from transactions `t` or attempts `a`. The statement
 * needs `:timeZone`.
 */
export type SummaryPart = {
  table: "daily_activity" | "campaign_activity" | "campaign_years";
  source: "transactions" | "attempts";
  key: string[];
  /** Its columns, each with its value where there is no raw row, with the sum of two values, and with that of all rows. */
  columns: Record<string, SummedColumn>;
  /** Selects its key and columns of archived months, of which there may be several rows for a key. */
  archivedSql: string;
  rowsSql: (condition: string, options?: { isSiteOnly?: boolean }) => string;
};

export const sumOfArrays = (column: string, length: number) =>
  arrayOf(Array.from({ length }, (_, at) => `coalesce(sum(${column}[${at + 1}]), 0)::integer`));

/** Names the numbers of refusals in the order of stored sums. */
export const byReason = (counts: readonly (number | undefined)[]) =>
  Object.fromEntries(summedReasons.map((reason, at) => [reason, counts[at] ?? 0])) as Record<
    RefusalReason,
    number
  >;

export const number: SummedColumn = {
  empty: "0",
  add: (one, other) => `${one} + ${other}`,
  sum: (column) => `sum(${column})`,
};
const numbers = (length: number, empty: string): SummedColumn => ({
  empty,
  sum: (column) => sumOfArrays(column, length),
  add: (one, other) =>
    arrayOf(
      Array.from(
        { length },
        (_, at) => `coalesce(${one}[${at + 1}], 0) + coalesce(${other}[${at + 1}], 0)`,
      ),
    ),
});
const earliest: SummedColumn = {
  empty: "null",
  add: (one, other) => `least(${one}, ${other})`,
  sum: (column) => `min(${column})`,
};
export const latest: SummedColumn = {
  empty: "null",
  add: (one, other) => `greatest(${one}, ${other})`,
  sum: (column) => `max(${column})`,
};

export const dailyRedemptions: SummaryPart = {
  table: "daily_activity",
  source: "transactions",
  key: ["day", "machine_id"],
  columns: {
    drinks: number,
    drink_discount: number,
    percentages: number,
    percentage_discount: number,
    by_hour: numbers(hours.length, noHours),
  },
  archivedSql: "select * from archived_daily_activity",
  rowsSql: (condition, { isSiteOnly = false } = {}) => `
    select day, coalesce(machine_id, 0) as machine_id, sum(drinks)::integer as drinks,
      sum(drink_discount)::bigint as drink_discount, sum(percentages)::integer as percentages,
      sum(percentage_discount)::bigint as percentage_discount, ${hoursSql} as by_hour
    from (
      select local_time::date as day, machine_id, extract(hour from local_time)::integer as hour,
        count(*) filter (where type = 'free_drink') as drinks,
        coalesce(sum(discount) filter (where type = 'free_drink'), 0) as drink_discount,
        count(*) filter (where type = 'percentage') as percentages,
        coalesce(sum(discount) filter (where type = 'percentage'), 0) as percentage_discount
      from (select t.created_at at time zone :timeZone as local_time, ${machineSql("t", isSiteOnly)}, t.type, t.discount
        from transactions t where t.status = 'applied' and ${condition}) redemption
      group by 1, 2, 3) by_hour ${bySiteAndMachineSql}`,
};

export const dailyRefusals: SummaryPart = {
  table: "daily_activity",
  source: "attempts",
  key: ["day", "machine_id"],
  columns: { refused: numbers(summedReasons.length, noRefusals) },
  archivedSql: "select * from archived_daily_activity",
  rowsSql: (condition, { isSiteOnly = false } = {}) => `
    select day, coalesce(machine_id, 0) as machine_id, ${refusedSql} as refused
    from (
      select (a.created_at at time zone :timeZone)::date as day, ${machineSql("a", isSiteOnly)}, a.outcome,
        count(*) as number
      from redemption_attempts a where a.outcome <> 'accepted' and ${condition}
      group by 1, 2, 3) by_reason ${bySiteAndMachineSql}`,
};

const archivedCampaignsSql = (unit: "month" | "year") => `
  select date_trunc('${unit}', a.month)::date as ${unit}, a.campaign_id, a.redemptions, a.discount, a.first_use,
    a.last_use, a.refused
  from archived_campaign_activity a`;

/** Sums by campaign and month or year. Years are kept too, because a year of a hundred thousand campaigns is long to add up. */
const campaignParts = (table: "campaign_activity" | "campaign_years", unit: "month" | "year") => ({
  redemptions: {
    table,
    source: "transactions",
    key: [unit, "campaign_id"],
    columns: { redemptions: number, discount: number, first_use: earliest, last_use: latest },
    archivedSql: archivedCampaignsSql(unit),
    rowsSql: (condition) => `
    select ${unit}, ${campaignSql} as campaign_id, sum(redemptions)::integer as redemptions,
      sum(discount)::bigint as discount, min(first_use) as first_use, max(last_use) as last_use
    from (
      select date_trunc('${unit}', t.created_at at time zone :timeZone)::date as ${unit}, t.promotion_id,
        count(*) as redemptions, sum(t.discount) as discount, min(t.created_at) as first_use,
        max(t.created_at) as last_use
      from transactions t where t.status = 'applied' and ${condition}
      group by 1, 2) used join promotions p on p.id = used.promotion_id
    group by 1, 2`,
  } satisfies SummaryPart,
  refusals: {
    table,
    source: "attempts",
    key: [unit, "campaign_id"],
    columns: { refused: numbers(summedReasons.length, noRefusals) },
    archivedSql: archivedCampaignsSql(unit),
    rowsSql: (condition) => `
    select ${unit}, ${campaignSql} as campaign_id, ${refusedSql} as refused
    from (
      select date_trunc('${unit}', a.created_at at time zone :timeZone)::date as ${unit}, a.promotion_id,
        a.outcome, count(*) as number
      from redemption_attempts a where a.outcome <> 'accepted' and ${condition}
      group by 1, 2, 3) refusals join promotions p on p.id = refusals.promotion_id
    group by 1, 2`,
  } satisfies SummaryPart,
});

const campaignMonths = campaignParts("campaign_activity", "month");
const campaignYears = campaignParts("campaign_years", "year");
export const campaignRedemptions: SummaryPart = campaignMonths.redemptions;
export const campaignRefusals: SummaryPart = campaignMonths.refusals;

export const summaryParts: SummaryPart[] = [
  dailyRedemptions,
  dailyRefusals,
  campaignRedemptions,
  campaignRefusals,
  campaignYears.redemptions,
  campaignYears.refusals,
];

/**
 * Selects rows of a part, with those of archived months summed up.
 * @param part with its raw rows
 */
export function withArchivedSql(
  { key, columns, archivedSql }: Pick<SummaryPart, "key" | "columns" | "archivedSql">,
  rowsSql: string,
): string {
  const names = Object.keys(columns);
  const sums = names.map((name) => `${columns[name]!.sum(name)} as ${name}`);
  const list = [...key, ...names].join(", ");
  return `select ${[...key, ...sums].join(", ")}
    from (select ${list} from (${rowsSql}) raw union all select ${list} from (${archivedSql}) archived) rows
    group by ${key.join(", ")}`;
}
