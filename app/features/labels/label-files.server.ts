/** Files that labels are printed from, chosen by the parameters of their URL. */
import { conflict, invalidFields } from "../../errors";
import {
  captionOf,
  longestOf,
  darkRectangles,
  expiryOf,
  labelsTag,
  modulesOf,
  type CodeLabel,
  type LabelSet,
} from "./label-set.server";
import {
  nothingToPrint,
  parsePart,
  planLabels,
  readLabelSet,
  type LabelSite,
} from "./label-plan.server";
import type { NumberRange } from "./label-options";
import {
  cuttingLines,
  labelPlace,
  labelsPerSheet,
  maxLabels,
  type LabelSheet,
} from "./label-sheets";
import type { LabelSource } from "./label-source.server";
import { formatNumber } from "../../format/number";
import { formatCode } from "../../format/promotion";
import { escapeHtml } from "../../format/text";
import {
  layOutLabel,
  quietZone,
  type CaptionLine,
  type Face,
  type LabelLayout,
} from "./label-layout";
import { figures, measuringType, withoutInvisible, LabelType } from "./label-type.server";
import PDFDocument from "pdfkit";
import { drawingTurn } from "../../codec/turns.server";

/**
 * The labels of the chosen sheets as PDF, or the first of these sheets as SVG.
 * @param params those of the screen, and `part`, where there are several PDF files
 * @throws DomainError invalid: an option; conflict: there are none of these labels, or more than a file has
 */
export async function labelFile(
  kind: "pdf" | "svg",
  source: LabelSource,
  params: URLSearchParams,
  site: LabelSite,
) {
  const plan = await planLabels(source, params);
  const { errors, sheets, totalSheets } = plan;
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  if (plan.spread.labels === 0) throw invalidFields({ codes: nothingToPrint(source) });
  const chosen = kind === "pdf" ? sheets : { from: sheets.from, to: sheets.from };
  const param = kind === "pdf" ? params.get("part") : null;
  const part = param === null ? undefined : parsePart(param);
  const { set, skipped } = await readLabelSet(plan, chosen, site, part);
  const [first, last] = [set.labels[0], set.labels.at(-1)];
  if (!first || !last) throw conflict(noLabels);
  if (set.labels.length > maxLabels) throw conflict(tooManyLabels);

  const isWhole = chosen.from === 1 && chosen.to === totalSheets;
  const sheetNames = isWhole ? "" : `_${nameRange("sheet", chosen)}`;
  const name = part ? `_${nameRange("code", { from: first.number, to: last.number })}` : sheetNames;
  return {
    fileName: `${source.kind}_${source.id}_labels${name}.${kind}`,
    /** Identifies the content: equal tags mean equal bytes. */
    tag: labelsTag(set, `${kind} ${skipped}`),
    chunks: (): AsyncGenerator<Uint8Array | string> =>
      kind === "pdf" ? labelsPdf(set, skipped) : labelsSvg(set, skipped),
  };
}

const noLabels = "This part has no labels any more. Download those that the page shows now.";
const tooManyLabels = `These are more than ${formatNumber(maxLabels)} labels, which need several files. Download each part that the page shows now.`;

function nameRange(noun: "code" | "sheet", { from, to }: NumberRange): string {
  return from === to ? `${noun}_${from}` : `${noun}s_${from}-${to}`;
}

// Sheets as SVG, in millimetres: the preview, and a file for other programs.

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
  const layoutOf = layoutByLength((label) => {
    const caption = captionOf(set, label);
    caption.name = withoutInvisible(caption.name);
    const modules = modulesOf(label, set).size;
    return layOutLabel(sheet.label, caption, modules, measuringType().measure);
  });

  const labels: string[] = [];
  let isTurnOver = await drawingTurn();
  for (const [index, label] of set.labels.entries()) {
    if (isTurnOver()) isTurnOver = await drawingTurn();
    const { x, y } = labelPlace(sheet, skipped + index);
    const { qr, lines } = layoutOf(label);
    const [left, top] = [qr.x + quietZone * qr.module, qr.y + quietZone * qr.module];
    const texts = lines.map((line) => {
      if (line.part === "code") return textElement(formatCode(label.code), line);
      return textElement(line.part === "expiry" ? expiryOf(label, set) : line.text, line);
    });
    const path = darkRectangles(modulesOf(label, set))
      .map((run) => `M${run.x} ${run.y}h${run.width}v${run.height}h-${run.width}z`)
      .join("");
    labels.push(
      `<g transform="translate(${figures(x, y)})">${texts.join("")}` +
        `<path transform="translate(${figures(left, top)})scale(${figures(qr.module)})" d="${path}"/></g>\n`,
    );
  }
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

/** Lays labels out once for each length of their codes, since imported ones differ in it. */
function layoutByLength<Layout>(
  layOut: (label: CodeLabel) => Layout,
): (label: CodeLabel) => Layout {
  const layouts = new Map<number, Layout>();
  return (label) => {
    const layout = layouts.get(label.code.length) ?? layOut(label);
    layouts.set(label.code.length, layout);
    return layout;
  };
}

function textElement(text: string, { face, size, x, y, width }: CaptionLine): string {
  if (text === "") return "";
  return (
    `<text x="${figures(x)}" y="${figures(y)}" font-size="${figures(size)}" ${fontNames[face]} ` +
    `textLength="${figures(width)}" lengthAdjust="spacingAndGlyphs">${escapeHtml(text)}</text>`
  );
}

// Sheets as PDF: a page is made when the one before has been read.

const pointsPerMillimetre = 72 / 25.4;
/** Pages are handed on in pieces of this size, small ones together. */
const pieceBytes = 65_536;

/**
 * The same set gives the same bytes.
 * @param skipped labels of the first sheet that stay empty
 */
export async function* labelsPdf(set: LabelSet, skipped: number): AsyncGenerator<Uint8Array> {
  const { sheet } = set.options;
  const document = openDocument(set);
  try {
    const drawing = labelDrawing(document, set);
    const perSheet = labelsPerSheet(sheet);
    // The first piece goes at once, so that the download begins.
    let enough = 1;
    let isTurnOver = await drawingTurn();
    for (const [index, label] of set.labels.entries()) {
      if (isTurnOver()) isTurnOver = await drawingTurn();
      const position = (skipped + index) % perSheet;
      if (index === 0 || position === 0) drawing.beginSheet();
      drawing.draw(label, position);
      if (document.readableLength < enough) continue;
      yield document.read() as Buffer;
      enough = pieceBytes;
    }
    document.end();
    for await (const rest of document) yield rest as Buffer;
  } finally {
    document.destroy();
  }
}

function openDocument({ source, options: { sheet } }: LabelSet): PDFKit.PDFDocument {
  const document = new PDFDocument({
    size: [sheet.paper.width * pointsPerMillimetre, sheet.paper.height * pointsPerMillimetre],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: "1.7",
    info: {
      Title: `Labels: ${source.name}`,
      Creator: "Promo Console",
      CreationDate: source.createdAt,
    },
  });
  // A reader must not scale labels to what it thinks the paper is.
  const { _root } = document as unknown as { _root: { data: Record<string, unknown> } };
  _root.data.ViewerPreferences = document.ref({ PrintScaling: "None", DisplayDocTitle: true });
  return document;
}

/** The caption of a label as PDF can print it, laid out. */
export function pdfLayout(
  set: LabelSet,
  type: LabelType,
  label: CodeLabel = longestOf(set),
): LabelLayout {
  const caption = captionOf(set, label);
  caption.name = type.printable(caption.name).text;
  const modules = modulesOf(label, set).size;
  return layOutLabel(set.options.sheet.label, caption, modules, type.measure);
}

function labelDrawing(document: PDFKit.PDFDocument, set: LabelSet) {
  const { sheet, cut } = set.options;
  const type = new LabelType(document);
  const layoutOf = layoutByLength((label) => {
    const layout = pdfLayout(set, type, label);
    /** Content that labels share. */
    const common = layout.lines
      .filter(({ part }) => part === "name" || part === "discount")
      .map((line) => type.operators(line.text, line))
      .join("");
    return { ...layout, common };
  });
  const cuts = cutOperators(sheet, cut);
  return {
    beginSheet() {
      document.addPage();
      type.nameOn(document.page);
      const scale = pointsPerMillimetre;
      document.addContent(`${figures(scale, 0, 0, scale, 0, 0)} cm\n${cuts}`);
    },
    draw(label: CodeLabel, position: number) {
      const { x, y } = labelPlace(sheet, position);
      const { area, lines, qr, common } = layoutOf(label);
      const own = lines.map((line) => {
        if (line.part === "code") return type.operators(formatCode(label.code), line);
        const expiry = line.part === "expiry" ? expiryOf(label, set) : "";
        return expiry && type.operators(expiry, line);
      });
      const [left, top] = [qr.x + quietZone * qr.module, qr.y + quietZone * qr.module];
      const modules = darkRectangles(modulesOf(label, set));
      document.addContent(
        `q ${figures(1, 0, 0, 1, x, y)} cm\n` +
          `q ${figures(area.x, area.y, area.width, area.height)} re W n\n` +
          `${common}${own.join("")}Q\n` +
          `${figures(qr.module, 0, 0, qr.module, left, top)} cm\n` +
          modules.map((run) => `${run.x} ${run.y} ${run.width} ${run.height} re\n`).join("") +
          "f Q",
      );
    },
  };
}

function cutOperators(sheet: LabelSheet, kind: LabelSet["options"]["cut"]): string {
  const lines = cuttingLines(sheet, kind).map(
    ([fromX, fromY, toX, toY]) => `${figures(fromX, fromY)} m ${figures(toX, toY)} l\n`,
  );
  return lines.length === 0 ? "" : `0.1 w 0.5 G\n${lines.join("")}S\n`;
}
