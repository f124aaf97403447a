/** Counts what matches the filters of a list: up to a limit for pages, or exactly within a time. */
import { db, one, type Database } from "../../../db/connection.server";
import { isStatementTimeout } from "../../../db/database-errors.server";
import { DomainError } from "../../../errors";
import { clockBindings, clockSql } from "../promotion-sql.server";
import { filterSql, limitedIdsSql, matchingIdsSql } from "./access-paths.server";
import { scanLimit } from "./leading-filters.server";
import { filtersToParams, type PromotionFilters } from "./promotion-filters";
import { filterBindings } from "./promotion-filters.server";

/** Matches that a list counts. */
export const maxCount = 10_000;

/** Results up to this many rows are fetched and sorted. */
const smallResult = 2_000;

/** Counts up to one more than `cap`. @param ids of all that match, when they are few */
export type Counted = { total: number; ids: string[] | null };

/** Counting further would cost more than the page itself. */
export async function countUpTo(cap: number, filters: PromotionFilters): Promise<Counted> {
  const ids = isFiltered(filters)
    ? `case when count(*) <= ${Math.min(cap, smallResult)} then array_agg(id) end`
    : "cast(null as bigint[])";
  const counted = await one<Counted>(
    db(),
    countSql(filters, `count(*)::integer as total, ${ids} as ids`, cap),
    { ...clockBindings(), ...filterBindings(filters) },
    { isPrepared: isCommon(filters) },
  );
  return counted!;
}

export function countSql(filters: PromotionFilters, columns: string, cap = maxCount): string {
  const { paths, from } = limitedIdsSql(filters, cap + 1);
  return `with ${[clockSql, ...paths].join(", ")} select ${columns} from ${from} counted`;
}

const countTimeoutSeconds = 3;

/**
 * Counts all that match, however many they are, which takes longer than a page.
 * @param options.timeoutMs only tests pass one
 * @throws DomainError if it takes longer than 3 seconds
 */
export async function countPromotions(
  filters: PromotionFilters,
  { timeoutMs = countTimeoutSeconds * 1_000 } = {},
): Promise<number> {
  const count = async (trx: Database) => {
    await trx.raw(`set local statement_timeout = ${timeoutMs}`);
    return one<{ total: number }>(
      trx,
      `with ${clockSql} select count(*)::integer as total from (${matchingIdsSql(filters)}) matching`,
      { ...clockBindings(), ...filterBindings(filters) },
    );
  };
  try {
    return (await db().transaction(count))!.total;
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    const advice = "Narrow the filters, or leave 'count' out.";
    throw new DomainError(
      "invalid",
      `Counting takes longer than ${countTimeoutSeconds} seconds. ${advice}`,
      { count: advice },
    );
  }
}

export const toTotal = (count: number, cap: number) => ({
  count: Math.min(count, cap),
  isCapped: count > cap,
});

export function isFiltered(filters: PromotionFilters): boolean {
  return filtersToParams(filters).some(([name]) => name !== "include_deleted" && name !== "view");
}

/** Whether the statement is one of the few that most lists use. No value changes their plan. */
export function isCommon(filters: PromotionFilters): boolean {
  if (filters.view === "campaigns") return !isFiltered(filters);
  return filtersToParams(filters).length <= 1 && filterSql(filters).scanFirst === scanLimit;
}
