import { db, one, query } from "../../db/connection.server";
import { codeFor } from "../sign-in/masked";
import type { Reader } from "../sign-in/user";
import { savingsPercent, type Transaction, transactionStatusLabels } from "./transaction";
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
import { siteTimeZone } from "../../db/site.server";
import { csvFile, type CsvColumn } from "../../codec/csv.server";
import type { ListPage } from "../../lists/parse-list";
import { decimalAmount } from "../../format/money";
import { discountTypeLabels, formatCode } from "../../format/promotion";

/** The total is capped too when not all rows were scanned. */
type TransactionList = ListPage & {
  transactions: Transaction[];
  /** The time at which the scan stopped before the page was full; `next` continues from there. */
  stoppedAt: Date | null;
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
    const previous = found.transactions[0]?.id ?? after;
    return { ...found, total, page, perPage, previous, isFallback: false };
  }
  if (before !== null && page > 1) {
    const window = { cursor: before, isForward: false };
    const { rows } = await readRows(source, { window, limit: perPage + 1 });
    // A page that is not full is the first one, which begins at the newest row.
    if (rows.length <= perPage) return numbered(1, rows.length === 0);
    const transactions = rows.slice(0, perPage).reverse();
    const [previous, next] = [transactions[0]!.id, transactions.at(-1)!.id];
    const ends = { next, previous, stoppedAt: null };
    return { transactions, ...ends, total, page, perPage, isFallback: false };
  }
  const lastPage = Math.max(1, Math.ceil(total.count / perPage));
  return numbered(Math.min(page, lastPage), page > lastPage);
}

/**
 * Lists matching transactions, newest first, that are older than `before`; null if there is no such
 * transaction. `next` is the `before` of the rows that follow, null at the end. A page that is not full
 * may be followed by more rows: a scan for rare matches stops at a limit.
 * @throws DomainError invalid, `fields.promotion`: too many promotions have such a name
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

/** Reads a page of rows that are older than the cursor, and where the scan stopped if it is not full. */
async function readForward(
  source: TransactionSource,
  {
    perPage,
    cursor = null,
    offset = 0,
  }: { perPage: number; cursor?: string | null; offset?: number },
) {
  const window = { cursor, isForward: true };
  const { rows } = await readRows(source, { window, limit: perPage + 1, offset });
  const transactions = rows.slice(0, perPage);
  const isFull = rows.length > perPage;
  const scanEnd = isFull ? null : await findScanEnd(source, window);
  return {
    transactions,
    next: (isFull ? transactions.at(-1)?.id : scanEnd?.id) ?? null,
    stoppedAt: scanEnd?.createdAt ?? null,
  };
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
async function findScanEnd(source: TransactionSource, window: PageWindow): Promise<ScanEnd> {
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

type TransactionRow = Omit<Transaction, "savings">;

const transactionColumnsSql = `t.id, t.redemption_id, t.original_price, t.discount,
  t.discounted_price, t.created_at as occurred_at, t.status, t.type,
  json_build_object('serialNumber', m.serial_number, 'humanName', m.human_name) as machine,
  json_build_object('id', p.id::text, 'name', p.name, 'code', p.code) as promotion`;

const transactionJoinsSql = `join machines m on m.id = t.machine_id
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

/** Keeps the memory of a page small, and the time that other requests wait for it. */
const pageRows = 1_000;

type ExportRow = TransactionRow & {
  createdIso: string;
  createdLocal: string;
  integration: string | null;
};

/**
 * Writes every matching transaction as CSV, newest first, one page of lines at a time. No connection
 * is held between pages; transactions that are made after the first page are left out.
 * @throws DomainError invalid, `fields.promotion`: too many promotions have such a name
 */
export function exportTransactions(
  filters: TransactionFilters,
  reader: Reader,
  options: { scanLimit?: number } = {},
): AsyncGenerator<string> {
  return csvFile(csvColumns(reader), exportedPages(filters, options));
}

async function* exportedPages(
  filters: TransactionFilters,
  options: { scanLimit?: number },
): AsyncGenerator<ExportRow[]> {
  const clock = await one<{ now: Date }>(db(), "select now()");
  const source = await findSource(filters, { ...options, now: clock!.now });
  for (let after: string | null = null; ;) {
    const window: PageWindow = { cursor: after, isForward: true };
    const rows = await readPage(source, window);
    yield rows;
    const isFull = rows.length === pageRows;
    const next = isFull ? rows.at(-1)! : await findScanEnd(source, window);
    if (!next) return;
    after = next.id;
  }
}

/** Amounts have a decimal point, so that spreadsheets can add them up. */
function csvColumns(reader: Reader): CsvColumn<ExportRow>[] {
  return [
    ["ID", ({ id }) => id],
    ["Time (ISO, UTC)", ({ createdIso }) => createdIso],
    [`Time (${siteTimeZone()})`, ({ createdLocal }) => createdLocal],
    ["Machine", ({ machine }) => machine.serialNumber],
    ["Name of machine", ({ machine }) => machine.humanName],
    ["Name of code", ({ promotion }) => promotion.name],
    ["Code", ({ promotion }) => formatCode(codeFor(reader, promotion.code))],
    ["Type", ({ type }) => discountTypeLabels[type]],
    ["Original price", ({ originalPrice }) => decimalAmount(originalPrice)],
    ["Discount", ({ discount }) => decimalAmount(discount)],
    ["Discounted price", ({ discountedPrice }) => decimalAmount(discountedPrice)],
    ["Savings in %", ({ discount, originalPrice }) => savingsPercent(discount, originalPrice)],
    ["Status", ({ status }) => transactionStatusLabels[status]],
    ["Integration", ({ integration }) => integration],
    ["Redemption ID", ({ redemptionId }) => redemptionId],
  ];
}

async function readPage(source: TransactionSource, window: PageWindow): Promise<ExportRow[]> {
  if (source.kind === "none") return [];
  const order = orderSql(true);
  return query(
    db(),
    `select ${transactionColumnsSql}, i.name as integration,
       to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_iso,
       to_char(t.created_at at time zone :timeZone, 'DD.MM.YYYY HH24:MI:SS') as created_local
     from (select t.* from ${rowsSql(source, window)}
       ${order} limit ${pageRows}) t
     ${transactionJoinsSql} left join integrations i on i.id = t.integration_id
     ${order}`,
    { ...source.bindings, cursor: window.cursor },
  );
}
