import { db } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import { byteOrderMark, csvLine, type Cell } from "../../format/csv";
import { decimalDollars } from "../../format/money";
import { formatCode } from "../../format/promotion";
import {
  lastWalked,
  transactionColumns,
  transactionJoins,
  type TransactionRow,
} from "./list-transactions.server";
import { savingsPercent } from "./transaction";
import type { TransactionFilters } from "./transaction-filters";
import {
  findSource,
  orderSql,
  rowsSql,
  type TransactionSource,
} from "./transaction-filters.server";
import { transactionStatusLabels, transactionTypeLabels } from "./transaction-view";

type Rows<Row> = { rows: Row[] };

/** Few enough that no other request waits for a page, and that what is held stays small. */
const pageRows = 1_000;

type ExportRow = TransactionRow & {
  created_iso: string;
  created_local: string;
  integration: string | null;
};

/**
 * Every transaction that matches as CSV, newest first, a page of lines at a time. Between pages no
 * connection is held; what happens after the first stays out.
 * @throws DomainError invalid, `fields.promotion`: too many promotions have such a name
 */
export async function* exportTransactions(
  filters: TransactionFilters,
  options: { most?: number } = {},
): AsyncGenerator<string> {
  const source = await findSource(filters, { ...options, now: await databaseNow() });
  let lines = byteOrderMark + csvLine(headings());
  for (let after: string | null = null; ;) {
    const rows = await readPage(source, after);
    for (const row of rows) lines += csvLine(cellsOf(row));
    if (lines !== "") yield lines;
    lines = "";
    const isFull = rows.length === pageRows;
    const next: string | undefined = isFull
      ? rows.at(-1)!.id
      : (await lastWalked(source, { cursor: after, isForward: true }))?.id;
    if (next === undefined) return;
    after = next;
  }
}

async function databaseNow(): Promise<Date> {
  const { rows } = await db().raw<Rows<{ at: Date }>>("select now() as at");
  return rows[0]!.at;
}

function headings(): string[] {
  return [
    ...["ID", "Time (ISO, UTC)", `Time (${siteTimeZone()})`, "Machine", "Name of machine"],
    ...["Promotion", "Code", "Type", "Original price", "Discount", "Discounted price"],
    ...["Savings in %", "Status", "Integration", "Redemption ID"],
  ];
}

/** Dollars with a point, so that spreadsheets add them up. */
function cellsOf(row: ExportRow): Cell[] {
  return [
    row.id,
    row.created_iso,
    row.created_local,
    row.serial_number,
    row.human_name,
    row.promotion_name,
    formatCode(row.code),
    transactionTypeLabels[row.type],
    decimalDollars(row.original_price),
    decimalDollars(row.discount),
    decimalDollars(row.discounted_price),
    savingsPercent(row.discount, row.original_price),
    transactionStatusLabels[row.status],
    row.integration,
    row.redemption_id,
  ];
}

async function readPage(source: TransactionSource, after: string | null): Promise<ExportRow[]> {
  if (source.kind === "none") return [];
  const order = orderSql(true);
  const { rows } = await db().raw<Rows<ExportRow>>(
    `select ${transactionColumns}, i.name as integration,
       to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_iso,
       to_char(t.created_at at time zone :timeZone, 'DD.MM.YYYY HH24:MI:SS') as created_local
     from (select t.* from ${rowsSql(source, { cursor: after, isForward: true })}
       ${order} limit ${pageRows}) t
     ${transactionJoins} left join integrations i on i.id = t.integration_id
     ${order}`,
    { ...source.bindings, cursor: after },
  );
  return rows;
}
