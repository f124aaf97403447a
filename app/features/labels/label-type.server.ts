/** The type that labels are set in: how wide it runs, what it can print, and its PDF operators. */
import PDFDocument from "pdfkit";
import type { CaptionLine, Face, Measure } from "./label-layout";

const fontNames: Record<Face, string> = {
  bold: "Helvetica-Bold",
  regular: "Helvetica",
  code: "Courier-Bold",
};

/** Of the fonts that every reader of PDF has; all else is not in them. */
const printableText = /^[\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]+$/u;
const substitute = "?";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * The text as it can be printed: one visible character for each that can't be. What is never
 * visible goes.
 * @returns also how many were replaced
 */
export function printable(text: string): { text: string; replaced: number } {
  let replaced = 0;
  const parts = Array.from(graphemes.segment(withoutInvisible(text)), ({ segment }) => {
    if (printableText.test(segment)) return segment;
    replaced++;
    return substitute;
  });
  return { text: parts.join(""), replaced };
}

/** Composed, in one line, without control characters and marks of direction. */
export function withoutInvisible(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\s+/gu, " ")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, (character) =>
      character === "\u200d" ? character : "",
    );
}

type GlyphPosition = Record<"xAdvance" | "advanceWidth" | "xOffset" | "yOffset", number>;

/** What pdfkit keeps of a font that is in use; its `text()` would shape each line anew. */
type PdfFont = {
  id: string;
  encode(text: string): [glyphs: string[], positions: GlyphPosition[]];
  ref(): PDFKit.PDFKitReference;
};

/** The faces of one document. */
export class LabelType {
  readonly #fonts: Record<Face, PdfFont>;
  readonly #substituteWidth: Record<Face, number>;
  readonly #codeGlyphs = new Map<string, ReturnType<PdfFont["encode"]>>();

  constructor(document: PDFKit.PDFDocument) {
    const open = (face: Face) =>
      (document.font(fontNames[face]) as unknown as { _font: PdfFont })._font;
    this.#fonts = { bold: open("bold"), regular: open("regular"), code: open("code") };
    const widthOf = (face: Face) => this.#fonts[face].encode(substitute)[1][0]!.xAdvance / 1_000;
    this.#substituteWidth = {
      bold: widthOf("bold"),
      regular: widthOf("regular"),
      code: widthOf("code"),
    };
  }

  /** Characters that can't be printed count as wide as the letters are high. */
  readonly measure: Measure = (text, face) => {
    const { text: known, replaced } = printable(text);
    const [, positions] = this.#fonts[face].encode(known);
    const width = positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) / 1_000;
    return width + replaced * (1 - this.#substituteWidth[face]);
  };

  /** Lets a page use the fonts. */
  nameOn(page: PDFKit.PDFPage): void {
    for (const font of Object.values(this.#fonts)) page.fonts[font.id] ??= font.ref();
  }

  /**
   * PDF's operators for a line of text on a page whose y grows downwards.
   * @param text all of it printable
   */
  operators(text: string, { face, size, x, y }: Pick<CaptionLine, "face" | "size" | "x" | "y">) {
    const font = this.#fonts[face];
    const [glyphs, positions] = face === "code" ? this.#encodeCode(text) : font.encode(text);
    let shown = "";
    for (const [index, glyph] of glyphs.entries()) {
      const { xAdvance, advanceWidth, xOffset, yOffset } = positions[index]!;
      const before = xOffset ? figures(-xOffset) : "";
      const gap = xOffset + advanceWidth - xAdvance;
      const drawn = `${before}<${glyph}>${gap ? figures(gap) : ""}`;
      shown += yOffset ? `]TJ ${figures((yOffset * size) / 1_000)} Ts[${drawn}]TJ 0 Ts[` : drawn;
    }
    const line = shown.replaceAll("><", "");
    return `BT /${font.id} ${figures(size)} Tf ${figures(1, 0, 0, -1, x, y)} Tm[${line}]TJ ET\n`;
  }

  /** Shaping is slow, and a code's characters are shaped one like the other. */
  #encodeCode(text: string): ReturnType<PdfFont["encode"]> {
    const found = Array.from(text, (character) => {
      const known = this.#codeGlyphs.get(character) ?? this.#fonts.code.encode(character);
      this.#codeGlyphs.set(character, known);
      return known;
    });
    return [found.map(([[glyph]]) => glyph!), found.map(([, [position]]) => position!)];
  }
}

let measuring: LabelType | undefined;

/** The same type, where nothing is printed: for measuring. */
export function measuringType(): LabelType {
  return (measuring ??= new LabelType(new PDFDocument({ autoFirstPage: false })));
}

/** Numbers as PDF and SVG read them: never with an exponent. */
export function figures(...values: number[]): string {
  return values.map((value) => Math.round(value * 100_000) / 100_000).join(" ");
}
