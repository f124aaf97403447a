/** Which codes are printed on which sheets. */
import { parseLabelOptions, parseRange } from "./label-options";
import type { LabelSet } from "./label-set.server";
import {
  countSheets,
  labelsOnSheets,
  labelsPerSheet,
  sheetsOfFiles,
  type SheetRange,
  type Spread,
} from "./label-sheets";
import { countLabelCodes, readLabels, type LabelSource } from "./label-source.server";

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
    files: sheetsOfFiles(perSheet, sheets.range),
  };
}

function sum(counts: readonly { codes: number }[]): number {
  return counts.reduce((total, { codes }) => total + codes, 0);
}

export async function readLabelSet(
  { source, options, spread }: LabelPlan,
  sheets: SheetRange,
  site: LabelSite,
): Promise<{ set: LabelSet; skipped: number }> {
  const section = labelsOnSheets(spread, sheets);
  const labels = await readLabels(source, options, section);
  return { set: { source, options, labels, ...site }, skipped: section.skipped };
}

/** Says why there is nothing to print, and what to choose. */
export function nothingToPrint({ numCodes }: LabelSource): string {
  return numCodes === 1
    ? "This code is not redeemable, so there is nothing to print. Choose 'In any case' to print it."
    : "None of these codes is redeemable, so there is nothing to print. Choose all codes to print them.";
}
