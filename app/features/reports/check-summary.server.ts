import { query } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import { codeCountsPart, usedUpPart, type CheckedPart } from "./code-counts.server";
import { isAtHandSql } from "../../db/archived-months.server";
import { sourceNames, summaryParts, withArchivedSql } from "./summary-sql.server";
import { withSnapshot } from "./snapshot.server";

/** A row of the summary, by its key, with what it says and what the raw rows say; null is no row. */
export type Difference = {
  table: string;
  key: Record<string, string>;
  summary: Record<string, unknown> | null;
  raw: Record<string, unknown> | null;
};

const maxDifferences = 10;

/**
 * Compares the summary with the raw rows that it was made from, at one moment. It reads all of them, and in place of
 * archived ones their sums. Sums of refused attempts can't be compared once some of these were deleted.
 */
export function checkSummary(): Promise<Difference[]> {
  return withSnapshot(async ({ trx, summarised, isSummarised, hasCodeCounts, keepsRefusals }) => {
    await trx.raw("set local statement_timeout = 0");
    const differences: Difference[] = [];
    const comparable = summaryParts.filter(({ source }) => !keepsRefusals || source !== "attempts");
    const parts = [...comparable, usedUpPart, ...(hasCodeCounts ? [codeCountsPart] : [])];
    for (const part of parts) {
      const rows = await query<Omit<Difference, "table">>(trx, differencesSql(part), {
        timeZone: siteTimeZone(),
        last: summarised[part.source],
        // Only the counts of codes have rows where there are no redemptions; those of another release are left out.
        isEmpty: part !== codeCountsPart && !isSummarised,
      });
      differences.push(...rows.map((row) => ({ table: part.table, ...row })));
    }
    return differences;
  });
}

function differencesSql(part: CheckedPart): string {
  const { table, source, key, columns, storedSql = `select * from ${table}` } = part;
  const keys = key.join(", ");
  const names = Object.keys(columns);
  const values = (row: string) =>
    names.map((name) => `coalesce(${row}.${name}, ${columns[name]!.empty})`).join(", ");
  const asObject = (row: string, of: string[]) =>
    `json_build_object(${of.map((name) => `'${name}', ${row ? `${row}.` : ""}${name}`).join(", ")})`;
  const { row } = sourceNames[source];
  const rawSql = part.rowsSql(`${row}.id <= :last and ${isAtHandSql(`${row}.created_at`)}`);
  const { archivedSql } = part;
  const rowsSql = archivedSql ? withArchivedSql({ key, columns, archivedSql }, rawSql) : rawSql;
  return `select ${asObject("", key)} as key,
      case when kept.is_row then ${asObject("kept", names)} end as summary,
      case when raw.is_row then ${asObject("raw", names)} end as raw
    from (select true as is_row, ${keys}, ${names.join(", ")} from (${storedSql}) rows where not :isEmpty) kept
      full join (select true as is_row, rows.* from (${rowsSql}) rows) raw using (${keys})
    where row(${values("kept")}) is distinct from row(${values("raw")})
    order by ${keys} limit ${maxDifferences}`;
}
