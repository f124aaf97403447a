/** The type that labels are set in: how wide it runs, what it can print, and its PDF operators. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import bidiFactory from "bidi-js";
import PDFDocument from "pdfkit";
import type { CaptionLine, Face, Measure } from "./label-layout";

const fontFiles: Record<Face, string> = {
  bold: "DejaVuSansCondensed-Bold.ttf",
  regular: "DejaVuSansCondensed.ttf",
  code: "DejaVuSansMono-Bold.ttf",
};

const packages = createRequire(import.meta.url);

/** Read once; each document takes from them what it prints. */
const fontBytes = byFace((face) =>
  readFileSync(packages.resolve(`dejavu-fonts-ttf/ttf/${fontFiles[face]}`)),
);

/** Stands for a character that none of the fonts has. */
const substitute = "□";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const bidi = bidiFactory();

/** Composed, in one line, without control characters and marks of direction. */
export function withoutInvisible(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\s+/gu, " ")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, (character) =>
      joiners.test(character) ? character : "",
    );
}

/** Matches invisible characters that change those beside them. */
const joiners = /[\u200c\u200d\p{Variation_Selector}]/u;

type GlyphPosition = Record<"xAdvance" | "advanceWidth" | "xOffset" | "yOffset", number>;

/** Glyphs in drawing order, from the left. */
type Shaped = [glyphs: string[], positions: GlyphPosition[]];

/** The part of pdfkit's font object that is used here; its `text()` would shape each line again. */
type PdfFont = {
  id: string;
  font: { hasGlyphForCodePoint(codePoint: number): boolean };
  encode(text: string, features: string[]): Shaped;
  ref(): PDFKit.PDFKitReference;
};

export class LabelType {
  readonly #fonts: Record<Face, PdfFont>;
  readonly #codeGlyphs = new Map<string, Shaped>();

  constructor(document: PDFKit.PDFDocument) {
    this.#fonts = byFace((face) => {
      document.font(fontBytes[face] as unknown as PDFKit.Mixins.PDFFontSource);
      return (document as unknown as { _font: PdfFont })._font;
    });
  }

  /**
   * The text as it can be printed: one visible character for each that can't be. What is never
   * visible goes.
   * @returns also how many were replaced
   */
  printable(text: string, face: Face = "bold"): { text: string; replaced: number } {
    const { font } = this.#fonts[face];
    let replaced = 0;
    const parts = Array.from(graphemes.segment(withoutInvisible(text)), ({ segment }) => {
      const characters = Array.from(segment).filter((character) => !joiners.test(character));
      if (characters.every((character) => font.hasGlyphForCodePoint(character.codePointAt(0)!)))
        return segment;
      replaced++;
      return substitute;
    });
    return { text: parts.join(""), replaced };
  }

  /** Characters that can't be printed count as wide as letters are high: most are pictures. */
  readonly measure: Measure = (text, face) => {
    const known = this.printable(text, face);
    const widthOf = (line: string) =>
      this.#shape(line, face)[1].reduce((sum, { xAdvance }) => sum + xAdvance, 0) / 1_000;
    const surplus = known.replaced > 0 ? known.replaced * (1 - widthOf(substitute)) : 0;
    return widthOf(known.text) + surplus;
  };

  nameOn(page: PDFKit.PDFPage): void {
    for (const font of Object.values(this.#fonts)) page.fonts[font.id] ??= font.ref();
  }

  /**
   * PDF's operators for a line of text on a page whose y grows downwards.
   * @param text all of it printable
   */
  operators(text: string, { face, size, x, y }: Pick<CaptionLine, "face" | "size" | "x" | "y">) {
    const [glyphs, positions] = face === "code" ? this.#shapeCode(text) : this.#shape(text, face);
    const shown: string[] = [];
    for (const [index, glyph] of glyphs.entries()) {
      const { xAdvance, advanceWidth, xOffset, yOffset } = positions[index]!;
      const gap = xOffset + advanceWidth - xAdvance;
      if (yOffset) shown.push(`]TJ ${figures((yOffset * size) / 1_000)} Ts[`);
      if (xOffset) shown.push(figures(-xOffset));
      shown.push(`<${glyph}>`);
      if (gap) shown.push(figures(gap));
      if (yOffset) shown.push("]TJ 0 Ts[");
    }
    const line = shown.join(" ").replaceAll("> <", "");
    return `BT /${this.#fonts[face].id} ${figures(size)} Tf ${figures(1, 0, 0, -1, x, y)} Tm[${line}]TJ ET\n`;
  }

  #shape(text: string, face: Face): Shaped {
    const runs = runsFromTheLeft(text).map((run) => this.#fonts[face].encode(run, []));
    return [runs.flatMap(([glyphs]) => glyphs), runs.flatMap(([, positions]) => positions)];
  }

  /** Shaping is slow, and a code's characters are shaped one like the other. */
  #shapeCode(text: string): Shaped {
    const shaped = Array.from(text, (character) => {
      const known = this.#codeGlyphs.get(character) ?? this.#shape(character, "code");
      this.#codeGlyphs.set(character, known);
      return known;
    });
    return [shaped.flatMap(([glyphs]) => glyphs), shaped.flatMap(([, positions]) => positions)];
  }
}

function byFace<Value>(of: (face: Face) => Value): Record<Face, Value> {
  return { bold: of("bold"), regular: of("regular"), code: of("code") };
}

/**
 * The parts of a line that run in one direction, as they stand from left to right (UAX 9). Each
 * keeps the order in which it is written: the font turns it while shaping.
 */
function runsFromTheLeft(text: string): string[] {
  const embedding = bidi.getEmbeddingLevels(text);
  const mirrored = bidi.getMirroredCharactersMap(text, embedding.levels);
  const runs: number[][] = [];
  for (const index of bidi.getReorderedIndices(text, embedding)) {
    const last = runs.at(-1)?.at(-1);
    const goesOn =
      last !== undefined &&
      Math.abs(index - last) === 1 &&
      embedding.levels[index] === embedding.levels[last];
    if (goesOn) runs.at(-1)!.push(index);
    else runs.push([index]);
  }
  return runs.map((run) => {
    const [start, end] = [Math.min(...run), Math.max(...run) + 1];
    return Array.from({ length: end - start }, (_, offset) => start + offset)
      .map((index) => mirrored.get(index) ?? text[index])
      .join("");
  });
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
