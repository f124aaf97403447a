import { db } from "../../../db/connection.server";
import { siteTimeZone } from "../../../db/site.server";
import { byteOrderMark, csvLine, type Cell } from "../../../format/csv";
import { formatCode, formatUsesLeft } from "../../../format/promotion";
import type { PromotionSelection } from "../lifecycle/bulk-selection";
import { selectionSql } from "../lifecycle/bulk-selection.server";
import type { DiscountType, PromotionStatus } from "../promotion";
import { clockBindings, clockSql, promotionColumns } from "../promotion-sql.server";
import { statusLabels } from "../promotion-view";

type Rows<Row> = { rows: Row[] };

/** Few enough that no other request waits for a page, and that what is held stays small. */
const pageRows = 1_000;

export type ExportRow = {
  id: string;
  code: string;
  name: string;
  mass_generation_id: string | null;
  discount_type: DiscountType;
  discount_value: number;
  is_single_use: boolean;
  is_renewable: boolean;
  activation_count: number;
  remaining_uses: number | null;
  status: PromotionStatus;
  created_iso: string;
  created_local: string;
  last_day_iso: string | null;
  last_day_local: string | null;
};

/** Every promotion of the selection as CSV, newest first, a page of lines at a time. */
export async function* exportPromotions(selection: PromotionSelection): AsyncGenerator<string> {
  let lines = byteOrderMark + csvLine(headings());
  for await (const rows of pagesOf(selection)) {
    for (const row of rows) lines += csvLine(cellsOf(row));
    yield lines;
    lines = "";
  }
}

/**
 * The rows of a selection, newest first. Between pages no connection is held. The moment of the
 * first page decides: what is made after it stays out, and every status is of that moment.
 */
export async function* pagesOf(selection: PromotionSelection): AsyncGenerator<ExportRow[]> {
  const moment = await databaseNow();
  for (let after: string | null = null; ;) {
    const rows = await readPage(selection, moment, after);
    yield rows;
    if (rows.length < pageRows) return;
    after = rows.at(-1)!.id;
  }
}

async function databaseNow(): Promise<Date> {
  // A Date has no microseconds: the next full millisecond, so that what exists now is in.
  const { rows } = await db().raw<Rows<{ at: Date }>>(
    "select date_trunc('milliseconds', now()) + interval '1 millisecond' as at",
  );
  return rows[0]!.at;
}

function headings(): string[] {
  return [
    ...["ID", "Code", "Name", "Type", "Mass generation", "Discount type", "Discount"],
    ...["Created (ISO, UTC)", `Created (${siteTimeZone()})`],
    ...["Valid until (ISO)", `Valid until (${siteTimeZone()})`],
    ...["One-time", "Renewable", "Used", "Uses left", "Status"],
  ];
}

function cellsOf(row: ExportRow): Cell[] {
  return [
    row.id,
    formatCode(row.code),
    row.name,
    row.mass_generation_id ? "Mass Gen" : "Single",
    row.mass_generation_id,
    row.discount_type === "percentage" ? "Percentage" : "Free drink",
    row.discount_value,
    row.created_iso,
    row.created_local,
    row.last_day_iso,
    row.last_day_local,
    row.is_single_use ? "Yes" : "No",
    row.is_renewable ? "Yes" : "No",
    row.activation_count,
    row.remaining_uses ?? formatUsesLeft(null),
    statusLabels[row.status],
  ];
}

/** The next rows behind the promotion `after`, each of both kinds from the index of its own. */
async function readPage(
  selection: PromotionSelection,
  moment: Date,
  after: string | null,
): Promise<ExportRow[]> {
  const { sql, bindings, parts } = selectionSql(selection);
  const behind =
    after === null
      ? "p.created_at <= :moment"
      : "(p.created_at, p.id) < ((select created_at from promotions where id = :after), :after)";
  const part = (condition: string) =>
    `(select p.* from promotions p where ${condition} and ${behind} and (${sql})
      order by p.created_at desc, p.id desc limit ${pageRows})`;
  const { rows } = await db().raw<Rows<ExportRow>>(
    `with ${clockSql}
     select ${promotionColumns},
       to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_iso,
       to_char(p.created_at at time zone :timeZone, 'DD.MM.YYYY HH24:MI') as created_local,
       to_char(${lastDaySql}, 'YYYY-MM-DD') as last_day_iso,
       to_char(${lastDaySql}, 'DD.MM.YYYY') as last_day_local
     from (
       select * from (${parts.map(part).join(" union all ")}) p
       order by p.created_at desc, p.id desc limit ${pageRows}
     ) p
     order by p.created_at desc, p.id desc`,
    { ...clockBindings(moment), ...bindings, moment, after },
  );
  return rows;
}

const lastDaySql = "(p.expires_at - interval '1 microsecond') at time zone :timeZone";
