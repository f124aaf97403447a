import { db } from "../../db/connection.server";
import { savingsPercent, type Transaction } from "./transaction";
import type { TransactionListQuery } from "./transaction-filters";
import {
  findSource,
  lastWalkedSql,
  orderSql,
  rowsSql,
  type Stretch,
  type TransactionSource,
} from "./transaction-filters.server";

type Rows<Row> = { rows: Row[] };

/** One page of the transactions, the newest first. */
export type TransactionList = {
  transactions: Transaction[];
  /** Exact up to 10,000; capped, there are more, or not all were looked at. */
  total: { count: number; isCapped: boolean };
  page: number;
  perPage: number;
  /** Cursors for `after` and `before`; null at the ends. */
  next: string | null;
  previous: string | null;
  /** Where looking at rows one by one stopped before the page was full; `next` goes on from there. */
  stoppedAt: Date | null;
  /** What was asked for has no rows (any more): this is the nearest page. */
  isFallback: boolean;
};

const countCap = 10_000;

/**
 * One page of what matches (rulings 1.6): a cursor decides the rows; without one the page number
 * does, up to row 10,000.
 * @throws DomainError invalid, `fields.promotion`: too many promotions have such a name
 */
export async function listTransactions(
  query: TransactionListQuery,
  options: Parameters<typeof findSource>[1] = {},
): Promise<TransactionList> {
  const { page, perPage, after, before } = query;
  const source = await findSource(query.filters, options);
  const total = await countUpTo(source);
  const lastPage = Math.max(1, Math.ceil(total.count / perPage));
  const numbered = (number: number) => readNumbered(source, { number, perPage });

  if (after !== null) {
    const found = await readBehind(source, after, { rowCount: perPage + 1 });
    // Behind rows that were looked at in vain there may be nothing.
    if (found.rows.length > 0 || found.stopped || isLookedAt(source)) {
      const shown = found.rows.slice(0, perPage);
      const last = found.rows.length > perPage ? shown.at(-1)?.id : found.stopped?.id;
      return {
        ...toPage(shown, found),
        total,
        page,
        perPage,
        next: last ?? null,
        previous: shown[0]?.id ?? after,
        isFallback: false,
      };
    }
  } else if (before !== null && page > 1) {
    const rows = await readRows(source, {
      stretch: { cursor: before, isForward: false },
      limit: perPage + 1,
    });
    // A page that is not full is the first one, which begins at the newest.
    if (rows.length > perPage) {
      const shown = rows.slice(0, perPage).reverse();
      return {
        ...toPage(shown, { stopped: null }),
        total,
        page,
        perPage,
        next: shown.at(-1)!.id,
        previous: shown[0]!.id,
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
 * The newest of all, for the API.
 * @param before only what is older than the transaction with this id; null is returned where there
 *   is no such transaction
 */
export async function newestTransactions({
  limit,
  before,
}: {
  limit: number;
  before: string | null;
}): Promise<Transaction[] | null> {
  const isThere = before === null || (await db()("transactions").where({ id: before }).first("id"));
  if (!isThere) return null;
  const everything: TransactionSource = {
    kind: "walked",
    promotions: "",
    range: "true",
    rest: "true",
    most: limit,
    bindings: {},
  };
  const stretch = { cursor: before, isForward: true };
  return (await readRows(everything, { stretch, limit })).map(toTransaction);
}

async function readNumbered(
  source: TransactionSource,
  { number, perPage }: { number: number; perPage: number },
) {
  const found = await readBehind(source, null, {
    rowCount: perPage + 1,
    offset: (number - 1) * perPage,
  });
  const shown = found.rows.slice(0, perPage);
  const last = found.rows.length > perPage ? shown.at(-1)?.id : found.stopped?.id;
  return {
    ...toPage(shown, found),
    page: number,
    perPage,
    next: last ?? null,
    previous: number > 1 ? (shown[0]?.id ?? null) : null,
  };
}

type Stopped = { id: string; created_at: Date } | null;

function toPage(rows: TransactionRow[], { stopped }: { stopped: Stopped }) {
  return { transactions: rows.map(toTransaction), stoppedAt: stopped && stopped.created_at };
}

/** What is older than the cursor, and where the walk stopped when it found too little. */
async function readBehind(
  source: TransactionSource,
  cursor: string | null,
  { rowCount, offset = 0 }: { rowCount: number; offset?: number },
): Promise<{ rows: TransactionRow[]; stopped: Stopped }> {
  const stretch = { cursor, isForward: true };
  const rows = await readRows(source, { stretch, limit: rowCount, offset });
  const isCut = rows.length < rowCount;
  return { rows, stopped: isCut ? await lastWalked(source, stretch) : null };
}

/** Whether rows are looked at one by one, so many and no further. */
function isLookedAt({ kind, rest }: TransactionSource): boolean {
  return kind === "walked" && rest !== "true";
}

/** Where looking at rows one by one stops; null where it comes to the end. */
export async function lastWalked(source: TransactionSource, stretch: Stretch): Promise<Stopped> {
  if (!isLookedAt(source)) return null;
  const { rows } = await db().raw<Rows<{ id: string; created_at: Date }>>(
    lastWalkedSql(source, stretch),
    { ...source.bindings, cursor: stretch.cursor },
  );
  return rows.length === 2 ? rows[0]! : null;
}

/** Counting further would cost more than the page itself. */
async function countUpTo(source: TransactionSource): Promise<TransactionList["total"]> {
  if (source.kind === "none") return { count: 0, isCapped: false };
  const fromTheNewest = { cursor: null, isForward: true };
  const { rows } = await db().raw<Rows<{ count: number }>>(
    `select count(*)::integer as count
     from (select from ${rowsSql(source, fromTheNewest)} limit ${countCap + 1}) counted`,
    { ...source.bindings, cursor: null },
  );
  const { count } = rows[0]!;
  const isCapped = count > countCap || (await lastWalked(source, fromTheNewest)) !== null;
  return { count: Math.min(count, countCap), isCapped };
}

export type TransactionRow = {
  id: string;
  redemption_id: string;
  serial_number: string;
  human_name: string;
  promotion_id: string;
  promotion_name: string;
  code: string;
  original_price: number;
  discount: number;
  discounted_price: number;
  created_at: Date;
  status: Transaction["status"];
  type: Transaction["type"];
};

/** Rows of a stretch, from the cursor on. */
async function readRows(
  source: TransactionSource,
  { stretch, limit, offset = 0 }: { stretch: Stretch; limit: number; offset?: number },
): Promise<TransactionRow[]> {
  if (source.kind === "none") return [];
  const order = orderSql(stretch.isForward);
  const { rows } = await db().raw<Rows<TransactionRow>>(
    `select ${transactionColumns}
     from (select t.* from ${rowsSql(source, stretch)} ${order}
       limit ${limit} offset ${offset}) t
     ${transactionJoins} ${order}`,
    { ...source.bindings, cursor: stretch.cursor },
  );
  return rows;
}

/** What `toTransaction` reads. */
export const transactionColumns = `t.id, t.redemption_id, t.original_price, t.discount,
  t.discounted_price, t.created_at, t.status, t.type, m.serial_number, m.human_name,
  p.id as promotion_id, p.name as promotion_name, p.code`;

export const transactionJoins = `join machines m on m.id = t.machine_id
  join promotions p on p.id = t.promotion_id`;

export function toTransaction(row: TransactionRow): Transaction {
  return {
    id: row.id,
    redemptionId: row.redemption_id,
    machine: { serialNumber: row.serial_number, humanName: row.human_name },
    promotion: { id: row.promotion_id, name: row.promotion_name, code: row.code },
    originalPrice: row.original_price,
    discount: row.discount,
    discountedPrice: row.discounted_price,
    savings: savingsPercent(row.discount, row.original_price),
    at: row.created_at,
    status: row.status,
    type: row.type,
  };
}
