/** Files that the labels of a generation are printed from, chosen by the parameters of their URL. */
import { DomainError } from "../../errors";
import {
  labelsTag,
  readLabels,
  type LabelledGeneration,
  type LabelSet,
  darkRectangles,
  captionOf,
  expiryOf,
  modulesOf,
} from "./generation-labels.server";
import { parseLabelOptions, type LabelOptions } from "./label-options";
import {
  codesOfSheet,
  labelParts,
  type LabelPart,
  labelsPerSheet,
  cuttingLines,
  labelPlace,
} from "./label-sheets";
import { labelsPdf } from "./label-pdf.server";
import { formatCode } from "../../format/promotion";
import { layOutLabel, quietZone, type CaptionLine, type Face } from "./label-layout";
import { figures, measuringType, withoutInvisible } from "./label-type.server";

/** Settings of the site that labels depend on. */
type Site = Pick<LabelSet, "template" | "timeZone">;

/** Splits all labels into files. */
export function partsOf(generation: LabelledGeneration, options: LabelOptions): LabelPart[] {
  const { numCodes } = generation;
  return labelParts({ numCodes, perSheet: labelsPerSheet(options.sheet), first: options.first });
}

/**
 * One part of the labels as PDF, or one sheet as SVG.
 * @param params those of the screen, and `part` or `sheet`
 * @throws DomainError invalid: an option; not_found: no such part or sheet
 */
export async function labelFile(
  kind: "pdf" | "svg",
  generation: LabelledGeneration,
  params: URLSearchParams,
  site: Site,
) {
  const { options, problems } = parseLabelOptions(params);
  const [problem] = Object.values(problems);
  if (problem) throw new DomainError("invalid", problem, problems);
  const parts = partsOf(generation, options);
  const number = readNumber(params, kind === "pdf" ? "part" : "sheet");
  const found =
    kind === "pdf" ? parts[number - 1] : codesOfSheet(parts, number, labelsPerSheet(options.sheet));
  if (!found) throw new DomainError("not_found", "There are fewer labels than that.");

  const labels = await readLabels(generation.id, found);
  const set: LabelSet = { generation, options, labels, ...site };
  const partName = kind === "svg" ? `_sheet_${number}` : parts.length > 1 ? `_part_${number}` : "";
  return {
    fileName: `mass_generation_${generation.id}_labels${partName}.${kind}`,
    /** Identifies the content: equal tags mean equal bytes. */
    tag: labelsTag(set, `${kind} ${number}`),
    chunks: (): AsyncGenerator<Uint8Array | string> =>
      kind === "pdf" ? labelsPdf(set, found.skipped) : labelsSvg(set, found.skipped),
  };
}

function readNumber(params: URLSearchParams, name: "part" | "sheet"): number {
  const text = params.get(name) ?? "1";
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new DomainError("invalid", `'${name}' must be a whole number from 1`);
}

/** The labels of the first sheet, for what the screen says about all of them. */
export async function firstSheetOf(
  generation: LabelledGeneration,
  options: LabelOptions,
  site: Site,
): Promise<LabelSet> {
  const perSheet = labelsPerSheet(options.sheet);
  const found = codesOfSheet(partsOf(generation, options), 1, perSheet)!;
  return { generation, options, labels: await readLabels(generation.id, found), ...site };
}

/** One sheet of labels as SVG, in millimetres: the preview, and a file for other programs. */

const sans = `font-family="'DejaVu Sans Condensed','DejaVu Sans',Verdana,sans-serif" font-stretch="condensed"`;

/** The fonts of PDF by the names that systems know them by, and others like them. */
const fontNames: Record<Face, string> = {
  bold: `${sans} font-weight="700"`,
  regular: sans,
  code: `font-family="'DejaVu Sans Mono',Menlo,Consolas,monospace" font-weight="700"`,
};

/**
 * The letters are drawn by the reader's fonts, which have more characters than ours: each line
 * states its width, so that it keeps to its place in all of them.
 * @param set the labels of this sheet
 * @param skipped places that stay empty before the first label
 */
async function* labelsSvg(set: LabelSet, skipped: number): AsyncGenerator<string> {
  const { sheet, cut } = set.options;
  const { width, height } = sheet.paper;
  const caption = captionOf(set);
  caption.name = withoutInvisible(caption.name);
  const modules = modulesOf(set.labels[0]!, set).size;
  const { qr, lines } = layOutLabel(sheet.label, caption, modules, measuringType().measure);
  const [left, top] = [qr.x + quietZone * qr.module, qr.y + quietZone * qr.module];

  const labels = set.labels.map((label, index) => {
    const { x, y } = labelPlace(sheet, skipped + index);
    const texts = lines.map((line) => {
      if (line.part === "code") return textElement(formatCode(label.code), line);
      return textElement(line.part === "expiry" ? expiryOf(label, set) : line.text, line);
    });
    const path = darkRectangles(modulesOf(label, set))
      .map((run) => `M${run.x} ${run.y}h${run.width}v${run.height}h-${run.width}z`)
      .join("");
    return (
      `<g transform="translate(${figures(x, y)})">${texts.join("")}` +
      `<path transform="translate(${figures(left, top)})scale(${figures(qr.module)})" d="${path}"/></g>\n`
    );
  });
  const cuts = cuttingLines(sheet, cut).map(
    ([fromX, fromY, toX, toY]) => `M${figures(fromX, fromY)}L${figures(toX, toY)}`,
  );
  yield (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${figures(width)}mm" height="${figures(height)}mm" ` +
    `viewBox="0 0 ${figures(width, height)}">\n` +
    `<path fill="#fff" d="M0 0h${figures(width)}v${figures(height)}H0z"/>\n` +
    (cuts.length > 0 ? `<path stroke="#808080" stroke-width=".1" d="${cuts.join("")}"/>\n` : "") +
    `${labels.join("")}</svg>\n`
  );
}

function textElement(text: string, { face, size, x, y, width }: CaptionLine): string {
  if (text === "") return "";
  return (
    `<text x="${figures(x)}" y="${figures(y)}" font-size="${figures(size)}" ${fontNames[face]} ` +
    `textLength="${figures(width)}" lengthAdjust="spacingAndGlyphs">${escaped(text)}</text>`
  );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
