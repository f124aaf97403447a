/** Reads pages of the QR List (RULES L1, L2), and of the API's list of promotions. */
import { db, isReadingFromReplica, one, query } from "../../../db/connection.server";
import { notFound } from "../../../errors";
import { toCursorPage } from "../../../lists/parse-list";
import { promotionStatuses, type Promotion, type PromotionList } from "../promotion";
import { clockBindings, clockSql, promotionColumns, statusRankSql } from "../promotion-sql.server";
import {
  type FilterSql,
  filterSql,
  matchingIdsSql,
  type Scan,
  scanPaths,
} from "./access-paths.server";
import { generationRowsSql } from "./campaigns.server";
import {
  type Counted,
  countSql,
  countUpTo,
  isCommon,
  isFiltered,
  maxCount,
  toTotal,
} from "./count-promotions.server";
import { scanLimit } from "./leading-filters.server";
import { type ListWindow, pageSql, type PageSql, windowOf } from "./list-orders.server";
import { noFilters, type PromotionFilters, type PromotionListQuery } from "./promotion-filters";
import { type FilterBindings, statusesOf, withStatus } from "./promotion-filters.server";

/**
 * Reads one page: one statement counts, one reads; the first page of all is one statement. A cursor
 * decides the rows; without one the page number does, up to row 10,000.
 * @param options.countCap matches that are counted; of more than these the page is read in its order
 * @param options.isExact reads what is beside the cursor even if it is nothing or less than a page, as clients of the API
 *   expect. People get the nearest full page instead.
 * @throws DomainError not_found: the replica has nothing there, and the primary is to be asked
 */
export async function listPromotions(
  listQuery: PromotionListQuery,
  { countCap = maxCount, isExact = false }: { countCap?: number; isExact?: boolean } = {},
): Promise<PromotionList> {
  const filters = listQuery.filters ?? noFilters;
  const { page, perPage, after, before } = listQuery;
  const hasCursor = after !== null || before !== null;
  const isStart = page === 1 && !hasCursor && !isFiltered(filters);
  if (isStart && listQuery.sort.by !== "status") return readStart(listQuery, filters);

  const counted = await countUpTo(countCap, filters);
  const total = toTotal(counted.total, countCap);
  const read = async (query: PromotionListQuery) =>
    toList(query, await readRows(query, filters, counted), total);
  const lastPage = Math.max(1, Math.ceil(total.count / perPage));
  const numbered = { ...listQuery, page: Math.min(page, lastPage), after: null, before: null };
  if (!hasCursor || (page === 1 && before !== null && !isExact))
    return { ...(await read(numbered)), isFallback: numbered.page !== page };

  const list = await read(listQuery);
  // The row of the cursor may not have arrived there.
  if (isExact && list.promotions.length === 0 && isReadingFromReplica())
    throw notFound("There are no such codes");
  if (isExact) return list;
  if (before === null ? list.promotions.length > 0 : list.previous !== null) return list;
  // Nothing is after the cursor; or less than a page is before it, which is then the first one.
  const nearest = await read(before === null ? numbered : { ...numbered, page: 1 });
  return { ...nearest, isFallback: list.promotions.length === 0 };
}

/** Reads the first page of all promotions, which most lists show, and counts them up to the cap. */
async function readStart(listQuery: PromotionListQuery, filters: PromotionFilters) {
  const filter = filterSql(filters);
  const page = pageSql(windowOf(listQuery), filters);
  const count = countSql(filters, "count(*)::integer");
  const rows = await readScans<{ total: number }>(page, {
    bindings: filter.bindings,
    scans: scansInOrder(filter, page),
    columns: `${promotionColumns}, (${count}) as total`,
    isPrepared: isCommon(filters),
  });
  const promotions = rows.map(({ total: _total, ...row }): Promotion => row);
  return toList(listQuery, promotions, toTotal(rows[0]?.total ?? 0, maxCount));
}

function toList(query: PromotionListQuery, rows: Promotion[], total: PromotionList["total"]) {
  const { rows: promotions, ...page } = toCursorPage(query, rows);
  return { promotions, ...page, isFallback: false, total };
}

export async function readRows(
  listQuery: PromotionListQuery,
  filters: PromotionFilters,
  counted: Counted,
): Promise<Promotion[]> {
  const window = windowOf(listQuery);
  return window.by === "status" && counted.ids === null
    ? readByStatus(window, filters)
    : readWindow(window, filters, counted);
}

/**
 * Reads a page in the order of status. No index has it, because the status depends on the clock: the codes of one status
 * after the other are counted and read as the filter does, in the order of their creation, until the page is full.
 * The first page of 1,000,000 codes takes 2.5 ms, three times one in the order of creation. One that only rare statuses
 * fill takes up to six counts and pages.
 */
async function readByStatus(window: ListWindow, filters: PromotionFilters): Promise<Promotion[]> {
  const { isDescending, rowCount } = window;
  let { cursor, offset } = window;
  const start = cursor === null ? null : await readStatusRank(cursor, filters);
  if (start === undefined) return [];
  const statuses = statusesOf(filters);
  if (isDescending) statuses.reverse();
  const rows: Promotion[] = [];
  for (const status of statuses) {
    const rank = promotionStatuses.indexOf(status);
    if (start !== null && (isDescending ? rank > start : rank < start)) continue;
    if (rank !== start) cursor = null;
    const ofStatus = withStatus(filters, status);
    const counted = await countUpTo(maxCount, ofStatus);
    if (offset >= counted.total) {
      offset -= counted.total;
      continue;
    }
    const missing = rowCount - rows.length;
    const missingRows: ListWindow = {
      by: "created",
      isDescending,
      cursor,
      offset,
      rowCount: missing,
    };
    rows.push(...(await readWindow(missingRows, ofStatus, counted)));
    offset = 0;
    if (rows.length === rowCount) break;
  }
  return rows;
}

/** Reads the position of a row's status; undefined if there is no such row. */
async function readStatusRank(id: string, { view }: PromotionFilters) {
  const rankOf = (rows: string, condition: string) =>
    `(select ${statusRankSql} from ${rows} where ${condition})`;
  const ofCode = rankOf("promotions p", "p.id = :id");
  const ofRow = rankOf(
    generationRowsSql,
    "p.mass_generation_id = (select c.mass_generation_id from promotions c where c.id = :id)",
  );
  const row = await one<{ rank: number | null }>(
    db(),
    `with ${clockSql} select ${view === "campaigns" ? `coalesce(${ofRow}, ${ofCode})` : ofCode} as rank`,
    { ...clockBindings(), id },
  );
  return row?.rank ?? undefined;
}

/** Reads a page by the first of five ways that suits what matches. */
async function readWindow(
  window: ListWindow,
  filters: PromotionFilters,
  { total, ids }: Counted,
): Promise<Promotion[]> {
  if (total === 0) return [];
  const page = pageSql(window, filters);
  const filter = filterSql(filters);
  const isCampaigns = filter.generations !== undefined;
  const read = (scans: Scan[]) =>
    readScans(page, {
      bindings: { ...filter.bindings, ids: ids && `{${ids.join()}}` },
      scans,
      isPrepared: ids === null ? isCommon(filters) : !isCampaigns,
    });

  // Few match: the count has read their ids.
  if (ids !== null) {
    const codes = scanIds("cast(:ids as bigint[])", page);
    return read([codes, ...generationScans(filter, page)]);
  }
  // All match, or mass generations are rows too: they are few, and each is looked at.
  if (!isFiltered(filters) || isCampaigns) return read(scansInOrder(filter, page));
  // The first rows of the order often fill the page, if many match.
  const isByCreation = window.by === "created";
  const maxScanned = isByCreation ? filter.scanFirst : scanLimit;
  if (maxScanned !== null) {
    const first = await read(firstScans(filter, page, maxScanned));
    if (first.length === page.rowCount) return first;
  }
  // The rest lies far apart: the indexes of the filters lead to it.
  if (filter.paths && isByCreation) return read(scanPaths(filter, filter.paths, page));
  // Sorts all that match in other orders, and where no index serves, if they were counted to the end.
  if (total > maxCount) return read(scansInOrder(filter, page));
  return read([scanIds(`array(${matchingIdsSql(filters)})`, page)]);
}

/** Reads campaigns in the order of their creation, newest first, from the one after `after` on. */
export function readNewestCampaigns(
  filters: PromotionFilters,
  after: string | null,
  rowCount: number,
): Promise<Promotion[]> {
  const newest = { by: "created", isDescending: true, cursor: after, offset: 0, rowCount } as const;
  const page = pageSql(newest, filters);
  const filter = filterSql(filters);
  return readScans(page, {
    bindings: filter.bindings,
    scans: scansInOrder(filter, page),
    isPrepared: false,
  });
}

/** Returns the scans of all rows that match, each in the order of the page. */
function scansInOrder(filter: FilterSql, page: PageSql): Scan[] {
  const codes = filter.parts.flatMap((part) =>
    page.branches.map(({ condition, afterCursor, order }) => ({
      rows: "promotions p",
      condition: `${part} and ${condition} and ${filter.sql} and ${afterCursor}`,
      order,
    })),
  );
  return [...codes, ...generationScans(filter, page)];
}

/** Returns scans of the first rows of the order, which let through those that match. */
function firstScans({ sql, parts }: FilterSql, page: PageSql, maxScanned: number): Scan[] {
  const limit = maxScanned + 2 * (page.offset + page.rowCount);
  return parts.flatMap((part) =>
    page.branches.map(({ condition, afterCursor, order }) => ({
      rows: `(select p.* from promotions p where ${part} and ${condition} and ${afterCursor} ${order}
        limit ${limit}) p`,
      condition: sql,
      order,
    })),
  );
}

function scanIds(ids: string, { afterCursor, order }: PageSql): Scan {
  return { rows: "promotions p", condition: `p.id = any(${ids}) and ${afterCursor}`, order };
}

function generationScans({ generations }: FilterSql, { afterCursor, order }: PageSql): Scan[] {
  if (generations === undefined) return [];
  return [{ rows: generationRowsSql, condition: `${generations} and ${afterCursor}`, order }];
}

/** Reads the first rows of all scans, of which none reads further than the page. */
async function readScans<More extends object = object>(
  { cursor, offset, rowCount, keys, orderByKeys }: PageSql,
  {
    bindings,
    scans,
    columns = promotionColumns,
    isPrepared,
  }: { bindings: FilterBindings; scans: Scan[]; columns?: string; isPrepared: boolean },
): Promise<(Promotion & More)[]> {
  const range = `limit ${rowCount} offset ${offset}`;
  const [{ rows, condition, order }] = scans as [Scan];
  // Several scans, and pages further on, collect ids first: whole rows are read for the page only.
  const ids = scans.map(
    (scan) => `(select p.id as promotion_id, ${keys} from ${scan.rows} where ${scan.condition}
      ${scan.order} limit ${offset + rowCount})`,
  );
  const from =
    scans.length === 1 && offset === 0
      ? `${rows} where ${condition} ${order} ${range}`
      : `(select * from (${ids.join(" union ")}) reached ${orderByKeys} ${range}) page
         join promotions p on p.id = page.promotion_id ${orderByKeys}`;
  return query<Promotion & More>(
    db(),
    `with ${clockSql} select ${columns} from ${from}`,
    { ...clockBindings(), ...bindings, cursor },
    { isPrepared: isPrepared && offset === 0 },
  );
}
