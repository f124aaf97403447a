/**
 * Applies the mask with the lowest penalty by the four rules of ISO 18004 as `qrcode` counts them
 * (its lib/core/mask-pattern.js); the first one wins a tie. A row or a column is one number, so that
 * a rule takes a few operations for all of its modules.
 */
import { create, type QRCode, type QRCodeMaskPattern } from "qrcode";

/** Codes up to version 3: a line has at most 29 modules. */
export const largestMaskable = 29;
const masks = 8;

// The facts that the rules look at are five words for each n: row n; which neighbours in it are alike
// (bit c: columns c and c + 1); column n and its neighbours; which modules of rows n and n + 1 are
// alike. A mask inverts certain facts, just as it does modules, and which depends on the size alone.
// The memory is the module's own because V8 then knows its address: twice as fast as a closure's.
const words = 5;
const wordsOfCode = words * largestMaskable;
const code = new Int32Array(wordsOfCode);
const inversions = new Int32Array(masks * wordsOfCode);
const penaltyOfDark = new Int32Array(largestMaskable ** 2 + 1);
let sizePrepared = 0;

/**
 * @param lines of a code with error correction M and mask 0; they are given the best mask
 * @param size modules a side, at most `largestMaskable`
 */
export function applyBestMask(lines: ModuleLines, size: number): void {
  if (size !== sizePrepared) prepare(size);
  writeFacts(lines, size, -1, code, 0);
  let best = 0;
  let lowest = Infinity;
  for (let mask = 0; mask < masks; mask++) {
    let penalty = penaltyOfLines(mask * wordsOfCode, size);
    // The fourth rule only adds to it.
    if (penalty >= lowest) continue;
    penalty += penaltyOfBalance(mask * wordsOfCode, size);
    if (penalty >= lowest) continue;
    best = mask;
    lowest = penalty;
  }
  const inverted = best * wordsOfCode;
  for (let n = 0; n < size; n++) {
    lines[n]! ^= inversions[inverted + n * words]!;
    lines[size + n]! ^= inversions[inverted + n * words + 2]!;
  }
}

/** Learns from `qrcode` what the masks invert in codes of a size, format information included. */
function prepare(size: number): void {
  const version = (size - 17) / 4;
  const [unmasked, ...others] = Array.from({ length: masks }, (_, mask) => {
    const maskPattern = mask as QRCodeMaskPattern;
    return toModuleLines(create("0", { version, errorCorrectionLevel: "M", maskPattern }).modules);
  });
  others.forEach((lines, index) => {
    const inverted = lines.map((line, n) => line ^ unmasked![n]!);
    writeFacts(inverted, size, 0, inversions, (index + 1) * wordsOfCode);
  });
  // 10 for each 5 % that the share of dark modules is off the half.
  for (let dark = 0; dark <= size * size; dark++) {
    const share = (dark * 100) / (size * size);
    penaltyOfDark[dark] = 10 * Math.abs(Math.ceil(share / 5) - 10);
  }
  sizePrepared = size;
}

/** @param alike says what equal neighbours are: -1 (alike) in a code, 0 (inverted alike) in a mask */
function writeFacts(
  lines: ModuleLines,
  size: number,
  alike: 0 | -1,
  target: Int32Array,
  offset: number,
): void {
  const modules = (1 << size) - 1;
  const pairs = (1 << (size - 1)) - 1;
  for (let n = 0; n < size; n++) {
    const row = lines[n]!;
    const column = lines[size + n]!;
    const at = offset + n * words;
    target[at] = row;
    target[at + 1] = (alike ^ row ^ (row >>> 1)) & pairs;
    target[at + 2] = column;
    target[at + 3] = (alike ^ column ^ (column >>> 1)) & pairs;
    target[at + 4] = n < size - 1 ? (alike ^ row ^ lines[n + 1]!) & modules : 0;
  }
}

/** The first three rules. Half of an encoder's time is spent here. */
function penaltyOfLines(inverted: number, size: number): number {
  const pairs = (1 << (size - 1)) - 1;
  let penalty = 0;
  for (let at = 0; at < size * words; at += words) {
    const row = code[at]! ^ inversions[inverted + at]!;
    const rowAlike = code[at + 1]! ^ inversions[inverted + at + 1]!;
    const column = code[at + 2]! ^ inversions[inverted + at + 2]!;
    const columnAlike = code[at + 3]! ^ inversions[inverted + at + 3]!;
    const below = code[at + 4]! ^ inversions[inverted + at + 4]!;

    // A block of 2 by 2 equal modules costs 3.
    const blocks = rowAlike & below & (below >>> 1);
    // The ones of all three words are counted at once.
    const runs4 = onesOfNibbles(runs(rowAlike)) + onesOfNibbles(runs(columnAlike));
    const runs8 = (runs4 & 0x0f0f0f0f) + ((runs4 >>> 4) & 0x0f0f0f0f);
    const blocks4 = onesOfNibbles(blocks);
    const blocks8 = (blocks4 + (blocks4 >>> 4)) & 0x0f0f0f0f;
    penalty += Math.imul(runs8 + 3 * blocks8, 0x01010101) >>> 24;

    const rowFinders = finders(row, rowAlike, pairs);
    const columnFinders = finders(column, columnAlike, pairs);
    if (rowFinders !== 0) penalty += penaltyOfFinders(rowFinders, row, rowAlike);
    if (columnFinders !== 0) penalty += penaltyOfFinders(columnFinders, column, columnAlike);
  }
  return penalty;
}

/**
 * Returns as many ones as runs of equal modules cost: m - 2 for each run of m >= 5 modules. A run has
 * m - 4 groups of four equal neighbours, and two more ones are put after the last.
 */
function runs(alike: number): number {
  const alike2 = alike & (alike >>> 1);
  let ones = alike2 & (alike2 >>> 2);
  ones |= ones << 1;
  return ones | (ones << 1);
}

/** Marks each 1011101 with 0000 before or after it, which costs 40, or 80 with both. */
function finders(dark: number, alike: number, pairs: number): number {
  const alike2 = alike & (alike >>> 1);
  const change = alike ^ pairs;
  const change2 = change & (change >>> 1);
  const light4 = ~dark & alike2 & (alike >>> 2);
  const sides = (light4 << 4) | (light4 >>> 7);
  return dark & change2 & (alike2 >>> 2) & (change2 >>> 4) & sides;
}

function penaltyOfFinders(marks: number, dark: number, alike: number): number {
  const light4 = ~dark & alike & (alike >>> 1) & (alike >>> 2);
  return 40 * (countOnes(marks & (light4 << 4)) + countOnes(marks & (light4 >>> 7)));
}

/** The fourth rule. */
function penaltyOfBalance(inverted: number, size: number): number {
  let dark = 0;
  for (let at = 0; at < size * words; at += words) {
    dark += countOnes(code[at]! ^ inversions[inverted + at]!);
  }
  return penaltyOfDark[dark]!;
}

function countOnes(bits: number): number {
  const ones4 = onesOfNibbles(bits);
  return Math.imul((ones4 + (ones4 >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** How many ones are in each four bits. */
function onesOfNibbles(bits: number): number {
  const ones2 = bits - ((bits >>> 1) & 0x55555555);
  return (ones2 & 0x33333333) + ((ones2 >>> 2) & 0x33333333);
}

/** Modules of a QR code of at most 32 a side, 1 for dark: a word for each row, then for each column. */
export type ModuleLines = Int32Array;

export function toModuleLines({ size, data }: QRCode["modules"]): ModuleLines {
  const lines = new Int32Array(2 * size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const dark = data[row * size + column]!;
      lines[row]! |= dark << column;
      lines[size + column]! |= dark << row;
    }
  }
  return lines;
}
