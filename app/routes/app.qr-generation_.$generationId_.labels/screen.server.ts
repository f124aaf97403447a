import { captionOf, type LabelledGeneration } from "../../features/labels/generation-labels.server";
import { firstSheetOf, partsOf, pdfLayout } from "../../features/labels/label-files.server";
import {
  smallestModule,
  type CaptionPart,
  type LabelLayout,
} from "../../features/labels/label-layout";
import {
  formatGroups,
  formatLabels,
  formatLength,
  parseLabelOptions,
} from "../../features/labels/label-options";
import { labelsPerSheet } from "../../features/labels/label-sheets";
import { measuringType } from "../../features/labels/label-type.server";
import { countOf, formatNumber } from "../../format/number";

const groups = formatGroups.map(({ label, formats }) => ({
  label,
  formats: formats.map((format): [string, string] => [format, formatLabels(format)]),
}));

export type LabelScreen = Awaited<ReturnType<typeof labelScreen>>;

/** Loads the screen: the form as filled, the resulting layout and its warnings. */
export async function labelScreen(
  generation: LabelledGeneration,
  params: URLSearchParams,
  site: { template: string; timeZone: string },
) {
  const { options, values, errors } = parseLabelOptions(params);
  const { sheet, caption } = options;
  const { label, columns, rows } = sheet;
  const set = await firstSheetOf(generation, options, site);
  const layout = pdfLayout(set, measuringType());
  const { replaced } = measuringType().printable(captionOf(set).name);
  const parts = partsOf(generation, options);
  const perSheet = labelsPerSheet(sheet);
  const sheetNoun = perSheet === 1 ? "page" : "sheet";
  const sheets = parts.reduce((sum, part) => sum + part.sheets, 0);
  const labels = parts.reduce((sum, part) => sum + part.count, 0);
  const labelsOnFirst = Math.min(parts[0]!.count, perSheet - parts[0]!.skipped);
  const across = `${columns} across and ${rows} down`;
  const facts: [string, string][] = [
    ["Labels", `${countOf(labels, "label")} on ${countOf(sheets, sheetNoun)}`],
    ["Label", `${formatLength(label.width)} × ${formatLength(label.height)} mm`],
    ["Per sheet", perSheet === 1 ? "1" : `${perSheet}, ${across}`],
    [
      "QR code",
      `${formatLength(layout.qr.size)} mm square with its white border; one module (square) is ${formatLength(layout.qr.module)} mm`,
    ],
  ];
  return {
    generation: { id: generation.id, name: generation.name },
    // A list can't show a format that it doesn't have.
    form: { values: { ...values, format: options.format, caption }, errors, groups },
    hasErrors: Object.keys(errors).length > 0,
    address: new URLSearchParams(options.params).toString(),
    paper: sheet.paper,
    sheets,
    files: parts.map(({ number, firstCode, count, sheets: own }) => ({
      number,
      summary: `Codes ${formatNumber(firstCode)} to ${formatNumber(firstCode + count - 1)}, ${countOf(own, sheetNoun)}`,
    })),
    facts,
    describePreview:
      perSheet === 1
        ? "Preview of the first label"
        : `Preview of the first sheet: ${countOf(labelsOnFirst, "label")}, ${across}`,
    warnings: warningsOf(layout, replaced),
  };
}

const partNames: Record<CaptionPart, string> = {
  name: "the name",
  discount: "the discount",
  expiry: "the expiration date",
};

/** @param replaced characters of the name that can't be printed */
function warningsOf({ qr, omitted, isNameWhole }: LabelLayout, replaced: number): string[] {
  const warnings: string[] = [];
  if (qr.module < smallestModule) {
    warnings.push(
      `A module (square) of this QR code is ${formatLength(qr.module)} mm. Below ${smallestModule} mm, four dots of a printer with 300 dpi, many readers fail: choose larger labels or a lower error correction.`,
    );
  }
  if (omitted.length > 0) {
    const parts = omitted.map((part) => partNames[part]).join(" and ");
    warnings.push(`These labels have no room for ${parts}.`);
  }
  if (!omitted.includes("name") && !isNameWhole) {
    warnings.push("The name is too long for these labels and is shortened.");
  }
  if (replaced > 0) {
    warnings.push(
      `${countOf(replaced, "character")} of the name can't be printed in the PDF and ${replaced === 1 ? "is" : "are"} replaced there. SVG sheets are drawn with your computer's fonts and have them.`,
    );
  }
  return warnings;
}
