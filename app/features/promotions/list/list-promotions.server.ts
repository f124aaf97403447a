/** Reads pages of the QR List (RULES L1, L2), and of the API's list of promotions. */
import { db, one, query } from "../../../db/connection.server";
import { toCursorPage } from "../../../lists/parse-list";
import type { Promotion, PromotionList } from "../promotion";
import { clockBindings, clockSql, promotionColumns } from "../promotion-sql.server";
import {
  type FilterSql,
  filterSql,
  limitedIdsSql,
  matchingIdsSql,
  type Scan,
  scanLimit,
  scanPaths,
} from "./access-paths.server";
import { generationRowsSql } from "./campaigns.server";
import {
  filtersToParams,
  noFilters,
  type PromotionFilters,
  type PromotionListQuery,
  type PromotionSort,
} from "./promotion-filters";
import { filterBindings, type FilterBindings } from "./promotion-filters.server";

const countCap = 10_000;

/** Results up to this many rows are fetched and sorted. */
const smallResult = 2_000;

/** Columns of each sort order, which has an index; the id makes it total (RULES L2). Only these names reach SQL. */
const sortColumns: Record<PromotionSort["by"], string[]> = {
  created: ["p.created_at", "p.id"],
  type: ["(p.mass_generation_id is null)", "p.created_at", "p.id"],
  name: ["p.name", "p.id"],
  discount: ["p.discount_type", "p.discount_value", "p.id"],
  expiration: ["coalesce(p.expires_at, 'infinity')", "p.id"],
  used: ["p.activation_count", "p.id"],
};

/**
 * Reads one page: one statement counts, one reads; the first page of all is one statement. A cursor
 * decides the rows; without one the page number does, up to row 10,000.
 */
export async function listPromotions(listQuery: PromotionListQuery): Promise<PromotionList> {
  const filters = listQuery.filters ?? noFilters;
  const { page, perPage, after, before } = listQuery;
  const hasCursor = after !== null || before !== null;
  if (page === 1 && !hasCursor && !isFiltered(filters)) return readStart(listQuery, filters);

  const counted = await countUpToCap(filters);
  const { total } = counted;
  const read = async (query: PromotionListQuery) =>
    toList(query, await readRows(query, filters, counted), total);
  const lastPage = Math.max(1, Math.ceil(Math.min(total, countCap) / perPage));
  const numbered = { ...listQuery, page: Math.min(page, lastPage), after: null, before: null };
  if (!hasCursor || (page === 1 && before !== null))
    return { ...(await read(numbered)), isFallback: numbered.page !== page };

  const list = await read(listQuery);
  if (before === null ? list.promotions.length > 0 : list.previous !== null) return list;
  // Nothing is after the cursor; or less than a page is before it, which is then the first one.
  const nearest = await read(before === null ? numbered : { ...numbered, page: 1 });
  return { ...nearest, isFallback: list.promotions.length === 0 };
}

/** Reads the first page of all promotions, which most lists show, and counts them up to the cap. */
async function readStart(listQuery: PromotionListQuery, filters: PromotionFilters) {
  const filter = filterSql(filters);
  const window = pageWindow(listQuery, filters);
  const count = countSql(filters, "count(*)::integer");
  const rows = await readScans<{ total: number }>(window, {
    bindings: filter.bindings,
    scans: [...scansInOrder(filter, window), ...generationScans(filter, window)],
    columns: `${promotionColumns}, (${count}) as total`,
    isPrepared: isCommon(filters),
  });
  const promotions = rows.map(({ total: _total, ...row }): Promotion => row);
  return toList(listQuery, promotions, rows[0]?.total ?? 0);
}

/** @param ids of all that match, when they are few */
type Counted = { total: number; ids: string[] | null };

/** Counting further would cost more than the page itself. */
async function countUpToCap(filters: PromotionFilters): Promise<Counted> {
  const ids = isFiltered(filters)
    ? `case when count(*) <= ${smallResult} then array_agg(id) end`
    : "cast(null as bigint[])";
  const counted = await one<Counted>(
    db(),
    countSql(filters, `count(*)::integer as total, ${ids} as ids`),
    { ...clockBindings(), ...filterBindings(filters) },
    { isPrepared: isCommon(filters) },
  );
  return counted!;
}

function countSql(filters: PromotionFilters, columns: string): string {
  const { paths, from } = limitedIdsSql(filters, countCap + 1);
  return `with ${[clockSql, ...paths].join(", ")} select ${columns} from ${from} counted`;
}

/** Counts all that match, however many they are, which takes longer than a page. */
export async function countPromotions({ filters = noFilters }: PromotionListQuery) {
  const counted = await one<{ total: number }>(
    db(),
    `with ${clockSql} select count(*)::integer as total from (${matchingIdsSql(filters)}) matching`,
    { ...clockBindings(), ...filterBindings(filters) },
  );
  return counted!.total;
}

function toList(listQuery: PromotionListQuery, rows: Promotion[], total: number): PromotionList {
  const { rows: promotions, ...page } = toCursorPage(listQuery, rows);
  return {
    ...{ promotions, ...page, isFallback: false },
    total: { count: Math.min(total, countCap), isCapped: total > countCap },
  };
}

/** Reads one row more than the page holds, so that the end is known; before a cursor in reverse order. */
export async function readRows(
  listQuery: PromotionListQuery,
  filters: PromotionFilters,
  { total, ids }: Counted,
): Promise<Promotion[]> {
  if (total === 0) return [];
  const window = pageWindow(listQuery, filters);
  const filter = filterSql(filters);
  const isCampaigns = filter.generations !== undefined;
  const read = (scans: Scan[], isPrepared = isCommon(filters)) =>
    readScans(window, {
      bindings: { ...filter.bindings, ids: ids && `{${ids.join()}}` },
      scans: [...scans, ...generationScans(filter, window)],
      isPrepared,
    });

  if (ids !== null) return read([scanIds("cast(:ids as bigint[])", window)], !isCampaigns);
  if (!isFiltered(filters) || isCampaigns) return read(scansInOrder(filter, window));
  const isNewestFirst = listQuery.sort.by === "created";
  const maxScanned = isNewestFirst ? filter.scanFirst : scanLimit;
  const nearest = maxScanned > 0 ? await read(nearestScans(filter, window, maxScanned)) : [];
  if (nearest.length === window.rowCount) return nearest;
  if (filter.paths && isNewestFirst) return read(scanPaths(filter, filter.paths, window));
  return read(
    total <= countCap
      ? [scanIds(`array(${matchingIdsSql(filters)})`, window)]
      : scansInOrder(filter, window),
  );
}

type PageWindow = ReturnType<typeof pageWindow>;

/** Describes the rows of a page: their order, and where in it they are. */
function pageWindow(
  { perPage, page, sort, after, before }: PromotionListQuery,
  { view }: PromotionFilters,
) {
  const columns = sortColumns[sort.by];
  const cursor = after ?? before;
  const isDescending = sort.isDescending !== (before !== null);
  const direction = isDescending ? "desc" : "asc";
  // The cursor is an id. The values that it is compared by are read from its row.
  const cursorValues = columns.map((column) => {
    if (column === "p.id") return "cast(:cursor as bigint)";
    const ofCode = `(select ${column} from promotions p where p.id = :cursor)`;
    if (view !== "campaigns") return ofCode;
    // The row of a generation is not in all values that of its first code.
    return `coalesce((select ${column} from ${generationRowsSql} where p.mass_generation_id = (
      select c.mass_generation_id from promotions c where c.id = :cursor)), ${ofCode})`;
  });
  const isAfter = isDescending ? "<" : ">";
  return {
    cursor,
    offset: cursor === null ? (page - 1) * perPage : 0,
    rowCount: perPage + 1,
    order: `order by ${columns.map((column) => `${column} ${direction}`).join(", ")}`,
    afterCursor:
      cursor === null ? "true" : `(${columns.join(", ")}) ${isAfter} (${cursorValues.join(", ")})`,
    // Paths are followed in the order of creation, which the codes of a generation have from it.
    generationOrder: `order by g.created_at ${direction}, p.id ${direction}`,
    isGenerationAfterCursor:
      cursor === null ? "true" : `g.created_at ${isAfter}= ${cursorValues[0]}`,
    keys: columns.map((column, index) => `${column} as key_${index}`).join(", "),
    orderByKeys: `order by ${columns.map((_, index) => `key_${index} ${direction}`).join(", ")}`,
  };
}

function scansInOrder({ sql, parts }: FilterSql, { afterCursor, order }: PageWindow): Scan[] {
  return parts.map((part) => ({
    rows: "promotions p",
    condition: `${part} and ${sql} and ${afterCursor}`,
    order,
  }));
}

function scanIds(ids: string, { afterCursor, order }: PageWindow): Scan {
  return { rows: "promotions p", condition: `p.id = any(${ids}) and ${afterCursor}`, order };
}

function nearestScans({ sql, parts }: FilterSql, window: PageWindow, maxScanned: number): Scan[] {
  const { afterCursor, offset, order, rowCount } = window;
  return parts.map((part) => ({
    rows: `(select p.* from promotions p where ${part} and ${afterCursor} ${order}
      limit ${maxScanned + 2 * (offset + rowCount)}) p`,
    condition: sql,
    order,
  }));
}

function generationScans({ generations }: FilterSql, { afterCursor, order }: PageWindow): Scan[] {
  if (generations === undefined) return [];
  return [{ rows: generationRowsSql, condition: `${generations} and ${afterCursor}`, order }];
}

/** Reads the first rows of all scans, of which none reads further than the page. */
async function readScans<More extends object = object>(
  { cursor, offset, rowCount, keys, orderByKeys }: PageWindow,
  {
    bindings,
    scans,
    columns = promotionColumns,
    isPrepared,
  }: { bindings: FilterBindings; scans: Scan[]; columns?: string; isPrepared: boolean },
): Promise<(Promotion & More)[]> {
  const range = `limit ${rowCount} offset ${offset}`;
  const [{ rows, condition, order }] = scans as [Scan];
  // Several scans collect ids first: whole rows are read for the page only.
  const ids = scans.map(
    (scan) => `(select p.id as promotion_id, ${keys} from ${scan.rows} where ${scan.condition}
      ${scan.order} limit ${offset + rowCount})`,
  );
  const from =
    scans.length === 1
      ? `${rows} where ${condition} ${order} ${range}`
      : `(select * from (${ids.join(" union ")}) found ${orderByKeys} ${range}) page
         join promotions p on p.id = page.promotion_id ${orderByKeys}`;
  return query<Promotion & More>(
    db(),
    `with ${clockSql} select ${columns} from ${from}`,
    { ...clockBindings(), ...bindings, cursor },
    { isPrepared: isPrepared && offset === 0 },
  );
}

function isFiltered(filters: PromotionFilters): boolean {
  return filtersToParams(filters).some(([name]) => name !== "include_deleted" && name !== "view");
}

/** Whether the statement is one of the few that most lists use. No value changes their plan. */
function isCommon(filters: PromotionFilters): boolean {
  if (filters.view === "campaigns") return !isFiltered(filters);
  return filtersToParams(filters).length <= 1 && filterSql(filters).scanFirst === scanLimit;
}
