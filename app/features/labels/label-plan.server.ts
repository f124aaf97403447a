/** Which codes are printed on which sheets. */
import { invalid } from "../../errors";
import { parseLabelOptions, parseRange, type NumberRange } from "./label-options";
import type { LabelSet } from "./label-set.server";
import {
  countSheets,
  labelsOnSheets,
  labelsPerSheet,
  sheetsOfFiles,
  type SheetRange,
  type Spread,
} from "./label-sheets";
import {
  countLabelCodes,
  readLabels,
  readLargestLabels,
  readNumbersAt,
  type LabelSource,
} from "./label-source.server";

export type LabelSite = Pick<LabelSet, "template" | "timeZone">;

export type LabelPlan = Awaited<ReturnType<typeof planLabels>>;

/** Works out which codes are printed, and on which sheets, from the parameters of the screen. */
export async function planLabels(source: LabelSource, params: URLSearchParams) {
  const { options, values, errors } = parseLabelOptions(params, source.numCodes, source.added);
  const perSheet = labelsPerSheet(options.sheet);
  const counts = await countLabelCodes(source, options.codes);
  const labels = sum(counts.filter(({ status }) => options.isAll || status === "active"));
  const spread: Spread = { labels, perSheet, first: options.first };
  const totalSheets = countSheets(spread);
  const sheets =
    labels === 0
      ? { range: { from: 1, to: 0 }, errors: {}, params: [] }
      : parseRange("sheet", { from: 1, to: totalSheets }, values);
  Object.assign(errors, sheets.errors);
  options.params.push(...sheets.params);
  return {
    source,
    options,
    values,
    errors,
    spread,
    totalSheets,
    /** Codes of the range that are not redeemable any more, by the reason. */
    spent: counts.filter(({ status }) => status !== "active"),
    codes: sum(counts),
    sheets: sheets.range,
  };
}

function sum(counts: readonly { codes: number }[]): number {
  return counts.reduce((total, { codes }) => total + codes, 0);
}

/** Numbers of the codes of one of several files; the first file has no `from`, and the last no `to`. */
type FilePart = Partial<NumberRange>;

/** Formats a part as the parameter `part`: '-9996', '9997-19992', '19993-'. */
export function formatPart({ from, to }: FilePart): string {
  return `${from ?? ""}-${to ?? ""}`;
}

/** @throws DomainError invalid */
export function parsePart(text: string): FilePart {
  const [, from, to] = /^(\d{0,7})-(\d{0,7})$/.exec(text) ?? [];
  if (!from && !to) throw invalid("'part' must be a range of codes, as in '1-50'");
  return { from: from ? Number(from) : undefined, to: to ? Number(to) : undefined };
}

/**
 * Divides labels into files by the numbers of codes. Codes that are redeemed between two downloads
 * move the places of labels, but not the numbers, so that no label falls between two files.
 */
export async function planFiles({ source, options, spread, sheets }: LabelPlan) {
  const all = labelsOnSheets(spread, sheets);
  const files = sheetsOfFiles(spread.perSheet, sheets).map((file) => ({
    sheets: file,
    ...labelsOnSheets(spread, file),
  }));
  const places = files.slice(0, -1).map(({ offset, count }) => offset + count - all.offset);
  const ends = places.length > 0 ? await readNumbersAt(source, options, all, places) : [];
  return files.slice(0, ends.length + 1).map(({ sheets, count }, index) => {
    const end = ends[index - 1];
    const part: FilePart = { from: end === undefined ? end : end + 1, to: ends[index] };
    return { sheets, labels: count, part };
  });
}

/** @param part leaves out the codes of the other files */
export async function readLabelSet(
  { source, options, spread }: LabelPlan,
  sheets: SheetRange,
  site: LabelSite,
  part: FilePart = {},
): Promise<{ set: LabelSet; skipped: number }> {
  const section = labelsOnSheets(spread, sheets);
  const { from = options.codes.from, to = options.codes.to } = part;
  const labels = await readLabels(source, options, section, { from, to });
  // A later file begins with a whole sheet.
  const skipped = part.from === undefined ? section.skipped : 0;
  return { set: { source, options, labels, ...site }, skipped };
}

/** Reads the labels that have the least room of all that are printed. */
export async function readTightestSet(
  { source, options, spread, sheets }: LabelPlan,
  site: LabelSite,
): Promise<LabelSet> {
  const labels = await readLargestLabels(source, options, labelsOnSheets(spread, sheets));
  return { source, options, labels, ...site };
}

/** Says why there is nothing to print, and what to choose. */
export function nothingToPrint({ numCodes }: LabelSource): string {
  return numCodes === 1
    ? "This code is not redeemable, so there is nothing to print. Choose 'In any case' to print it."
    : "None of these codes is redeemable, so there is nothing to print. Choose all codes to print them.";
}
