/** Lays out a label. All lengths are millimetres from its upper left corner. */
import type { Place, Size } from "./label-sheets";

export const captionParts = ["name", "discount", "expiry"] as const;
export type CaptionPart = (typeof captionParts)[number];

/** Texts beside a label's QR code; an empty part is left out. */
export type Caption = Record<CaptionPart | "code", string>;

/** Faces of the type: a name is heavy, an expiration light, a code has figures of one width. */
export type Face = "bold" | "regular" | "code";

/** The width of a text set at a size of 1. */
export type Measure = (text: string, face: Face) => number;

/** `x` and `y` are the left end of the baseline, `size` is that of the font. */
export type CaptionLine = Place & {
  part: keyof Caption;
  text: string;
  face: Face;
  size: number;
  width: number;
};

export type LabelLayout = {
  /** Square with the quiet zone; the dark modules begin 4 modules further in. */
  qr: Place & { size: number; module: number };
  /** The caption's own; beside the QR code, never upon it. */
  area: Area;
  lines: CaptionLine[];
  /** Font size of the code. */
  size: number;
  /** Parts that did not fit. */
  omitted: CaptionPart[];
  /** Whether the name was not shortened. */
  isNameWhole: boolean;
};

type Area = Place & Size;

/** White modules on each side (ISO 18004). */
export const quietZone = 4;

/** Four dots of a printer with 300 dpi: smaller modules often don't scan. */
export const smallestModule = 0.33;

const faces: Record<keyof Caption, Face> = {
  name: "bold",
  discount: "bold",
  expiry: "regular",
  code: "code",
};
/** Font sizes, and spaces above a line, as multiples of the base size, which is that of the code. */
const scales: Record<keyof Caption, number> = { name: 0.95, discount: 1.6, expiry: 0.85, code: 1 };
const spaces: Record<keyof Caption, number> = { name: 0, discount: 0.15, expiry: 0.05, code: 0.3 };
/** Height of a line and position of its baseline, as multiples of its font size. */
const leading = 1.2;
const baseline = 0.92;
const maxNameLines = 3;

/** 5.4 pt: smaller letters are set only where the label leaves no choice. */
const legible = 1.9;

/** Tolerance of comparisons, in millimetres. */
const rounding = 1e-6;

/** Order in which parts are dropped when they don't fit. */
const dropOrder: readonly CaptionPart[] = ["name", "expiry", "discount"];

/**
 * Lays a label out: the QR code at the left with its caption beside it, or above its caption,
 * whichever lets the code be larger. What has no room is left out before the code gets too small
 * to scan; only the caption's code always stays.
 * @param modules of the QR code's side, without its quiet zone
 */
export function layOutLabel(
  label: Size,
  caption: Caption,
  modules: number,
  measureText: Measure,
): LabelLayout {
  const measure = memoized(measureText);
  const filled = captionParts.filter((part) => caption[part].trim() !== "");
  const arranged = (parts: CaptionPart[]): LabelLayout => {
    const [{ qr, area, isCentred }] = [beside, below]
      .map((arrange) => arrange(label, caption, parts, measure))
      .sort((one, other) => other.qr.size - one.qr.size) as [Arrangement, Arrangement];
    return {
      qr: { ...qr, module: qr.size / (modules + 2 * quietZone) },
      area,
      ...setCaption(area, caption, parts, { measure, isCentred, max: maxSize(label) }),
      omitted: filled.filter((part) => !parts.includes(part)),
    };
  };
  const layouts = [arranged(filled)];
  let parts = filled;
  for (const part of dropOrder.filter((one) => filled.includes(one))) {
    if (isReadable(layouts.at(-1)!)) break;
    parts = parts.filter((other) => other !== part);
    layouts.push(arranged(parts));
  }
  // Leaving parts out gains nothing on a label that is too narrow for its code.
  return layouts.find((layout) => isReadable(layout, layouts.at(-1)))!;
}

/** Whether the QR code and the caption's code are large enough, or as large as in a layout that leaves more out. */
function isReadable({ qr, size }: LabelLayout, other?: LabelLayout): boolean {
  const minModule = Math.min(smallestModule, other?.qr.module ?? Infinity);
  const minSize = Math.min(legible, other?.size ?? Infinity);
  return qr.module > minModule - rounding && size > minSize - rounding;
}

/** Memoizes widths: shaping text costs more than anything else here, and the same starts are tried over and over. */
function memoized(measure: Measure): Measure {
  const known = new Map<string, number>();
  return (text, face) => {
    const width = known.get(face + text) ?? measure(text, face);
    known.set(face + text, width);
    return width;
  };
}

type Arrangement = { qr: Place & { size: number }; area: Area; isCentred: boolean };
type Arrange = (
  label: Size,
  caption: Caption,
  parts: CaptionPart[],
  measure: Measure,
) => Arrangement;

/** Returns a share of a label's shorter side, within limits. */
function shareOf({ width, height }: Size, share: number, min: number, max: number): number {
  return Math.min(Math.max(share * Math.min(width, height), min), max);
}

/** Returns the margin that cutting and feeding may consume. */
const paddingOf = (label: Size) => shareOf(label, 0.05, 1, 3);
/** Returns the minimum and the maximum size of letters: larger labels are read from further away. */
const minSize = (label: Size) => shareOf(label, 0.055, legible, 3);
const maxSize = (label: Size) => shareOf(label, 0.1, legible, 7);

const beside: Arrange = (label, caption, _kept, measure) => {
  const padding = paddingOf(label);
  const column = measure(caption.code, "code") * minSize(label);
  const size = Math.max(Math.min(label.height, label.width - padding - column), 0);
  const area = {
    x: size,
    y: padding,
    width: label.width - size - padding,
    height: label.height - 2 * padding,
  };
  return { qr: { x: 0, y: (label.height - size) / 2, size }, area, isCentred: false };
};

const below: Arrange = (label, caption, parts, measure) => {
  const padding = paddingOf(label);
  const width = label.width - 2 * padding;
  const base = Math.min(minSize(label), width / measure(caption.code, "code"));
  const height = heightOf(parts, 1) * base;
  const size = Math.max(Math.min(label.width, label.height - padding - height), 0);
  // A narrow label leaves room above and beneath: what belongs together stays together.
  const area = { x: padding, y: size, width, height: label.height - size - padding };
  return { qr: { x: (label.width - size) / 2, y: 0, size }, area, isCentred: true };
};

/** Returns the height of a caption at base size 1. */
function heightOf(parts: CaptionPart[], nameLines: number): number {
  const lines: (keyof Caption)[] = [...parts, "code"];
  return lines
    .map((part) => spaces[part] + scales[part] * leading * (part === "name" ? nameLines : 1))
    .reduce((sum, height) => sum + height, 0);
}

/** Sets the lines as large as the area allows, in its middle. */
function setCaption(
  area: Area,
  caption: Caption,
  parts: CaptionPart[],
  { measure, isCentred, max }: { measure: Measure; isCentred: boolean; max: number },
): Pick<LabelLayout, "lines" | "size" | "isNameWhole"> {
  const byWidth = area.width / measure(caption.code, "code");
  const sizeFor = (nameLines: number) =>
    Math.min(max, byWidth, area.height / heightOf(parts, nameLines));
  const name = parts.includes("name")
    ? setName(area.width, caption.name, sizeFor, measure)
    : { lines: [], isWhole: true };
  const size = sizeFor(Math.max(name.lines.length, 1));

  const texts = [
    ...name.lines.map((text) => ({ part: "name" as const, text })),
    ...parts.filter((part) => part !== "name").map((part) => ({ part, text: caption[part] })),
    { part: "code" as const, text: caption.code },
  ];
  const set = texts.map(({ part, text }) => {
    const face = faces[part];
    const width = measure(text, face);
    const fitted = Math.min(size * scales[part], area.width / width);
    return { part, text, face, size: fitted, width: width * fitted };
  });
  const height = set.reduce((sum, line) => sum + heightOfLine(line, size), 0);
  let bottom = area.y + (area.height - height) / 2;
  const lines = set.map((line): CaptionLine => {
    bottom += heightOfLine(line, size);
    const y = bottom - line.size * (leading - baseline);
    return { ...line, x: area.x + (isCentred ? (area.width - line.width) / 2 : 0), y };
  });
  return { lines, size, isNameWhole: name.isWhole };
}

function heightOfLine({ part, size }: Pick<CaptionLine, "part" | "size">, base: number): number {
  return spaces[part] * base + size * leading;
}

type NameLines = { lines: string[]; isWhole: boolean };

/** Sets a name in as few lines as possible; shortens it if the maximum is not enough. */
function setName(
  width: number,
  name: string,
  sizeFor: (nameLines: number) => number,
  measure: Measure,
): NameLines {
  const inLines = (count: number) =>
    wrap(name, width / (sizeFor(count) * scales.name), count, measure);
  const smallest = Math.min(Math.max(legible, sizeFor(1) * 0.7), sizeFor(1));
  let set = inLines(1);
  for (let count = 2; count <= maxNameLines && !set.isWhole; count++) {
    if (sizeFor(count) > smallest - rounding) set = inLines(count);
  }
  return set;
}

/** Breaks between words, within one only where it alone is too long for a line. */
function wrap(text: string, width: number, maxLines: number, measure: Measure): NameLines {
  const fits = (line: string) => measure(line, faces.name) <= width;
  const lines: string[] = [];
  let rest = text.replace(/\s+/g, " ").trim();
  while (rest !== "") {
    if (fits(rest)) return { lines: [...lines, rest], isWhole: true };
    if (lines.length === maxLines - 1) {
      const start = longestPrefix(rest, (prefix) => fits(`${prefix}…`));
      return { lines: [...lines, `${start.trimEnd()}…`], isWhole: false };
    }
    const words = rest.split(" ");
    let count = words.length - 1;
    while (count > 0 && !fits(words.slice(0, count).join(" "))) count--;
    const line = count > 0 ? words.slice(0, count).join(" ") : longestPrefix(rest, fits);
    lines.push(line);
    rest = rest.slice(line.length).trim();
  }
  return { lines, isWhole: true };
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Returns the longest fitting prefix, at least one grapheme. */
function longestPrefix(text: string, fits: (start: string) => boolean): string {
  const parts = Array.from(graphemes.segment(text), ({ segment }) => segment);
  let [low, high] = [1, parts.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(parts.slice(0, middle).join(""))) low = middle;
    else high = middle - 1;
  }
  return parts.slice(0, low).join("");
}
