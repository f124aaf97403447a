/** Writes CSV (RFC 4180) that a spreadsheet shows as text and never evaluates. */
import { drawingTurn } from "./turns.server";

/** Tells spreadsheets that what follows is UTF-8. */
export const byteOrderMark = "\ufeff";

/** Characters with which spreadsheets begin a formula, in full width too, also behind apostrophes of the text's own. */
const trigger = /^(?='*[=+\-@\t\r\n＝＋－＠])/;

/**
 * Matches where such a character follows a semicolon, a tab or the end of a line. Excel splits at semicolons where commas are
 * decimal, and knows nothing there of quotes that began before.
 */
const triggerWithin = /(?<=[;\t\r\n])(?='*"*[=+\-@＝＋－＠])/g;

/** Numbers stay numbers; text that looks like a formula gets an apostrophe before it. */
export type Cell = string | number | null;

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = cell.replaceAll("\0", "");
  const harmless = text.replaceAll(triggerWithin, "'").replace(trigger, "'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Returns the text of which `csvLine` made a cell, without the apostrophes that it put before formulas. */
export function unguardedText(cell: string): string {
  return cell
    .replace(/^'(?='*[=+\-@\t\r\n＝＋－＠])/, "")
    .replaceAll(/(?<=[;\t\r\n])'(?='*"*[=+\-@＝＋－＠])/g, "");
}

export type CsvColumn<Row> = readonly [heading: string, cell: (row: Row) => Cell];

/** Writes rows as CSV, a chunk for each page of them, in the turns that all files take. */
export async function* csvFile<Row>(
  columns: readonly CsvColumn<Row>[],
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  let lines = byteOrderMark + csvLine(columns.map(([heading]) => heading));
  for await (const rows of pages) {
    let isOver = await drawingTurn();
    for (const row of rows) {
      if (isOver()) isOver = await drawingTurn();
      lines += csvLine(columns.map(([, cell]) => cell(row)));
    }
    if (lines !== "") yield lines;
    lines = "";
  }
  if (lines !== "") yield lines;
}
