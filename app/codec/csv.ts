/** Writes CSV (RFC 4180) that a spreadsheet shows as text and never evaluates. */

/** Tells spreadsheets that what follows is UTF-8. */
export const byteOrderMark = "\ufeff";

/** Characters with which spreadsheets begin a formula, in full width too. */
const trigger = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Where such a character follows a semicolon, a tab or the end of a line. Excel splits at semicolons where commas are
 * decimal, and knows nothing there of quotes that began before.
 */
const triggerWithin = /([;\t\r\n])(?="*[=+\-@＝＋－＠])/g;

/** Numbers stay numbers; text that looks like a formula gets an apostrophe before it. */
export type Cell = string | number | null;

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = cell.replaceAll("\0", "");
  const guarded = text.replaceAll(triggerWithin, "$1'");
  const harmless = trigger.test(guarded) ? `'${guarded}` : guarded;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
