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
import {
  codesOf,
  countMatchingSql,
  type FilterSql,
  filterSql,
  matchingIdsSql,
} from "./promotion-filters.server";
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
  created: ["p.created_at", "p.id"],
  name: ["p.name", "p.id"],
  discount: ["p.discount_type", "p.discount_value", "p.id"],
  expiration: ["coalesce(p.expires_at, 'infinity')", "p.id"],
  used: ["p.activation_count", "p.id"],
};

/** So few rows are fetched and sorted. */
const fewRows = 2_000;

/**
 * Of more, enough come by when the order is followed so far; unless they are all at its end, which
 * is then looked for in other ways.
 */
const nearRows = 10_000;

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

/**
 * One row more than the page holds, so that the end is known; before a cursor in reverse order.
 * @param total how many match, as far as they were counted
 */
export async function readRows(
  query: PromotionListQuery,
  filters: PromotionFilters,
  total: number,
): Promise<PromotionRow[]> {
  const page = pageSql(query);
  if (!isFiltered(filters)) return read(page, filters, page.allInOrder(filterSql(filters)));
  if (total <= fewRows) return read(page, filters, page.sorted(filters));
  const filter = filterSql(filters);
  if (filter.ways && query.sort.by === "created") {
    return read(page, filters, page.newestOfWays(filter.parts, filter.ways));
  }
  const near = await read(page, filters, page.nearInOrder(filter));
  if (near.length === page.bindings.rowCount) return near;
  return read(page, filters, total <= countCap ? page.sorted(filters) : page.allInOrder(filter));
}

async function read(
  { bindings, byKeys }: PageSql,
  filters: PromotionFilters,
  selects: string[],
): Promise<PromotionRow[]> {
  const { rows } = await db().raw<Rows<PromotionRow>>(
    `with ${clockSql}
     select ${promotionColumns}
     from (
       select * from (${selects.join(" union ")}) found
       order by ${byKeys} limit :rowCount offset :passedOver
     ) page
     join promotions p on p.id = page.promotion_id
     order by ${byKeys}`,
    { ...clockBindings(), ...filterSql(filters).bindings, ...bindings },
  );
  return rows;
}

type PageSql = ReturnType<typeof pageSql>;

/**
 * The ways to the rows of a page: each is selects of ids in order, none read further than needed,
 * which together hold the page. Ids and what orders them come from an index alone; whole rows are
 * read for the page only.
 */
function pageSql({ perPage, page, sort, after, before }: PromotionListQuery) {
  const columns = sortColumns[sort.by];
  const cursor = after ?? before;
  const passedOver = cursor === null ? (page - 1) * perPage : 0;
  const reach = passedOver + perPage + 1;
  const direction = sort.isDescending !== (before !== null) ? "desc" : "asc";
  const order = `order by ${columns.map((column) => `${column} ${direction}`).join(", ")}`;
  const keys = columns.map((column, index) => `${column} as key_${index}`).join(", ");
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
  const select = (rows: string, condition: string) =>
    `(select p.id as promotion_id, ${keys} from ${rows} where ${condition} ${order} limit :reach)`;
  const inOrder = (condition: string) => select("promotions p", `${condition} and ${behind}`);
  const allInOrder = ({ sql, parts }: FilterSql) =>
    parts.map((part) => inOrder(`${part} and ${sql}`));

  return {
    byKeys: columns.map((_, index) => `key_${index} ${direction}`).join(", "),
    bindings: { cursor, passedOver, reach, rowCount: perPage + 1 },
    allInOrder,
    sorted: (filters: PromotionFilters) => [
      inOrder(`p.id = any(array(${matchingIdsSql(filters)}))`),
    ],
    nearInOrder: ({ sql, parts }: FilterSql) =>
      parts.map((part) =>
        select(
          `(select p.* from promotions p where ${part} and ${behind} ${order}
            limit ${nearRows + 2 * reach}) p`,
          sql,
        ),
      ),
    /** By the moment of creation only, which the codes of a generation have from it. */
    newestOfWays: (parts: string[], { sources, rest }: NonNullable<FilterSql["ways"]>) =>
      sources.flatMap(({ generations, condition }) =>
        parts.map((part) => {
          const matches = `(${condition}) and ${rest}`;
          if (generations === null) return inOrder(`${part} and ${matches}`);
          const isBehind =
            cursor === null
              ? "true"
              : `g.created_at ${direction === "desc" ? "<=" : ">="} ${place[0]}`;
          const codes = codesOf(generations, { conditions: `${part} and ${behind}`, order });
          // From one generation to the next, no further than the page needs.
          return `(select p.id as promotion_id, ${keys} from ${codes} where ${isBehind} and ${matches}
            order by g.created_at ${direction}, p.id ${direction} limit :reach)`;
        }),
      ),
  };
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
