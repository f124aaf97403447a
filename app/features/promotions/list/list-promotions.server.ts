import { db, one, query } from "../../../db/connection.server";
import type { Promotion, PromotionList } from "../promotion";
import {
  filtersToParams,
  noFilters,
  type PromotionFilters,
  type PromotionListQuery,
  type PromotionSort,
} from "./promotion-filters";
import {
  type AccessPath,
  codesOf,
  codesOfSets,
  countAllSql,
  countMatchingSql,
  type FilterBindings,
  type FilterSql,
  filterSql,
  generationRowsSql,
  matchingIdsSql,
  scanLimit,
} from "./promotion-filters.server";
import { clockBindings, clockSql, promotionColumns } from "../promotion-sql.server";

const countCap = 10_000;

/** Columns of each sort order, which has an index; the id makes it total (RULES L2). Only these names reach SQL. */
const sortColumns: Record<PromotionSort["by"], string[]> = {
  created: ["p.created_at", "p.id"],
  type: ["(p.mass_generation_id is null)", "p.created_at", "p.id"],
  name: ["p.name", "p.id"],
  discount: ["p.discount_type", "p.discount_value", "p.id"],
  expiration: ["coalesce(p.expires_at, 'infinity')", "p.id"],
  used: ["p.activation_count", "p.id"],
};

/** Results up to this many rows are fetched and sorted. */
const smallResult = 2_000;

/**
 * One page of the promotions (RULES L1, L2): one statement that counts, one that reads; the first page of
 * all is one statement. A cursor decides the rows; without one the page number does, up to row 10,000.
 */
export async function listPromotions(listQuery: PromotionListQuery): Promise<PromotionList> {
  const filters = listQuery.filters ?? noFilters;
  const { page, after, before } = listQuery;
  if (page === 1 && after === null && before === null && !isFiltered(filters)) {
    const { rows, total } = await readStart(listQuery, filters);
    return toList(listQuery, rows, total);
  }
  const counted = await countUpToCap(filters);
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

/** Reads the first page of all promotions, which most lists show, and counts them up to the cap. */
async function readStart(listQuery: PromotionListQuery, filters: PromotionFilters) {
  const page = pageSql(listQuery, filters.view === "campaigns");
  const filter = filterSql(filters);
  const scans = [...page.allInOrder(filter), ...page.ofGenerations(filter)];
  const count = countMatchingSql(filters, countCap + 1).sql("count(*)::integer");
  const found = await read<{ total: number }>(page, filter.bindings, scans, {
    isPrepared: isCommon(filters),
    columns: `${promotionColumns}, (${count}) as total`,
  });
  const rows = found.map(({ total: _total, ...row }): Promotion => row);
  return { rows, total: found[0]?.total ?? 0 };
}

/** Counting further would cost more than the page itself. */
async function countUpToCap(filters: PromotionFilters): Promise<Counted> {
  const { sql, bindings } = countMatchingSql(filters, countCap + 1);
  const ids = isFiltered(filters)
    ? `case when count(*) <= ${smallResult} then array_agg(id) end`
    : "cast(null as bigint[])";
  const counted = await one<{ total: string; ids: string[] | null }>(
    db(),
    sql(`count(*) as total, ${ids} as ids`),
    bindings,
    { isPrepared: isCommon(filters) },
  );
  return { total: Number(counted!.total), ids: counted!.ids };
}

/** Counts all that match, however many they are. */
export async function countPromotions({ filters }: PromotionListQuery): Promise<number> {
  const { sql, bindings } = countAllSql(filters ?? noFilters);
  return (await one<{ total: number }>(db(), sql, bindings))!.total;
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
  const page = pageSql(listQuery, filters.view === "campaigns");
  const filter = filterSql(filters);
  const readBy = (scans: Scan[]) =>
    read(page, filter.bindings, [...scans, ...page.ofGenerations(filter)], {
      isPrepared: isCommon(filters),
    });
  if (!isFiltered(filters)) return readBy(page.allInOrder(filter));
  if (ids !== null)
    return read(
      page,
      { ...filter.bindings, ids: `{${ids.join()}}` },
      [...page.ofIds("cast(:ids as bigint[])", filter), ...page.ofGenerations(filter)],
      { isPrepared: filter.generations === undefined },
    );
  if (filter.generations !== undefined) return readBy(page.allInOrder(filter));
  const isNewestFirst = listQuery.sort.by === "created";
  const maxScanned = isNewestFirst ? filter.scanFirst : scanLimit;
  const nearest = maxScanned > 0 ? await readBy(page.nearInOrder(filter, maxScanned)) : [];
  if (nearest.length === page.rowCount) return nearest;
  if (filter.paths && isNewestFirst) return readBy(page.newestFrom(filter, filter.paths));
  return readBy(
    total <= countCap
      ? page.ofIds(`array(${matchingIdsSql(filters)})`, filter)
      : page.allInOrder(filter),
  );
}

type Scan = { rows: string; condition: string; order: string };

async function read<More extends object = object>(
  { offset, rowCount, cursor, keys, byKeys }: PageSql,
  filterBindings: FilterBindings,
  scans: Scan[],
  { isPrepared, columns = promotionColumns }: { isPrepared: boolean; columns?: string },
): Promise<(Promotion & More)[]> {
  // Several scans collect ids first: whole rows are read for the page only.
  const firstOf = ({ rows, condition, order }: Scan) =>
    `(select p.id as promotion_id, ${keys} from ${rows} where ${condition} ${order}
      limit ${offset + rowCount})`;
  const [{ rows, condition, order }] = scans as [Scan];
  const sql =
    scans.length === 1
      ? `with ${clockSql} select ${columns} from ${rows}
         where ${condition} ${order} limit ${rowCount} offset ${offset}`
      : `with ${clockSql} select ${columns}
         from (
           select * from (${scans.map(firstOf).join(" union ")}) found
           order by ${byKeys} limit ${rowCount} offset ${offset}
         ) page
         join promotions p on p.id = page.promotion_id
         order by ${byKeys}`;
  const bindings = { ...clockBindings(), ...filterBindings, cursor };
  return query<Promotion & More>(db(), sql, bindings, { isPrepared: isPrepared && offset === 0 });
}

type PageSql = ReturnType<typeof pageSql>;

/** Returns the scans for a page. None reads further than needed; together they reach its rows. */
function pageSql({ perPage, page, sort, after, before }: PromotionListQuery, isCampaigns: boolean) {
  const columns = sortColumns[sort.by];
  const cursor = after ?? before;
  const offset = cursor === null ? (page - 1) * perPage : 0;
  const rowCount = perPage + 1;
  const direction = sort.isDescending !== (before !== null) ? "desc" : "asc";
  const order = `order by ${columns.map((column) => `${column} ${direction}`).join(", ")}`;
  // The cursor is an id. The values that it is compared by are read from its row.
  const cursorValues = columns.map((column) =>
    column === "p.id"
      ? "cast(:cursor as bigint)"
      : isCampaigns
        ? // The row of a generation is not in all values that of its first code.
          `coalesce((select ${column} from ${generationRowsSql} where p.mass_generation_id = (
             select c.mass_generation_id from promotions c where c.id = :cursor)),
           (select ${column} from promotions p where p.id = :cursor))`
        : `(select ${column} from promotions p where p.id = :cursor)`,
  );
  const afterCursor =
    cursor === null
      ? "true"
      : `(${columns.join(", ")}) ${direction === "desc" ? "<" : ">"} (${cursorValues.join(", ")})`;
  const scan = (condition: string, rows = "promotions p"): Scan => ({ rows, condition, order });
  const inOrder = (condition: string) => scan(`${condition} and ${afterCursor}`);

  return {
    cursor,
    offset,
    rowCount,
    keys: columns.map((column, index) => `${column} as key_${index}`).join(", "),
    byKeys: columns.map((_, index) => `key_${index} ${direction}`).join(", "),
    allInOrder: ({ sql, parts }: FilterSql) => parts.map((part) => inOrder(`${part} and ${sql}`)),
    ofIds: (ids: string, { generations }: FilterSql) => [
      inOrder(
        `p.id = any(${ids})${generations === undefined ? "" : " and p.mass_generation_id is null"}`,
      ),
    ],
    ofGenerations: ({ generations }: FilterSql) =>
      generations === undefined
        ? []
        : [scan(`${generations} and ${afterCursor}`, generationRowsSql)],
    nearInOrder: ({ sql, parts }: FilterSql, maxScanned: number) =>
      parts.map((part) => {
        const rows = `select p.* from promotions p where ${part} and ${afterCursor} ${order}
          limit ${maxScanned + 2 * (offset + rowCount)}`;
        return scan(sql, `(${rows}) p`);
      }),
    /** For the order of creation, which the codes of a generation have from it. */
    newestFrom: ({ parts, residual }: FilterSql, paths: AccessPath[]) =>
      paths.flatMap((path) =>
        parts.map((part): Scan => {
          const matches = `(${path.condition}) and ${residual}`;
          if (path.by === "rows") return inOrder(`${part} and ${matches}`);
          if (path.by === "sets")
            return scan("true", codesOfSets(path.of, `${part} and ${afterCursor} and ${matches}`));
          const isAfterCursor =
            cursor === null
              ? "true"
              : `g.created_at ${direction === "desc" ? "<=" : ">="} ${cursorValues[0]}`;
          return {
            rows: codesOf(path.of, { conditions: `${part} and ${afterCursor}`, order }),
            condition: `${isAfterCursor} and ${matches}`,
            // From one generation to the next.
            order: `order by g.created_at ${direction}, p.id ${direction}`,
          };
        }),
      ),
  };
}

function isFiltered(filters: PromotionFilters): boolean {
  return filtersToParams(filters).some(([name]) => name !== "include_deleted" && name !== "view");
}

/** Whether the statement is one of the few that most lists use. No value changes their plan. */
function isCommon(filters: PromotionFilters): boolean {
  if (filters.view === "campaigns") return !isFiltered(filters);
  return filtersToParams(filters).length <= 1 && filterSql(filters).scanFirst === scanLimit;
}
