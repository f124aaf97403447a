/**
 * Sheets that labels are printed on. All lengths are millimetres from the upper left corner of the
 * paper, as the makers publish them for their word-processor templates.
 */

export type Size = { width: number; height: number };
export type Place = { x: number; y: number };

/** Equal labels in columns and rows. */
export type LabelSheet = {
  paper: Size;
  label: Size;
  columns: number;
  rows: number;
  left: number;
  top: number;
  /** Distance from one label to the next, from edge to the same edge. */
  pitchX: number;
  pitchY: number;
};

export const papers = {
  a4: { width: 210, height: 297 },
  letter: { width: 215.9, height: 279.4 },
} satisfies Record<string, Size>;
type PaperName = keyof typeof papers;

const inch = 25.4;

/** Sheets that are bought, by the number on the pack. */
export const labelSheets = {
  l7651: averyA4(38.1, 21.2, 5, 13),
  l7159: averyA4(63.5, 33.9, 3, 8),
  l7160: averyA4(63.5, 38.1, 3, 7),
  l7163: averyA4(99.1, 38.1, 2, 7),
  "5160": averyLetter({ width: 2.625, height: 1, columns: 3, left: 0.1875, pitchX: 2.75 }),
  "5163": averyLetter({ width: 4, height: 2, columns: 2, left: 0.15625, pitchX: 4.1875 }),
  "57x32": singleLabel({ width: 57, height: 32 }),
  "62x29": singleLabel({ width: 62, height: 29 }),
  "89x36": singleLabel({ width: 89, height: 36 }),
  "100x50": singleLabel({ width: 100, height: 50 }),
} satisfies Record<string, LabelSheet>;
export type LabelSheetName = keyof typeof labelSheets;

/** Avery's A4 sheets of this family: 2.54 mm between columns, none between rows, centred. */
function averyA4(width: number, height: number, columns: number, rows: number): LabelSheet {
  const gap = 2.54;
  return {
    paper: papers.a4,
    label: { width, height },
    columns,
    rows,
    left: (papers.a4.width - columns * width - (columns - 1) * gap) / 2,
    top: (papers.a4.height - rows * height) / 2,
    pitchX: width + gap,
    pitchY: height,
  };
}

/** Avery's US Letter sheets, in inches: none between rows, half an inch above and below. */
function averyLetter(inches: Record<"width" | "height" | "columns" | "left" | "pitchX", number>) {
  const [width, height] = [inches.width * inch, inches.height * inch];
  return {
    paper: papers.letter,
    label: { width, height },
    columns: inches.columns,
    rows: 10 / inches.height,
    left: inches.left * inch,
    top: 0.5 * inch,
    pitchX: inches.pitchX * inch,
    pitchY: height,
  };
}

/** A label printer's: each label is a page of its own. */
export function singleLabel(label: Size): LabelSheet {
  const { width: pitchX, height: pitchY } = label;
  return { paper: label, label, columns: 1, rows: 1, left: 0, top: 0, pitchX, pitchY };
}

type Grid = Record<"columns" | "rows", number> & {
  paper: PaperName;
  margin: Record<"top" | "right" | "bottom" | "left", number>;
  gap: Place;
};

/** Labels fill what margins and gaps leave of the paper; that may be nothing, or less. */
export function gridSheet({ paper, columns, rows, margin, gap }: Grid): LabelSheet {
  const { width, height } = papers[paper];
  const label = {
    width: (width - margin.left - margin.right - (columns - 1) * gap.x) / columns,
    height: (height - margin.top - margin.bottom - (rows - 1) * gap.y) / rows,
  };
  return {
    paper: papers[paper],
    label,
    columns,
    rows,
    left: margin.left,
    top: margin.top,
    pitchX: label.width + gap.x,
    pitchY: label.height + gap.y,
  };
}

/** Smaller ones don't hold a code that scans and can be read. */
export const smallestLabel: Size = { width: 18, height: 12 };
export const largestLabel: Size = { width: 300, height: 300 };

export function labelsPerSheet({ columns, rows }: LabelSheet): number {
  return columns * rows;
}

/** The upper left corner of a label; they are counted from 0, row by row. */
export function labelPlace(sheet: LabelSheet, index: number): Place {
  return {
    x: sheet.left + (index % sheet.columns) * sheet.pitchX,
    y: sheet.top + Math.floor(index / sheet.columns) * sheet.pitchY,
  };
}

export const cutLines = ["none", "crop", "lines"] as const;
export type CutLines = (typeof cutLines)[number];

export type Line = [fromX: number, fromY: number, toX: number, toY: number];

/** Crop marks stay this far from the labels, and are at most this long. */
const cropGap = 1;
const cropLength = 5;

/**
 * Returns the lines to cut along: `crop` marks the edges of columns and rows in the margins, as
 * printers do; `lines` draws each label's outline. A label that fills its page needs neither.
 */
export function cuttingLines(sheet: LabelSheet, kind: CutLines): Line[] {
  const { paper, label } = sheet;
  if (kind === "none" || (label.width >= paper.width && label.height >= paper.height)) return [];
  return kind === "crop" ? cropMarks(sheet) : outlines(sheet);
}

function outlines(sheet: LabelSheet): Line[] {
  return Array.from({ length: labelsPerSheet(sheet) }).flatMap((_, index): Line[] => {
    const { x, y } = labelPlace(sheet, index);
    const [right, bottom] = [x + sheet.label.width, y + sheet.label.height];
    return [
      [x, y, right, y],
      [right, y, right, bottom],
      [right, bottom, x, bottom],
      [x, bottom, x, y],
    ];
  });
}

function cropMarks({ paper, label, columns, rows, ...at }: LabelSheet): Line[] {
  const xs = edges(at.left, at.pitchX, label.width, columns);
  const ys = edges(at.top, at.pitchY, label.height, rows);
  return [
    ...marks(ys, paper.height).flatMap(([from, to]) => xs.map((x): Line => [x, from, x, to])),
    ...marks(xs, paper.width).flatMap(([from, to]) => ys.map((y): Line => [from, y, to, y])),
  ];
}

/** Both edges of each label, one where neighbours touch. */
function edges(start: number, pitch: number, length: number, count: number): number[] {
  const both = Array.from({ length: count }, (_, index) => start + index * pitch).flatMap(
    (edge) => [edge, edge + length],
  );
  return both.filter((edge, index) => index === 0 || edge - both[index - 1]! > 0.01);
}

/** Along one direction: in the margins before the first edge and after the last. */
function marks(edgesAlong: number[], end: number) {
  const [first, last] = [edgesAlong[0]! - cropGap, edgesAlong.at(-1)! + cropGap];
  const before = Math.max(first - cropLength, cropGap);
  const after = Math.min(last + cropLength, end - cropGap);
  return [[before, first] as const, [last, after] as const].filter(([from, to]) => to > from);
}

/** Limits the labels of one file. */
export const maxLabels = 10_000;

/** Labels in their order on sheets. */
export type Spread = Record<"labels" | "perSheet", number> & {
  /** Position of the first label on the first sheet, from 1. */
  first: number;
};

/** Sheets that follow each other, counted from 1. */
export type SheetRange = { from: number; to: number };

export function countSheets({ labels, perSheet, first }: Spread): number {
  return labels === 0 ? 0 : Math.ceil((first - 1 + labels) / perSheet);
}

/** The labels on some sheets: how many stand before them, and how many places stay empty before the first. */
export type LabelSection = { offset: number; count: number; skipped: number };

export function labelsOnSheets({ labels, perSheet, first }: Spread, range: SheetRange) {
  const start = (range.from - 1) * perSheet - (first - 1);
  const end = Math.min(labels, range.to * perSheet - (first - 1));
  const offset = Math.max(start, 0);
  return { offset, count: end - offset, skipped: offset - start } satisfies LabelSection;
}

/** Divides sheets into those of one file each. */
export function sheetsOfFiles(perSheet: number, { from, to }: SheetRange): SheetRange[] {
  const sheets = Math.floor(maxLabels / perSheet);
  return Array.from({ length: Math.ceil((to - from + 1) / sheets) }, (_, index) => ({
    from: from + index * sheets,
    to: Math.min(to, from + (index + 1) * sheets - 1),
  }));
}
