/** Reads CSV (RFC 4180) while it arrives, in memory that does not grow with the file. */
import { drawingTurn } from "./turns.server";

/** A row, with the number of the line in which it begins. */
export type CsvRow = { line: number; cells: string[] };

/** The file is no CSV that can be read; the message says why. */
export class CsvError extends Error {
  override name = "CsvError";
}

export const notUtf8 =
  "This file is not encoded as UTF-8. Save it as 'CSV UTF-8', and upload it again.";

const carriageReturns =
  "The lines of this file end with carriage returns alone. Save it as 'CSV UTF-8', and upload it again.";

/** Characters of a row; a quote that never ends would otherwise fill the memory. */
const maxRowLength = 64 * 1024;

/** The first line with which Excel is told the separator, such as 'sep=;'. */
const separatorLine = /^"?sep=([^"\r\n])"?\s*$/i;

/**
 * Yields the rows of each piece of the file, its first row included. Cells are separated as a first line 'sep=;' says,
 * which is left out as empty lines are; without one by the commas, semicolons or tabs of the first row, whichever are more.
 * @throws CsvError
 */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (piece?: Uint8Array) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw new CsvError(notUtf8);
    }
  };
  let [text, line] = ["", 1];
  let separator: string | null = null;

  const takeRows = (isEnd: boolean): CsvRow[] => {
    const rows: CsvRow[] = [];
    let at = 0;
    while (at < text.length) {
      if (line === 1 && /^[^\n]*\r[^\r\n]/.test(text)) throw new CsvError(carriageReturns);
      // ASCII in UTF-16 is UTF-8 as well, with a NUL beside each letter that browsers show as nothing.
      if (line === 1 && /^[^\n]*\0/.test(text)) throw new CsvError(notUtf8);
      separator ??= separatorOf(text, isEnd);
      const row = separator === null ? null : parseRow(text, at, separator, isEnd);
      if ((row?.end ?? text.length) - at > maxRowLength)
        throw new CsvError(
          `The row that begins in line ${line} is too long, or a quote is not closed.`,
        );
      if (!row) break;
      const isSeparatorLine = line === 1 && separatorLine.test(text.slice(at, row.end));
      if (!isSeparatorLine && (row.cells.length > 1 || row.cells[0]!.trim() !== ""))
        rows.push({ line, cells: row.cells });
      line += row.lines;
      at = row.end;
    }
    text = text.slice(at);
    return rows;
  };

  for await (const piece of bytes) {
    await drawingTurn();
    text += decode(piece);
    const rows = takeRows(false);
    if (rows.length > 0) yield rows;
  }
  text += decode();
  const rows = takeRows(true);
  if (rows.length > 0) yield rows;
}

/** Returns the separator that the first line names, or that of the first row that is not empty; null while it has not arrived. */
function separatorOf(text: string, isEnd: boolean): string | null {
  const lines = text.split("\n");
  const whole = isEnd ? lines : lines.slice(0, -1);
  const [, named] = separatorLine.exec(whole[0] ?? "") ?? [];
  if (named !== undefined) return named;
  const heading = whole.find((line) => line.trim() !== "");
  if (heading === undefined) return isEnd ? "," : null;
  const countOf = (separator: string) => heading.split(separator).length;
  return [",", ";", "\t"].reduce((most, other) => (countOf(other) > countOf(most) ? other : most));
}

type ParsedRow = {
  cells: string[];
  /** The place behind the row. */
  end: number;
  lines: number;
};

/** @returns null for a row that has not arrived as a whole */
function parseRow(
  text: string,
  start: number,
  separator: string,
  isEnd: boolean,
): ParsedRow | null {
  const lineEnd = text.indexOf("\n", start);
  if (lineEnd === -1 && !isEnd) return null;
  const endOfLine = lineEnd === -1 ? text.length : lineEnd;
  const row = withoutReturn(text.slice(start, endOfLine));
  if (!row.includes('"')) return { cells: row.split(separator), end: endOfLine + 1, lines: 1 };

  const cells: string[] = [];
  let at = start;
  for (;;) {
    const cell = text[at] === '"' ? quotedCell(text, at, isEnd) : { value: "", end: at };
    if (!cell) return null;
    // Text outside of quotes belongs to the cell as it is.
    let end = cell.end;
    while (end < text.length && text[end] !== separator && text[end] !== "\n") end++;
    if (end === text.length && !isEnd) return null;
    const isLast = text[end] !== separator;
    const rest = text.slice(cell.end, end);
    cells.push(cell.value + (isLast ? withoutReturn(rest) : rest));
    at = end + 1;
    if (isLast) return { cells, end: at, lines: text.slice(start, end).split("\n").length };
  }
}

/** @returns null for a cell whose last quote has not arrived */
function quotedCell(
  text: string,
  start: number,
  isEnd: boolean,
): { value: string; end: number } | null {
  let [value, from] = ["", start + 1];
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return isEnd ? { value: value + text.slice(from), end: text.length } : null;
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    from = quote + 2;
  }
}

function withoutReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
