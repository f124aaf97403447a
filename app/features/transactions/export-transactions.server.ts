import { db, one, query } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import { byteOrderMark, csvLine, type Cell } from "../../format/csv";
import { decimalDollars } from "../../format/money";
import { formatCode } from "../../format/promotion";
import {
  findScanEnd,
  transactionColumnsSql,
  transactionJoinsSql,
  type TransactionRow,
} from "./list-transactions.server";
import { savingsPercent, transactionStatusLabels, transactionTypeLabels } from "./transaction";
import type { TransactionFilters } from "./transaction-filters";
import {
  findSource,
  orderSql,
  rowsSql,
  type PageWindow,
  type TransactionSource,
} from "./transaction-filters.server";

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
export async function* exportTransactions(
  filters: TransactionFilters,
  options: { scanLimit?: number } = {},
): AsyncGenerator<string> {
  const clock = await one<{ now: Date }>(db(), "select now()");
  const source = await findSource(filters, { ...options, now: clock!.now });
  let lines = byteOrderMark + csvLine(headings());
  for (let after: string | null = null; ;) {
    const window: PageWindow = { cursor: after, isForward: true };
    const rows = await readPage(source, window);
    for (const row of rows) lines += csvLine(cellsOf(row));
    if (lines !== "") yield lines;
    lines = "";
    const isFull = rows.length === pageRows;
    const next = isFull ? rows.at(-1)! : await findScanEnd(source, window);
    if (!next) return;
    after = next.id;
  }
}

function headings(): string[] {
  return [
    ...["ID", "Time (ISO, UTC)", `Time (${siteTimeZone()})`, "Machine", "Name of machine"],
    ...["Promotion", "Code", "Type", "Original price", "Discount", "Discounted price"],
    ...["Savings in %", "Status", "Integration", "Redemption ID"],
  ];
}

/** Writes dollars with a decimal point, so that spreadsheets can add them up. */
function cellsOf(row: ExportRow): Cell[] {
  return [
    row.id,
    row.createdIso,
    row.createdLocal,
    row.machine.serialNumber,
    row.machine.humanName,
    row.promotion.name,
    formatCode(row.promotion.code),
    transactionTypeLabels[row.type],
    decimalDollars(row.originalPrice),
    decimalDollars(row.discount),
    decimalDollars(row.discountedPrice),
    savingsPercent(row.discount, row.originalPrice),
    transactionStatusLabels[row.status],
    row.integration,
    row.redemptionId,
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
