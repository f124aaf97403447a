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
import {
  type LabelPart,
  type LabelSheet,
  labelsPerSheet,
} from "../../features/labels/label-sheets";
import { measuringType } from "../../features/labels/label-type.server";
import { formatNumber } from "../../format/number";

/** Loads the screen: the form as filled, and the resulting layout. */
export async function labelScreen(
  generation: LabelledGeneration,
  params: URLSearchParams,
  site: { template: string; timeZone: string },
) {
  const { options, typed, problems } = parseLabelOptions(params);
  const set = await firstSheetOf(generation, options, site);
  const layout = pdfLayout(set, measuringType());
  const { replaced } = measuringType().printable(captionOf(set).name);
  const { sheet, caption } = options;
  const parts = partsOf(generation, options);
  return {
    generation: { id: generation.id, name: generation.name },
    form: { typed, caption, problems, groups },
    address: new URLSearchParams(options.params).toString(),
    paper: sheet.paper,
    ...toScreenView({ sheet, layout, replaced, parts, perSheet: labelsPerSheet(sheet) }),
  };
}

const groups = formatGroups.map(({ label, formats }) => ({
  label,
  formats: formats.map((format): [string, string] => [format, formatLabels(format)]),
}));

export type LabelScreen = Awaited<ReturnType<typeof labelScreen>>;

type PrintJob = {
  sheet: LabelSheet;
  layout: LabelLayout;
  /** Characters of the name that can't be printed. */
  replaced: number;
  parts: LabelPart[];
  perSheet: number;
};

const partNames: Record<CaptionPart, string> = {
  name: "the name",
  discount: "the discount",
  expiry: "the expiration date",
};

function count(number: number, noun: string): string {
  return `${formatNumber(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** Describes the print job and its warnings. */
function toScreenView({ sheet, layout, replaced, parts, perSheet }: PrintJob) {
  const { label, columns, rows } = sheet;
  const { qr, left, isNameWhole } = layout;
  const sheets = parts.reduce((sum, part) => sum + part.sheets, 0);
  const labels = parts.reduce((sum, part) => sum + part.count, 0);
  const warnings: string[] = [];
  if (qr.module < smallestModule) {
    warnings.push(
      `A module of this QR code is ${formatLength(qr.module)} mm. Below ${smallestModule} mm, four dots of a printer with 300 dpi, many readers fail: choose larger labels or a lower error correction.`,
    );
  }
  if (left.length > 0) {
    const parts = left.map((part) => partNames[part]).join(" and ");
    warnings.push(`These labels have no room for ${parts}.`);
  }
  if (!left.includes("name") && !isNameWhole) {
    warnings.push("The name is too long for these labels and is shortened.");
  }
  if (replaced > 0) {
    warnings.push(
      `${count(replaced, "character")} of the name can't be printed in the PDF and ${replaced === 1 ? "is" : "are"} replaced there. SVG sheets are drawn with your computer's fonts and have them.`,
    );
  }
  return {
    sheets,
    files: parts.map(({ number, firstCode, count: codes, sheets: own }) => ({
      number,
      summary: `Codes ${formatNumber(firstCode)} to ${formatNumber(firstCode + codes - 1)}, ${count(own, perSheet === 1 ? "page" : "sheet")}`,
    })),
    facts: [
      [
        "Labels",
        `${count(labels, "label")} on ${count(sheets, perSheet === 1 ? "page" : "sheet")}`,
      ],
      ["Label", `${formatLength(label.width)} × ${formatLength(label.height)} mm`],
      ["Per sheet", perSheet === 1 ? "1" : `${perSheet}, ${columns} across and ${rows} down`],
      [
        "QR code",
        `${formatLength(qr.size)} mm square with its white border, one module is ${formatLength(qr.module)} mm`,
      ],
    ] as [string, string][],
    describePreview:
      perSheet === 1
        ? "Preview of the first label"
        : `Preview of the first sheet: ${count(labelsOnFirst(parts[0]!, perSheet), "label")}, ${columns} across and ${rows} down`,
    warnings,
  };
}

function labelsOnFirst({ count: all, skipped }: LabelPart, perSheet: number): number {
  return Math.min(all, perSheet - skipped);
}
