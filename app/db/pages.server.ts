/** Reads pages of lists that have thousands of rows at most. */
import { db, one, query } from "./connection.server";

/** A page counts from 1; one after the last is the last one. */
export type PageQuery = { page: number; perPage: number };

/**
 * Reads a page of rows of which there are thousands at most, so that pages are plain offsets.
 * @param statements.from what is counted
 * @param statements.facts more columns of the statement that counts
 * @param statements.rows a statement that reads `:perPage` rows from `:offset`
 */
export async function queryPage<Row extends object, Facts extends object = object>(
  { from, rows: rowsSql, facts = "" }: { from: string; rows: string; facts?: string },
  bindings: Record<string, unknown>,
  { page: requestedPage, perPage }: PageQuery,
): Promise<Facts & { rows: Row[]; total: number; page: number }> {
  const read = (page: number) =>
    query<Row>(db(), rowsSql, { ...bindings, perPage, offset: (page - 1) * perPage });
  const [counted, rows] = await Promise.all([
    one<Facts & { total: number }>(
      db(),
      `select count(*)::integer as total ${facts && `, ${facts}`} from ${from}`,
      bindings,
    ),
    read(requestedPage),
  ]);
  const { total } = counted!;
  const page = Math.min(requestedPage, Math.max(1, Math.ceil(total / perPage)));
  return { ...counted!, rows: page === requestedPage ? rows : await read(page), page };
}

/** Returns a pattern for `ilike` that finds the text anywhere; '' matches all. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
