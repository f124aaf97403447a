import { db, one, query } from "../../db/connection.server";
import { savingsPercent, type Transaction } from "./transaction";
import type { TransactionListQuery } from "./transaction-filters";
import {
  findSource,
  scanEndSql,
  orderSql,
  rowsSql,
  type PageWindow,
  type TransactionSource,
} from "./transaction-filters.server";

/** One page of the transactions, newest first. */
type TransactionList = {
  transactions: Transaction[];
  /** Exact up to 10,000; if capped, there are more or not all rows were scanned. */
  total: { count: number; isCapped: boolean };
  page: number;
  perPage: number;
  /** Cursors for `after` and `before`; null at the ends. */
  next: string | null;
  previous: string | null;
  /** The time at which the scan stopped before the page was full; `next` continues from there. */
  stoppedAt: Date | null;
  /** The requested page has no rows (any more); this is the nearest one. */
  isFallback: boolean;
};

const countCap = 10_000;

/**
 * Lists one page of the matching transactions. A cursor decides the rows; without one the page
 * number does, up to row 10,000.
 * @throws DomainError invalid, `fields.promotion`: too many promotions have such a name
 */
export async function listTransactions(
  input: TransactionListQuery,
  options: Parameters<typeof findSource>[1] = {},
): Promise<TransactionList> {
  const { page, perPage, after, before } = input;
  const source = await findSource(input.filters, options);
  const total = await countUpTo(source);
  const lastPage = Math.max(1, Math.ceil(total.count / perPage));
  const numbered = (number: number) => readNumbered(source, { number, perPage });

  if (after !== null) {
    const found = await readAfter(source, after, { rowCount: perPage + 1 });
    // A scan that stopped without a match may be followed by nothing.
    if (found.rows.length > 0 || found.scanEnd || isScanned(source)) {
      const transactions = found.rows.slice(0, perPage);
      const last = found.rows.length > perPage ? transactions.at(-1)?.id : found.scanEnd?.id;
      return {
        transactions,
        stoppedAt: found.scanEnd && found.scanEnd.createdAt,
        total,
        page,
        perPage,
        next: last ?? null,
        previous: transactions[0]?.id ?? after,
        isFallback: false,
      };
    }
  } else if (before !== null && page > 1) {
    const rows = await readRows(source, {
      window: { cursor: before, isForward: false },
      limit: perPage + 1,
    });
    // A page that is not full is the first one, which begins at the newest row.
    if (rows.length > perPage) {
      const transactions = rows.slice(0, perPage).reverse();
      return {
        transactions,
        stoppedAt: null,
        total,
        page,
        perPage,
        next: transactions.at(-1)!.id,
        previous: transactions[0]!.id,
        isFallback: false,
      };
    }
    return { ...(await numbered(1)), total, isFallback: rows.length === 0 };
  }
  const nearest = Math.min(page, lastPage);
  const isFallback = nearest !== page || after !== null;
  return { ...(await numbered(after === null ? nearest : 1)), total, isFallback };
}

/**
 * Lists the newest transactions for the API.
 * @param before the id of a transaction: only older ones
 * @returns null if there is no transaction `before`
 */
export async function newestTransactions({
  limit,
  before,
}: {
  limit: number;
  before: string | null;
}): Promise<Transaction[] | null> {
  const exists = before === null || (await db()("transactions").where({ id: before }).first("id"));
  if (!exists) return null;
  const everything: TransactionSource = {
    kind: "scan",
    promotions: "",
    range: "true",
    residual: "true",
    scanLimit: limit,
    bindings: {},
  };
  return readRows(everything, { window: { cursor: before, isForward: true }, limit });
}

async function readNumbered(
  source: TransactionSource,
  { number, perPage }: { number: number; perPage: number },
) {
  const found = await readAfter(source, null, {
    rowCount: perPage + 1,
    offset: (number - 1) * perPage,
  });
  const transactions = found.rows.slice(0, perPage);
  const last = found.rows.length > perPage ? transactions.at(-1)?.id : found.scanEnd?.id;
  return {
    transactions,
    stoppedAt: found.scanEnd && found.scanEnd.createdAt,
    page: number,
    perPage,
    next: last ?? null,
    previous: number > 1 ? (transactions[0]?.id ?? null) : null,
  };
}

type ScanEnd = { id: string; createdAt: Date } | null;

/** Reads what is older than the cursor, and where the scan stopped if it found too little. */
async function readAfter(
  source: TransactionSource,
  cursor: string | null,
  { rowCount, offset = 0 }: { rowCount: number; offset?: number },
): Promise<{ rows: Transaction[]; scanEnd: ScanEnd }> {
  const window = { cursor, isForward: true };
  const rows = await readRows(source, { window, limit: rowCount, offset });
  return { rows, scanEnd: rows.length < rowCount ? await findScanEnd(source, window) : null };
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

/** Counts up to the cap, because counting further would cost more than the page itself. */
async function countUpTo(source: TransactionSource): Promise<TransactionList["total"]> {
  if (source.kind === "none") return { count: 0, isCapped: false };
  const window = { cursor: null, isForward: true };
  const counted = await one<{ count: number }>(
    db(),
    `select count(*)::integer as count
     from (select from ${rowsSql(source, window)} limit ${countCap + 1}) counted`,
    { ...source.bindings, cursor: null },
  );
  const { count } = counted!;
  const isCapped = count > countCap || (await findScanEnd(source, window)) !== null;
  return { count: Math.min(count, countCap), isCapped };
}

async function readRows(
  source: TransactionSource,
  { window, limit, offset = 0 }: { window: PageWindow; limit: number; offset?: number },
): Promise<Transaction[]> {
  if (source.kind === "none") return [];
  const order = orderSql(window.isForward);
  const rows = await query<TransactionRow>(
    db(),
    `select ${transactionColumnsSql}
     from (select t.* from ${rowsSql(source, window)} ${order}
       limit ${limit} offset ${offset}) t
     ${transactionJoinsSql} ${order}`,
    { ...source.bindings, cursor: window.cursor },
  );
  return rows.map(withSavings);
}

/** A transaction as `transactionColumnsSql` and `transactionJoinsSql` select it. */
export type TransactionRow = Omit<Transaction, "savings">;

export const transactionColumnsSql = `t.id, t.redemption_id, t.original_price, t.discount,
  t.discounted_price, t.created_at as at, t.status, t.type,
  json_build_object('serialNumber', m.serial_number, 'humanName', m.human_name) as machine,
  json_build_object('id', p.id::text, 'name', p.name, 'code', p.code) as promotion`;

export const transactionJoinsSql = `join machines m on m.id = t.machine_id
  join promotions p on p.id = t.promotion_id`;

function withSavings(row: TransactionRow): Transaction {
  return { ...row, savings: savingsPercent(row.discount, row.originalPrice) };
}

/** Lists the newest transactions of a machine. */
export async function newestOfMachine(machineId: string, limit: number): Promise<Transaction[]> {
  const rows = await query<TransactionRow>(
    db(),
    `select ${transactionColumnsSql} from transactions t ${transactionJoinsSql}
     where t.machine_id = :machineId ${orderSql(true)} limit :limit`,
    { machineId, limit },
  );
  return rows.map(withSavings);
}
