import { createHash } from "node:crypto";
import { db, one, query } from "../../../db/connection.server";
import { DomainError } from "../../../errors";
import { parseRecordId } from "../../../forms/record-id";
import type { Promotion, PromotionList } from "../promotion";
import {
  filtersToParams,
  noFilters,
  type PromotionFilters,
  type PromotionListQuery,
  type PromotionSort,
} from "./promotion-filters";
import {
  codesOf,
  countMatchingSql,
  type FilterBindings,
  type FilterSql,
  filterSql,
  matchingIdsSql,
} from "./promotion-filters.server";
import { clockBindings, clockSql, promotionColumns } from "../promotion-sql.server";

const countCap = 10_000;

/** Columns of each sort order, which has an index; the id makes it total (RULES L2). Only these names reach SQL. */
const sortColumns: Record<PromotionSort["by"], string[]> = {
  created: ["p.created_at", "p.id"],
  name: ["p.name", "p.id"],
  discount: ["p.discount_type", "p.discount_value", "p.id"],
  expiration: ["coalesce(p.expires_at, 'infinity')", "p.id"],
  used: ["p.activation_count", "p.id"],
};

/** Results up to this many rows are fetched and sorted. */
const smallResult = 2_000;

/**
 * Larger results are found by following the order up to this many rows; if they all lie at its end,
 * other access paths are used.
 */
const scanLimit = 10_000;

/**
 * One page of the promotions (RULES L1, L2): one statement that counts, one that reads. A
 * cursor decides the rows; without one the page number does, up to row 10,000.
 */
export async function listPromotions(listQuery: PromotionListQuery): Promise<PromotionList> {
  const filters = listQuery.filters ?? noFilters;
  const counted = await countUpTo(filters, countCap + 1);
  const { total } = counted;
  const lastPage = Math.max(1, Math.ceil(Math.min(total, countCap) / listQuery.perPage));
  const nearest = {
    ...listQuery,
    page: Math.min(listQuery.page, lastPage),
    after: null,
    before: null,
  };
  const isFirst = listQuery.page === 1 && listQuery.before !== null;
  const asked =
    isFirst || (listQuery.after === null && listQuery.before === null) ? nearest : listQuery;

  const list = toList(asked, await readRows(asked, filters, counted), total);
  const isOutside = asked === nearest && nearest.page !== listQuery.page;
  if (asked === nearest) return { ...list, isFallback: isOutside };
  if (listQuery.after !== null && list.promotions.length > 0) return list;
  if (listQuery.before !== null && list.previous !== null) return list;

  // The cursor has nothing behind it; or nothing is left before a page that is not full, which is
  // then the first one.
  const instead = listQuery.before === null ? nearest : { ...nearest, page: 1 };
  const isFallback = list.promotions.length === 0;
  return { ...toList(instead, await readRows(instead, filters, counted), total), isFallback };
}

/** @param ids of all that match, when they are few */
type Counted = { total: number; ids: string[] | null };

/** Counting further would cost more than the page itself. */
async function countUpTo(filters: PromotionFilters, most: number): Promise<Counted> {
  const { sql, bindings } = countMatchingSql(filters, most);
  const ids = isFiltered(filters)
    ? `case when count(*) <= ${smallResult} then array_agg(id) end`
    : "cast(null as bigint[])";
  const [counted] = await run<{ total: string; ids: string[] | null }>(
    sql(`count(*) as total, ${ids} as ids`),
    bindings,
    isCommon(filters),
  );
  return { total: Number(counted!.total), ids: counted!.ids };
}

function toList(listQuery: PromotionListQuery, rows: Promotion[], total: number): PromotionList {
  const { page, perPage, after, before } = listQuery;
  const hasMore = rows.length > perPage;
  const shown = rows.slice(0, perPage);
  if (before !== null) shown.reverse();
  const hasNext = before !== null || hasMore;
  const hasPrevious = before !== null ? hasMore : page > 1 || after !== null;
  return {
    promotions: shown,
    total: { count: Math.min(total, countCap), isCapped: total > countCap },
    page,
    perPage,
    next: hasNext ? (shown.at(-1)?.id ?? null) : null,
    previous: hasPrevious ? (shown[0]?.id ?? null) : null,
    isFallback: false,
  };
}

/** One row more than the page holds, so that the end is known; before a cursor in reverse order. */
export async function readRows(
  listQuery: PromotionListQuery,
  filters: PromotionFilters,
  { total, ids }: Counted,
): Promise<Promotion[]> {
  if (total === 0) return [];
  const page = pageSql(listQuery);
  const filter = filterSql(filters);
  const readBy = (ways: Way[]) => read(page, filter.bindings, ways, isCommon(filters));
  if (!isFiltered(filters)) return readBy(page.allInOrder(filter));
  if (ids !== null) {
    return read(page, { ids: `{${ids.join()}}` }, page.ofIds("cast(:ids as bigint[])"), true);
  }
  if (filter.ways && listQuery.sort.by === "created") {
    return readBy(page.newestFrom(filter.parts, filter.ways));
  }
  const near = await readBy(page.nearInOrder(filter));
  if (near.length === page.rowCount) return near;
  return readBy(
    total <= countCap ? page.ofIds(`array(${matchingIdsSql(filters)})`) : page.allInOrder(filter),
  );
}

/** Rows in an order, of which a page needs the first few. */
type Way = { rows: string; condition: string; order: string };

async function read(
  { offset, rowCount, cursor, keys, byKeys }: PageSql,
  filterBindings: FilterBindings,
  ways: Way[],
  isKept: boolean,
): Promise<Promotion[]> {
  // Several access paths collect ids first, so that whole rows are read for the page only.
  const firstOf = ({ rows, condition, order }: Way) =>
    `(select p.id as promotion_id, ${keys} from ${rows} where ${condition} ${order}
      limit ${offset + rowCount})`;
  const [{ rows, condition, order }] = ways as [Way];
  const sql =
    ways.length === 1
      ? `with ${clockSql} select ${promotionColumns} from ${rows}
         where ${condition} ${order} limit ${rowCount} offset ${offset}`
      : `with ${clockSql} select ${promotionColumns}
         from (
           select * from (${ways.map(firstOf).join(" union ")}) found
           order by ${byKeys} limit ${rowCount} offset ${offset}
         ) page
         join promotions p on p.id = page.promotion_id
         order by ${byKeys}`;
  const bindings = { ...clockBindings(), ...filterBindings, cursor };
  return run<Promotion>(sql, bindings, isKept && offset === 0);
}

/** @param isKept whether each connection keeps the plan, which takes longer to make than to follow */
function run<Row extends object>(sql: string, bindings: FilterBindings, isKept: boolean) {
  const name = isKept && createHash("sha256").update(sql).digest("base64url");
  return query<Row>(db(), sql, bindings, name ? { name } : {});
}

type PageSql = ReturnType<typeof pageSql>;

/** The ways to the rows of a page, none read further than needed; together they hold the page. */
function pageSql({ perPage, page, sort, after, before }: PromotionListQuery) {
  const columns = sortColumns[sort.by];
  const cursor = after ?? before;
  const offset = cursor === null ? (page - 1) * perPage : 0;
  const rowCount = perPage + 1;
  const direction = sort.isDescending !== (before !== null) ? "desc" : "asc";
  const order = `order by ${columns.map((column) => `${column} ${direction}`).join(", ")}`;
  // The cursor is an id; its place in the order is read where the rows are.
  const place = columns.map((column) =>
    column === "p.id"
      ? "cast(:cursor as bigint)"
      : `(select ${column} from promotions p where p.id = :cursor)`,
  );
  const behind =
    cursor === null
      ? "true"
      : `(${columns.join(", ")}) ${direction === "desc" ? "<" : ">"} (${place.join(", ")})`;
  const way = (condition: string, rows = "promotions p"): Way => ({ rows, condition, order });
  const inOrder = (condition: string) => way(`${condition} and ${behind}`);

  return {
    cursor,
    offset,
    rowCount,
    keys: columns.map((column, index) => `${column} as key_${index}`).join(", "),
    byKeys: columns.map((_, index) => `key_${index} ${direction}`).join(", "),
    allInOrder: ({ sql, parts }: FilterSql) => parts.map((part) => inOrder(`${part} and ${sql}`)),
    ofIds: (ids: string) => [inOrder(`p.id = any(${ids})`)],
    nearInOrder: ({ sql, parts }: FilterSql) =>
      parts.map((part) => {
        const near = scanLimit + 2 * (offset + rowCount);
        const rows = `select p.* from promotions p where ${part} and ${behind} ${order} limit ${near}`;
        return way(sql, `(${rows}) p`);
      }),
    /** By the moment of creation only, which the codes of a generation have from it. */
    newestFrom: (parts: string[], { sources, rest }: NonNullable<FilterSql["ways"]>) =>
      sources.flatMap(({ generations, condition }) =>
        parts.map((part) => {
          const matches = `(${condition}) and ${rest}`;
          if (generations === null) return inOrder(`${part} and ${matches}`);
          const isBehind =
            cursor === null
              ? "true"
              : `g.created_at ${direction === "desc" ? "<=" : ">="} ${place[0]}`;
          return {
            rows: codesOf(generations, { conditions: `${part} and ${behind}`, order }),
            condition: `${isBehind} and ${matches}`,
            // From one generation to the next.
            order: `order by g.created_at ${direction}, p.id ${direction}`,
          };
        }),
      ),
  };
}

function isFiltered(filters: PromotionFilters): boolean {
  return filtersToParams(filters).some(([name]) => name !== "include_deleted");
}

/** Tells whether a statement is common enough to keep its plan, which no value may change. */
function isCommon(filters: PromotionFilters): boolean {
  return filtersToParams(filters).length <= 1 && filterSql(filters).ways === null;
}

/**
 * @param id as it came in a URL
 * @throws DomainError not_found, for what can be no id too
 */
export async function getPromotion(id: string): Promise<Promotion> {
  const promotionId = parseRecordId(id);
  const promotion =
    promotionId &&
    (await one<Promotion>(
      db(),
      `with ${clockSql} select ${promotionColumns} from promotions p where p.id = :promotionId`,
      { ...clockBindings(), promotionId },
    ));
  if (!promotion) throw new DomainError("not_found", "Error: Promotion not found");
  return promotion;
}
