/** Reads pages of lists that have thousands of rows at most. */
import { db, query, readValue } from "./connection.server";

/** A page counts from 1; one after the last is the last one. */
export type PageQuery = { page: number; perPage: number };

/**
 * Reads a page of rows of which there are thousands at most, so that pages are plain offsets. One statement reads rows
 * and total, because each one costs more than what it does.
 * @param statements.from what is counted
 * @param statements.rows a statement that reads `:perPage` rows from `:offset`
 * @param statements.isPrepared as of `query`
 */
export async function queryPage<Row extends object>(
  { from, rows: rowsSql, isPrepared = false }: { from: string; rows: string; isPrepared?: boolean },
  bindings: Record<string, unknown>,
  { page: requestedPage, perPage }: PageQuery,
): Promise<{ rows: Row[]; total: number; page: number }> {
  const totalSql = `(select count(*)::integer from ${from})`;
  // The order of the inner statement is that of its rows here: nothing is joined to them. The total stands in the first
  // row alone, because reading a value costs more than sending it.
  const read = (page: number) =>
    query<Row & { total: number }>(
      db(),
      `select page.*, case when row_number() over () = 1 then ${totalSql} end as total
       from (${rowsSql}) page`,
      { ...bindings, perPage, offset: (page - 1) * perPage },
      { isPrepared },
    );
  const firstRows = await read(requestedPage);
  const total =
    firstRows[0]?.total ??
    (await readValue<number>(db(), `select ${totalSql}`, bindings, { isPrepared }));
  const page = Math.min(requestedPage, Math.max(1, Math.ceil(total / perPage)));
  const rows = page === requestedPage ? firstRows : await read(page);
  return { rows: rows.map(({ total: _total, ...row }) => row as unknown as Row), total, page };
}

/**
 * Reads all rows page by page, without holding a connection between pages.
 * @param read returns at most `pageRows` rows, those after the last one of the page before
 */
export async function* readPages<Row>(
  pageRows: number,
  read: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let rows: Row[] = [];
  do {
    rows = await read(rows.at(-1));
    yield rows;
  } while (rows.length === pageRows);
}

/** Rows that a text may stand for; with more it says too little. */
export const maxMeant = 1_000;

/**
 * Names the rows of a table.
 * @param name the column that names a row
 * @param searched the columns that a search reads
 * @param condition limits the rows of a search
 */
export function namesIn(table: string, name: string, searched = [name], condition = "true") {
  const contains = searched.map((column) => `${column} ilike :pattern`).join(" or ");
  return {
    /** Reads names by ids; those of unknown ids are left out. */
    read: (ids: readonly string[]): Promise<{ id: string; name: string }[]> =>
      query(
        db(),
        `select id, ${name} as name from ${table} where id = any(cast(:ids as bigint[]))`,
        { ids },
      ),
    /** Finds the ids of rows that have the text, in either case: one more than `maxMeant` if there are too many. */
    find: async (text: string): Promise<string[]> => {
      const rows = await query<{ id: string }>(
        db(),
        `select id from ${table} where (${contains}) and ${condition} limit ${maxMeant + 1}`,
        { pattern: containsPattern(text) },
      );
      return rows.map(({ id }) => id);
    },
  };
}

/** Returns a pattern for `ilike` that finds the text anywhere; '' matches all. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

/** Joins those of the conditions that are set by `and`; 'true' if none is. */
export function allOf(conditions: (string | false | null | undefined)[]): string {
  const filters = conditions.filter((condition) => condition && condition !== "true");
  return filters.map((condition) => `(${condition})`).join(" and ") || "true";
}
