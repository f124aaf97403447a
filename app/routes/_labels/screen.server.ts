import { pdfLayout } from "../../features/labels/label-files.server";
import { smallestModule, type CaptionPart } from "../../features/labels/label-layout";
import {
  formatGroups,
  formatLabels,
  formatLength,
  type LabelOptions,
} from "../../features/labels/label-options";
import {
  formatPart,
  nothingToPrint,
  planFiles,
  planLabels,
  readLabelSet,
  readTightestSet,
  type LabelPlan,
  type LabelSite,
} from "../../features/labels/label-plan.server";
import { captionOf, longestOf, type LabelSet } from "../../features/labels/label-set.server";
import { labelsOnSheets, type SheetRange } from "../../features/labels/label-sheets";
import type { LabelSource } from "../../features/labels/label-source.server";
import { measuringType } from "../../features/labels/label-type.server";
import { describeAdded } from "../../features/mass-generations/added-codes";
import { statusLabels } from "../../features/promotions/promotion-view";
import { countOf, formatNumber } from "../../format/number";
import { formatCode, formatCodes, formatPlaces } from "../../format/promotion";
import { capitalized } from "../../format/text";
import { paths } from "../../paths";

const groups = formatGroups.map(({ label, formats }) => ({
  label,
  formats: formats.map((format): [string, string] => [format, formatLabels(format)]),
}));

export type LabelScreen = Awaited<ReturnType<typeof labelScreen>>;

/** Loads the screen: the form as filled, the codes and sheets that it chooses, and their first sheet. */
export async function labelScreen(source: LabelSource, params: URLSearchParams, site: LabelSite) {
  const plan = await planLabels(source, params);
  const { options, values, errors } = plan;
  const sheetNoun = plan.spread.perSheet === 1 ? "page" : "sheet";
  const files = await planFiles(plan);
  return {
    name: source.name,
    path: source.kind === "promotion" ? paths.codeLabels(source.id) : paths.labels(source.id),
    form: {
      // A list can't show a format that it doesn't have.
      values: { ...values, format: options.format, caption: options.caption },
      errors,
      groups,
      sheetNoun,
      /** Ids of codes that were added together, with their texts. */
      added: source.added.map((added): [string, string] => [
        added.id,
        describeAdded(added, site.timeZone),
      ]),
      /** Null where there is one code alone, which has no range. */
      range: source.numCodes === 1 ? null : { codes: source.numCodes, sheets: plan.totalSheets },
    },
    hasErrors: Object.keys(errors).length > 0,
    chosen: describeChoice(plan, sheetNoun),
    files: files.map(({ sheets, labels, part }) => ({
      part: formatPart(part),
      summary:
        nameSheets(sheets, sheetNoun) +
        (part.from === undefined ? "" : `, from code ${formatNumber(part.from)}`) +
        `: ${countOf(labels, "label")}`,
    })),
    firstSheet: plan.sheets.from,
    preview: plan.spread.labels === 0 ? null : await preview(plan, sheetNoun, site),
  };
}

/** 'Sheets 7 to 12', 'Page 3'. */
function nameSheets({ from, to }: SheetRange, noun: string): string {
  const name = capitalized(noun);
  return from === to
    ? `${name} ${formatNumber(from)}`
    : `${name}s ${formatNumber(from)} to ${formatNumber(to)}`;
}

/** Describes how many codes are printed, on how many labels and sheets, and which are left out. */
function describeChoice({ options, codes, spent, spread, ...plan }: LabelPlan, noun: string) {
  const { isAll, codes: range } = options;
  const { numCodes } = plan.source;
  const reasons = spent.map(
    (count) => `${formatNumber(count.codes)} ${statusLabels[count.status].toLowerCase()}`,
  );
  const facts: [string, string][] = [
    [
      "Codes",
      formatCodes(spread.labels) +
        (codes === numCodes ? "" : `, ${formatPlaces(range)} of ${formatNumber(numCodes)}`),
    ],
  ];
  const sum = spent.reduce((total, count) => total + count.codes, 0);
  const total = reasons.length > 1 ? `${formatCodes(sum)}: ` : "";
  if (reasons.length > 0)
    facts.push([isAll ? "Not redeemable" : "Left out", total + reasons.join(", ")]);
  if (spread.labels > 0) {
    const { sheets, totalSheets } = plan;
    const { count } = labelsOnSheets(spread, sheets);
    const isPart = sheets.to - sheets.from + 1 < totalSheets;
    facts.push([
      "Labels",
      `${countOf(count, "label")} on ${countOf(sheets.to - sheets.from + 1, noun)}` +
        (isPart
          ? `: ${nameSheets(sheets, noun).toLowerCase()} of ${formatNumber(totalSheets)}`
          : ""),
    ]);
  }
  return { facts, nothing: spread.labels === 0 ? nothingToPrint(plan.source) : null };
}

/** The first chosen sheet as it will be printed. */
async function preview(plan: LabelPlan, sheetNoun: string, site: LabelSite) {
  const { options, sheets } = plan;
  const { label, paper, columns, rows } = options.sheet;
  const [{ set }, tightest] = await Promise.all([
    readLabelSet(plan, { from: sheets.from, to: sheets.from }, site),
    readTightestSet(plan, site),
  ]);
  const layout = pdfLayout(set, measuringType());
  const { perSheet } = plan.spread;
  const across = `${columns} across and ${rows} down`;
  const facts: [string, string][] = [
    [nameSheets({ from: sheets.from, to: sheets.from }, sheetNoun), describeCodes(set)],
    ["Label", `${formatLength(label.width)} × ${formatLength(label.height)} mm`],
    ["Per sheet", perSheet === 1 ? "1" : `${perSheet}, ${across}`],
    [
      "QR code",
      `${formatLength(layout.qr.size)} mm square with its white border; one module (square) is ${formatLength(layout.qr.module)} mm`,
    ],
  ];
  return {
    address: new URLSearchParams(options.params).toString(),
    paper,
    description: describePreview(options, set, sheets.from),
    facts,
    warnings: warningsOf(tightest, longestOf(set).code.length),
  };
}

/** 'Codes 127 to 147, from ABCD-EFGH-JKMN', by which a printed sheet is found again. */
function describeCodes({ labels, source }: LabelSet): string {
  const [first, last] = [labels[0]!, labels.at(-1)!];
  const code = formatCode(first.code);
  if (source.kind === "promotion") return code;
  return first === last
    ? `Code ${formatNumber(first.number)}, ${code}`
    : `Codes ${formatNumber(first.number)} to ${formatNumber(last.number)}, from ${code}`;
}

function describePreview({ sheet }: LabelOptions, { labels }: LabelSet, number: number): string {
  const { columns, rows } = sheet;
  const noun = columns * rows === 1 ? "label" : "sheet";
  const preview = `Preview of ${number === 1 ? `the first ${noun}` : `${noun} ${number}`}`;
  if (noun === "label") return preview;
  return `${preview}: ${countOf(labels.length, "label")}, ${columns} across and ${rows} down`;
}

const partNames: Record<CaptionPart, string> = {
  name: "the name",
  discount: "the discount",
  expiry: "the expiration date",
};

/**
 * @param set the labels with the least room of all that are printed
 * @param previewedLength of the longest code of the preview
 */
function warningsOf(set: LabelSet, previewedLength: number): string[] {
  const { qr, omitted, isNameWhole } = pdfLayout(set, measuringType());
  const { replaced } = measuringType().printable(captionOf(set).name);
  const { code, number } = longestOf(set);
  const labels =
    code.length > previewedLength
      ? `labels of longer codes, such as code ${formatNumber(number)},`
      : "these labels";
  const warnings: string[] = [];
  if (qr.module < smallestModule) {
    warnings.push(
      `A module (square) of the QR code on ${labels} is ${formatLength(qr.module)} mm. Below ${smallestModule} mm, four dots of a printer with 300 dpi, many readers fail: choose larger labels or a lower error correction.`,
    );
  }
  if (omitted.length > 0) {
    const parts = omitted.map((part) => partNames[part]).join(" and ");
    warnings.push(`${capitalized(labels)} have no room for ${parts}.`);
  }
  if (!omitted.includes("name") && !isNameWhole) {
    warnings.push(`The name is too long for ${labels} and is shortened.`);
  }
  if (replaced > 0) {
    warnings.push(
      `${countOf(replaced, "character")} of the name can't be printed in the PDF and ${replaced === 1 ? "is" : "are"} replaced there. SVG sheets are drawn with your computer's fonts and have them.`,
    );
  }
  return warnings;
}
