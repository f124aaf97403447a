import { db, isReadingFromReplica, one, query } from "../../db/connection.server";
import { notFound } from "../../errors";
import { savingsPercent, type Transaction } from "./transaction";
import {
  noFilters,
  type TransactionListQuery,
  type TransactionFilters,
} from "./transaction-filters";
import {
  findSource,
  scanEndSql,
  orderSql,
  rowsSql,
  type PageWindow,
  type TransactionSource,
} from "./transaction-filters.server";
import type { ListPage } from "../../lists/parse-list";

/** The total is capped too when not all rows were scanned. */
type TransactionList = ListPage & {
  transactions: Transaction[];
  /** The time at which the scan stopped before the page was full; `next` or `previous` continues from there. */
  stoppedAt: Date | null;
  /** Whether the scan went to newer rows. */
  isBackward?: boolean;
};

const countCap = 10_000;

/**
 * Lists one page of the matching transactions. A cursor decides the rows; without one the page
 * number does, up to row 10,000.
 * @throws DomainError invalid, `fields.promotion`: too many promotions have such a name
 */
export async function listTransactions(
  { filters, page, perPage, after, before }: TransactionListQuery,
  options: Parameters<typeof findSource>[1] = {},
): Promise<TransactionList> {
  const source = await findSource(filters, options);
  const isStart = page === 1 && after === null;
  const [total, forward] =
    isStart && isUnfiltered(source)
      ? await readStart(source, perPage)
      : await Promise.all([
          countUpTo(source),
          isStart || after !== null ? readForward(source, { perPage, cursor: after }) : null,
        ]);
  const numbered = async (number: number, isFallback: boolean): Promise<TransactionList> => {
    const offset = (number - 1) * perPage;
    const found = (isStart && forward) || (await readForward(source, { perPage, offset }));
    const previous = number > 1 ? (found.transactions[0]?.id ?? null) : null;
    return { ...found, total, page: number, perPage, previous, isFallback };
  };

  if (after !== null && forward) {
    const found = forward;
    // A scan that stopped without a match may be followed by nothing.
    if (found.transactions.length === 0 && !found.stoppedAt && !isScanned(source))
      return numbered(1, true);
    // The row of `after` may be a match: a page without rows leads back to it.
    const previous = found.transactions[0]?.id ?? found.next ?? (await findOldest(source)) ?? after;
    return { ...found, total, page, perPage, previous, isFallback: false };
  }
  // A search may stop more often on the way back, so that its first page is where it ends.
  if (before !== null && (page > 1 || isScanned(source))) {
    const window = { perPage, cursor: before, isForward: false };
    const { end: previous, ...found } = await readWindow(source, window);
    // A page that is not full begins at the newest row, unless the scan stopped before it.
    if (previous === null) return numbered(1, found.transactions.length === 0);
    const next = found.transactions.at(-1)?.id ?? previous;
    const rest = { total, page: Math.max(page, 2), perPage, isFallback: false };
    return { ...found, ...rest, next, previous, isBackward: true };
  }
  const lastPage = Math.max(1, Math.ceil(total.count / perPage));
  return numbered(Math.min(page, lastPage), page > lastPage);
}

/**
 * Lists matching transactions, newest first, that are older than `before`; null if there is no such
 * transaction. `next` is the `before` of the rows that follow, null at the end. A page that is not full
 * may be followed by more rows: a scan for rare matches stops at a limit.
 * @throws DomainError invalid, `fields.promotion`: too many promotions have such a name; not_found: the replica does not
 *   have the transaction, and the primary is to be asked
 */
export async function newestTransactions({
  filters = noFilters,
  limit,
  before,
}: {
  filters?: TransactionFilters;
  limit: number;
  before: string | null;
}): Promise<{ transactions: Transaction[]; next: string | null } | null> {
  const exists = before === null || (await db()("transactions").where({ id: before }).first("id"));
  // It may not have arrived there.
  if (!exists && isReadingFromReplica()) throw notFound("There is no such transaction");
  if (!exists) return null;
  const source = await findSource(filters);
  const { transactions, next } = await readForward(source, { perPage: limit, cursor: before });
  return { transactions, next };
}

const fromStart: PageWindow = { cursor: null, isForward: true };

/** Reads the first page of all transactions and counts them in one statement, because most screens ask for it. */
async function readStart(source: TransactionSource, perPage: number) {
  const limit = perPage + 1;
  const { rows, count } = await readRows(source, { window: fromStart, limit, isCounted: true });
  const transactions = rows.slice(0, perPage);
  const next = rows.length > perPage ? transactions.at(-1)!.id : null;
  const total = { count: Math.min(count, countCap), isCapped: count > countCap };
  return [total, { transactions, next, stoppedAt: null }] as const;
}

type ScanEnd = { id: string; createdAt: Date } | null;

/** Reads a page of rows that are older than the cursor, or newer, and where the scan stopped if it is not full. */
async function readWindow(
  source: TransactionSource,
  {
    perPage,
    offset,
    cursor = null,
    isForward = true,
  }: Partial<PageWindow> & { perPage: number; offset?: number },
) {
  const window = { cursor, isForward };
  const { rows } = await readRows(source, { window, limit: perPage + 1, offset });
  const page = rows.slice(0, perPage);
  const isFull = rows.length > perPage;
  const scanEnd = isFull ? null : await findScanEnd(source, window);
  return {
    transactions: isForward ? page : page.toReversed(),
    /** The cursor of the page beyond this one; null if this one reaches the end. */
    end: (isFull ? page.at(-1)?.id : scanEnd?.id) ?? null,
    stoppedAt: scanEnd?.createdAt ?? null,
  };
}

async function readForward(...args: Parameters<typeof readWindow>) {
  const { end: next, ...rest } = await readWindow(...args);
  return { ...rest, next };
}

/** Whether the list shows every transaction: its statements are those that most screens run. */
function isUnfiltered({ kind, range, residual }: TransactionSource): boolean {
  return kind === "scan" && range === "true" && residual === "true";
}

/** Whether rows are examined one by one, up to the scan limit. */
function isScanned({ kind, residual }: TransactionSource): boolean {
  return kind === "scan" && residual !== "true";
}

/** Returns the last row before the scan limit, or null if the scan reaches the end. */
export async function findScanEnd(source: TransactionSource, window: PageWindow): Promise<ScanEnd> {
  if (!isScanned(source)) return null;
  const rows = await query<NonNullable<ScanEnd>>(db(), scanEndSql(source, window), {
    ...source.bindings,
    cursor: window.cursor,
  });
  return rows.length === 2 ? rows[0]! : null;
}

/** Returns the oldest row that a scan could examine. */
async function findOldest({ range, bindings }: TransactionSource): Promise<string | null> {
  const sql = `select t.id from transactions t where ${range} ${orderSql(false)} limit 1`;
  return (await one<{ id: string }>(db(), sql, bindings))?.id ?? null;
}

/** Counts up to the cap, because counting further would cost more than the page itself. */
async function countUpTo(source: TransactionSource): Promise<TransactionList["total"]> {
  if (source.kind === "none") return { count: 0, isCapped: false };
  const counted = await one<{ count: number }>(db(), countSql(source), {
    ...source.bindings,
    cursor: null,
  });
  const { count } = counted!;
  const isCapped = count > countCap || (await findScanEnd(source, fromStart)) !== null;
  return { count: Math.min(count, countCap), isCapped };
}

function countSql(source: TransactionSource): string {
  return `select count(*)::integer as count
    from (select from ${rowsSql(source, fromStart)} limit ${countCap + 1}) counted`;
}

type RowsOptions = {
  window: PageWindow;
  limit: number;
  offset?: number;
  /** True if the statement counts as well, up to the cap. */
  isCounted?: boolean;
};

async function readRows(
  source: TransactionSource,
  { window, limit, offset = 0, isCounted = false }: RowsOptions,
): Promise<{ rows: Transaction[]; count: number }> {
  if (source.kind === "none") return { rows: [], count: 0 };
  const order = orderSql(window.isForward);
  const found = await query<TransactionRow & { count?: number }>(
    db(),
    `select ${transactionColumnsSql} ${isCounted ? `, (${countSql(source)}) as count` : ""}
     from (select t.* from ${rowsSql(source, window)} ${order}
       limit ${limit} offset ${offset}) t
     ${transactionJoinsSql} ${order}`,
    { ...source.bindings, cursor: window.cursor },
    { isPrepared: isUnfiltered(source) && offset === 0 },
  );
  const rows = found.map(({ count: _count, ...row }) => withSavings(row));
  return { rows, count: found[0]?.count ?? 0 };
}

export type TransactionRow = Omit<Transaction, "savings">;

export const transactionColumnsSql = `t.id, t.redemption_id, t.original_price, t.discount,
  t.discounted_price, t.created_at as occurred_at, t.status, t.type,
  json_build_object('serialNumber', m.serial_number, 'humanName', m.human_name) as machine,
  json_build_object('id', p.id::text, 'name', p.name, 'code', p.code) as promotion`;

export const transactionJoinsSql = `join machines m on m.id = t.machine_id
  join promotions p on p.id = t.promotion_id`;

function withSavings(row: TransactionRow): Transaction {
  return { ...row, savings: savingsPercent(row.discount, row.originalPrice) };
}

export async function newestOfMachine(machineId: string, limit: number): Promise<Transaction[]> {
  const rows = await query<TransactionRow>(
    db(),
    `select ${transactionColumnsSql} from transactions t ${transactionJoinsSql}
     where t.machine_id = :machineId ${orderSql(true)} limit :limit`,
    { machineId, limit },
    { isPrepared: true },
  );
  return rows.map(withSavings);
}

type FirstRedemption = { occurredAt: Date; serialNumber: string; integrationId: string };

/** Finds the first redemption with a key of an integration; sample data has none. */
export async function findFirstRedemption(): Promise<FirstRedemption | null> {
  const first = await one<FirstRedemption>(
    db(),
    `select t.created_at as occurred_at, m.serial_number, t.integration_id
     from transactions t join machines m on m.id = t.machine_id
     where t.integration_id is not null order by t.id limit 1`,
  );
  return first ?? null;
}
