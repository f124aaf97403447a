import { db, one, query } from "../../../db/connection.server";
import { siteTimeZone } from "../../../db/site.server";
import { byteOrderMark, csvLine } from "../../../format/csv";
import type { PromotionSelection } from "../lifecycle/bulk-selection";
import { selectionSql } from "../lifecycle/bulk-selection.server";
import { clockBindings, clockSql, promotionColumns } from "../promotion-sql.server";
import { csvColumns, type PromotionCsvRow } from "../promotion-view";

/** Keeps the memory of a page small, and the time that other requests wait for it. */
const pageRows = 1_000;

/** Writes the promotions of a selection as CSV, newest first, one page of lines at a time. */
export async function* exportPromotions(selection: PromotionSelection): AsyncGenerator<string> {
  const columns = csvColumns(siteTimeZone());
  let lines = byteOrderMark + csvLine(columns.map(([heading]) => heading));
  for await (const rows of pagesOf(selection)) {
    for (const row of rows) lines += csvLine(columns.map(([, cell]) => cell(row)));
    yield lines;
    lines = "";
  }
}

/**
 * Reads the rows of a selection, newest first, without holding a connection between pages. Promotions
 * that are created after the first page are left out, and every status is as of that page.
 */
export async function* pagesOf(selection: PromotionSelection): AsyncGenerator<PromotionCsvRow[]> {
  const now = await databaseNow();
  for (let after: string | null = null; ;) {
    const rows = await readPage(selection, now, after);
    yield rows;
    if (rows.length < pageRows) return;
    after = rows.at(-1)!.id;
  }
}

async function databaseNow(): Promise<Date> {
  // A Date has no microseconds; the next full millisecond includes everything that exists now.
  const row = await one<{ now: Date }>(
    db(),
    "select date_trunc('milliseconds', now()) + interval '1 millisecond' as now",
  );
  return row!.now;
}

/** Reads the rows after the promotion `after`; singles and codes each have an index. */
async function readPage(
  selection: PromotionSelection,
  now: Date,
  after: string | null,
): Promise<PromotionCsvRow[]> {
  const { sql, bindings, parts } = selectionSql(selection);
  const afterCursor =
    after === null
      ? "p.created_at <= :latest"
      : "(p.created_at, p.id) < ((select created_at from promotions where id = :after), :after)";
  const part = (condition: string) =>
    `(select p.* from promotions p where ${condition} and ${afterCursor} and (${sql})
      order by p.created_at desc, p.id desc limit ${pageRows})`;
  return query(
    db(),
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
    { ...clockBindings(now), ...bindings, latest: now, after },
  );
}

const lastDaySql = "(p.expires_at - interval '1 microsecond') at time zone :timeZone";
