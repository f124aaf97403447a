/** How the codes of a generation are spread over files and sheets; all are counted from 1. */

/** More labels than this are printed in several files. */
export const maxLabels = 10_000;

/** One file. Each begins a sheet of its own; only the first can begin in the middle of one. */
export type LabelPart = {
  number: number;
  firstCode: number;
  count: number;
  /** Labels of its first sheet that are used up. */
  skipped: number;
  /** Number of the first sheet in this file, counted over all files. */
  firstSheet: number;
  sheets: number;
};

type Spread = { numCodes: number; perSheet: number; first: number };

export function labelParts({ numCodes, perSheet, first }: Spread): LabelPart[] {
  const parts: LabelPart[] = [];
  let firstSheet = 1;
  for (let firstCode = 1; firstCode <= numCodes; firstCode += maxLabels) {
    const count = Math.min(maxLabels, numCodes - firstCode + 1);
    const skipped = firstCode === 1 ? first - 1 : 0;
    const sheets = Math.ceil((skipped + count) / perSheet);
    parts.push({ number: parts.length + 1, firstCode, count, skipped, firstSheet, sheets });
    firstSheet += sheets;
  }
  return parts;
}

/** The codes of one sheet, or null when there is no such sheet. */
export function codesOfSheet(
  parts: readonly LabelPart[],
  sheet: number,
  perSheet: number,
): Pick<LabelPart, "firstCode" | "count" | "skipped"> | null {
  const part = parts.find(
    ({ firstSheet, sheets }) => sheet >= firstSheet && sheet < firstSheet + sheets,
  );
  if (!part) return null;
  const before = (sheet - part.firstSheet) * perSheet - part.skipped;
  const offset = Math.max(before, 0);
  const skipped = offset - before;
  return {
    firstCode: part.firstCode + offset,
    count: Math.min(perSheet - skipped, part.count - offset),
    skipped,
  };
}
