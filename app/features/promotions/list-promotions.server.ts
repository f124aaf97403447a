import { db } from "../../db/connection.server";
import { DomainError } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import type { Promotion, PromotionList } from "./promotion";
import {
  filtersToParams,
  noFilters,
  type PromotionFilters,
  type PromotionListQuery,
  type PromotionSort,
} from "./promotion-filters";
import { countMatchingSql, filterSql, matchingIdsSql } from "./promotion-filters.server";
import {
  clockBindings,
  clockSql,
  promotionColumns,
  type PromotionRow,
  toPromotion,
} from "./promotion-rows.server";

type Rows<Row> = { rows: Row[] };

const countCap = 10_000;

/** Each order with its index; the id makes it total (rulings 3.10). Names from here only reach SQL. */
const sortColumns: Record<PromotionSort["by"], string[]> = {
  created: ["created_at", "id"],
  name: ["name", "id"],
  discount: ["discount_type", "discount_value", "id"],
  expiration: ["coalesce(expires_at, 'infinity')", "id"],
  used: ["activation_count", "id"],
};

/** So few rows are fetched and sorted; of more, enough come by when the order is followed. */
const fewRows = 2_000;

/**
 * One page of the promotions (rulings 1.6, 3.10): one statement that counts, one that reads. A
 * cursor decides the rows; without one the page number does, up to row 10,000.
 */
export async function listPromotions(query: PromotionListQuery): Promise<PromotionList> {
  const filters = query.filters ?? noFilters;
  const total = await countUpTo(filters, countCap + 1);
  const lastPage = Math.max(1, Math.ceil(Math.min(total, countCap) / query.perPage));
  const nearest = { ...query, page: Math.min(query.page, lastPage), after: null, before: null };
  const isFirst = query.page === 1 && query.before !== null;
  const asked = isFirst || (query.after === null && query.before === null) ? nearest : query;

  const list = toList(asked, await readRows(asked, filters, total), total);
  const isOutside = asked === nearest && nearest.page !== query.page;
  if (asked === nearest) return { ...list, isFallback: isOutside };
  if (query.after !== null && list.promotions.length > 0) return list;
  if (query.before !== null && list.previous !== null) return list;

  // The cursor has nothing behind it; or nothing is left before a page that is not full, which is
  // then the first one.
  const instead = query.before === null ? nearest : { ...nearest, page: 1 };
  const isFallback = list.promotions.length === 0;
  return { ...toList(instead, await readRows(instead, filters, total), total), isFallback };
}

/** Counting further would cost more than the page itself. */
async function countUpTo(filters: PromotionFilters, most: number): Promise<number> {
  const { sql, bindings } = countMatchingSql(filters, most);
  const { rows } = await db().raw<Rows<{ total: string }>>(sql, bindings);
  return Number(rows[0]!.total);
}

function toList(query: PromotionListQuery, rows: PromotionRow[], total: number): PromotionList {
  const { page, perPage, after, before } = query;
  const hasMore = rows.length > perPage;
  const shown = rows.slice(0, perPage);
  if (before !== null) shown.reverse();
  const hasNext = before !== null || hasMore;
  const hasPrevious = before !== null ? hasMore : page > 1 || after !== null;
  return {
    promotions: shown.map(toPromotion),
    total: { count: Math.min(total, countCap), isCapped: total > countCap },
    page,
    perPage,
    next: hasNext ? (shown.at(-1)?.id ?? null) : null,
    previous: hasPrevious ? (shown[0]?.id ?? null) : null,
    isFallback: false,
  };
}

/** One row more than the page holds, so that the end is known; before a cursor in reverse order. */
async function readRows(
  query: PromotionListQuery,
  filters: PromotionFilters,
  total: number,
): Promise<PromotionRow[]> {
  const { perPage, page, sort, after, before } = query;
  const columns = sortColumns[sort.by];
  const cursor = after ?? before;
  const passedOver = cursor === null ? (page - 1) * perPage : 0;
  const isDescending = sort.isDescending !== (before !== null);
  const order = columns.map((column) => `${column} ${isDescending ? "desc" : "asc"}`).join(", ");
  // The cursor is an id; its place in the order is read where the rows are.
  const place = columns.map((column) => `(select ${column} from promotions where id = :cursor)`);
  const behind =
    cursor === null
      ? "true"
      : `(${columns.join(", ")}) ${isDescending ? "<" : ">"} (${place.join(", ")})`;
  // Ids and what orders them come from the index alone; whole rows are read for the page only.
  const keys = columns.map((column, index) => `${column} as key_${index}`).join(", ");
  const byKeys = columns
    .map((_, index) => `key_${index} ${isDescending ? "desc" : "asc"}`)
    .join(", ");
  const inOrder = (condition: string) =>
    `(select p.id as promotion_id, ${keys} from promotions p where ${condition} and ${behind}
      order by ${order} limit :reach)`;
  const { rows } = await db().raw<Rows<PromotionRow>>(
    `with ${clockSql}
     select ${promotionColumns}
     from (
       select * from (${waysToRows(filters, { sort, total, inOrder }).join(" union ")}) found
       order by ${byKeys} limit :rowCount offset :passedOver
     ) page
     join promotions p on p.id = page.promotion_id
     order by ${byKeys}`,
    {
      ...clockBindings(),
      ...filterSql(filters).bindings,
      cursor,
      passedOver,
      rowCount: perPage + 1,
      reach: passedOver + perPage + 1,
    },
  );
  return rows;
}

/** Selects of rows in order, each read no further than needed; together they hold the page. */
function waysToRows(
  filters: PromotionFilters,
  {
    sort,
    total,
    inOrder,
  }: { sort: PromotionSort; total: number; inOrder: (condition: string) => string },
): string[] {
  const { sql, parts, ways } = filterSql(filters);
  if (isFiltered(filters) && total <= fewRows) {
    return [inOrder(`p.id = any(array(${matchingIdsSql(filters).sql}))`)];
  }
  // Each generation has its codes by age, in an index of its own.
  if (ways && sort.by === "created") {
    return ways.sources.flatMap(({ generations, condition }) =>
      parts.map((part) => {
        const rows = `${part} and (${condition}) and ${ways.rest}`;
        return generations === null
          ? inOrder(rows)
          : `(select p.* from (${generations}) g (generation_id) cross join lateral
              ${inOrder(`p.mass_generation_id = g.generation_id and ${rows}`)} p)`;
      }),
    );
  }
  return parts.map((part) => inOrder(`${part} and ${sql}`));
}

function isFiltered(filters: PromotionFilters): boolean {
  return filtersToParams(filters).some(([name]) => name !== "include_deleted");
}

/**
 * @param id as it came in a URL
 * @throws DomainError not_found, for what can be no id too
 */
export async function getPromotion(id: string): Promise<Promotion> {
  const promotionId = parseRecordId(id);
  const { rows } = promotionId
    ? await db().raw<Rows<PromotionRow>>(
        `with ${clockSql} select ${promotionColumns} from promotions p where p.id = :promotionId`,
        { ...clockBindings(), promotionId },
      )
    : { rows: [] };
  if (!rows[0]) throw new DomainError("not_found", "Error: Promotion not found");
  return toPromotion(rows[0]);
}
