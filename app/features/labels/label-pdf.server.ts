/** Label sheets as PDF: a page is made when the one before has been read. */
import { setImmediate as nextTurn } from "node:timers/promises";
import PDFDocument from "pdfkit";
import { formatCode } from "../../format/promotion";
import {
  darkRectangles,
  captionOf,
  expiryOf,
  modulesOf,
  type CodeLabel,
  type LabelSet,
} from "./generation-labels.server";
import { layOutLabel, quietZone, type LabelLayout } from "./label-layout";
import { cuttingLines, labelPlace, labelsPerSheet, type LabelSheet } from "./label-sheets";
import { figures, LabelType } from "./label-type.server";

const pointsPerMillimetre = 72 / 25.4;
/** Pages are handed on in pieces of this size, small ones together. */
const pieceBytes = 65_536;
/** Number of labels drawn before other requests get a turn. */
const inOneGo = 20;

/**
 * The same set gives the same bytes.
 * @param skipped labels of the first sheet that stay empty
 */
export async function* labelsPdf(set: LabelSet, skipped: number): AsyncGenerator<Uint8Array> {
  const { sheet } = set.options;
  const document = openDocument(set);
  try {
    const drawing = new LabelDrawing(document, set);
    const perSheet = labelsPerSheet(sheet);
    // The first piece goes at once, so that the download begins.
    let enough = 1;
    for (const [index, label] of set.labels.entries()) {
      const position = (skipped + index) % perSheet;
      if (index === 0 || position === 0) drawing.beginSheet();
      drawing.draw(label, position);
      if (index % inOneGo === 0) await nextTurn();
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

function openDocument({ generation, options: { sheet } }: LabelSet): PDFKit.PDFDocument {
  const document = new PDFDocument({
    size: [sheet.paper.width * pointsPerMillimetre, sheet.paper.height * pointsPerMillimetre],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: "1.7",
    info: {
      Title: `Labels: ${generation.name}`,
      Creator: "Promo Console",
      CreationDate: generation.createdAt,
    },
  });
  // A reader must not scale labels to what it thinks the paper is.
  const { _root } = document as unknown as { _root: { data: Record<string, unknown> } };
  _root.data.ViewerPreferences = document.ref({ PrintScaling: "None", DisplayDocTitle: true });
  return document;
}

/** The caption as PDF can print it, laid out. */
export function pdfLayout(set: LabelSet, type: LabelType): LabelLayout {
  const caption = captionOf(set);
  caption.name = type.printable(caption.name).text;
  const modules = modulesOf(set.labels[0]!, set).size;
  return layOutLabel(set.options.sheet.label, caption, modules, type.measure);
}

class LabelDrawing {
  readonly #document: PDFKit.PDFDocument;
  readonly #set: LabelSet;
  readonly #type: LabelType;
  readonly #layout: LabelLayout;
  readonly #cuts: string;
  /** Content that all labels share. */
  readonly #common: string;

  constructor(document: PDFKit.PDFDocument, set: LabelSet) {
    this.#document = document;
    this.#set = set;
    this.#type = new LabelType(document);
    this.#layout = pdfLayout(set, this.#type);
    this.#cuts = cutOperators(set.options.sheet, set.options.cut);
    this.#common = this.#layout.lines
      .filter(({ part }) => part === "name" || part === "discount")
      .map((line) => this.#type.operators(line.text, line))
      .join("");
  }

  beginSheet(): void {
    this.#document.addPage();
    this.#type.nameOn(this.#document.page);
    const scale = pointsPerMillimetre;
    this.#document.addContent(`${figures(scale, 0, 0, scale, 0, 0)} cm\n${this.#cuts}`);
  }

  draw(label: CodeLabel, position: number): void {
    const { area, lines, qr } = this.#layout;
    const { x, y } = labelPlace(this.#set.options.sheet, position);
    const own = lines.map((line) => {
      if (line.part === "code") return this.#type.operators(formatCode(label.code), line);
      const expiry = line.part === "expiry" ? expiryOf(label, this.#set) : "";
      return expiry && this.#type.operators(expiry, line);
    });
    const [left, top] = [qr.x + quietZone * qr.module, qr.y + quietZone * qr.module];
    const modules = darkRectangles(modulesOf(label, this.#set));
    this.#document.addContent(
      `q ${figures(1, 0, 0, 1, x, y)} cm\n` +
        `q ${figures(area.x, area.y, area.width, area.height)} re W n\n` +
        `${this.#common}${own.join("")}Q\n` +
        `${figures(qr.module, 0, 0, qr.module, left, top)} cm\n` +
        modules.map((run) => `${run.x} ${run.y} ${run.width} ${run.height} re\n`).join("") +
        "f Q",
    );
  }
}

function cutOperators(sheet: LabelSheet, kind: LabelSet["options"]["cut"]): string {
  const lines = cuttingLines(sheet, kind).map(
    ([fromX, fromY, toX, toY]) => `${figures(fromX, fromY)} m ${figures(toX, toY)} l\n`,
  );
  return lines.length === 0 ? "" : `0.1 w 0.5 G\n${lines.join("")}S\n`;
}
