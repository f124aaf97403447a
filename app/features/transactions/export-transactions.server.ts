import { db, one, query } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import { csvFile, type CsvColumn } from "../../codec/csv.server";
import { decimalAmount } from "../../format/money";
import { discountTypeLabels, formatCode } from "../../format/promotion";
import { codeFor } from "../sign-in/masked";
import type { Reader } from "../sign-in/user";
import {
  findScanEnd,
  transactionColumnsSql,
  transactionJoinsSql,
  type TransactionRow,
} from "./list-transactions.server";
import { savingsPercent, transactionStatusLabels } from "./transaction";
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
