/**
 * Gives a QR code the mask with the lowest penalty by the four rules of ISO 18004 as `qrcode` counts
 * them (its lib/core/mask-pattern.js), the first of equals. A line of modules is one number, so that
 * a rule takes a few operations for all modules of it.
 */
import { create, type QRCodeMaskPattern } from "qrcode";
import { toModuleLines, type ModuleLines } from "./module-rows";

/** Codes up to version 3: a line has at most 29 modules. */
export const largestMaskable = 29;
const masks = 8;

// What the rules look at, in five words for each n: row n; which neighbours in it are alike (bit c:
// columns c and c + 1); column n and its neighbours; which modules of rows n and n + 1 are alike.
// All of it, and not only the modules, is inverted by a mask at places that depend on the size only.
// The memory is the module's own because V8 then knows where it is: twice as fast as a closure's.
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
  describe(lines, size, -1, code, 0);
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
    describe(inverted, size, 0, inversions, (index + 1) * wordsOfCode);
  });
  // 10 for each 5 % that the share of dark modules is off the half.
  for (let dark = 0; dark <= size * size; dark++) {
    const share = (dark * 100) / (size * size);
    penaltyOfDark[dark] = 10 * Math.abs(Math.ceil(share / 5) - 10);
  }
  sizePrepared = size;
}

/** @param alike what two equal modules are: -1 in a code, and 0 in what a mask inverts */
function describe(
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

/**
 * The first three rules.
 *
 * 1. A run of m >= 5 equal modules costs m - 2. It holds m - 4 times four likenesses in a row, and
 *    two more ones after these make m - 2.
 * 2. A block of 2 by 2 equal modules costs 3.
 * 3. 1011101 with 0000 before or after it costs 40, or 80 with both.
 *
 * Written out for rows and columns, and the ones of three words counted at once: what is in
 * functions here V8 doesn't inline any more, and half of an encoder's time is spent here.
 */
function penaltyOfLines(inverted: number, size: number): number {
  const pairs = (1 << (size - 1)) - 1;
  let penalty = 0;
  for (let at = 0; at < size * words; at += words) {
    const row = code[at]! ^ inversions[inverted + at]!;
    const rowAlike = code[at + 1]! ^ inversions[inverted + at + 1]!;
    const rowAlike2 = rowAlike & (rowAlike >>> 1);
    let rowRuns = rowAlike2 & (rowAlike2 >>> 2);
    rowRuns |= rowRuns << 1;
    rowRuns |= rowRuns << 1;
    const rowChange = rowAlike ^ pairs;
    const rowChange2 = rowChange & (rowChange >>> 1);
    const rowFinder = row & rowChange2 & (rowAlike2 >>> 2) & (rowChange2 >>> 4);
    const rowLight4 = ~row & rowAlike2 & (rowAlike >>> 2);
    if ((rowFinder & ((rowLight4 << 4) | (rowLight4 >>> 7))) !== 0) {
      penalty += penaltyOfFinders(rowFinder, rowLight4);
    }

    const column = code[at + 2]! ^ inversions[inverted + at + 2]!;
    const columnAlike = code[at + 3]! ^ inversions[inverted + at + 3]!;
    const columnAlike2 = columnAlike & (columnAlike >>> 1);
    let columnRuns = columnAlike2 & (columnAlike2 >>> 2);
    columnRuns |= columnRuns << 1;
    columnRuns |= columnRuns << 1;
    const columnChange = columnAlike ^ pairs;
    const columnChange2 = columnChange & (columnChange >>> 1);
    const columnFinder = column & columnChange2 & (columnAlike2 >>> 2) & (columnChange2 >>> 4);
    const columnLight4 = ~column & columnAlike2 & (columnAlike >>> 2);
    if ((columnFinder & ((columnLight4 << 4) | (columnLight4 >>> 7))) !== 0) {
      penalty += penaltyOfFinders(columnFinder, columnLight4);
    }

    const below = code[at + 4]! ^ inversions[inverted + at + 4]!;
    const blocks = rowAlike & below & (below >>> 1);

    const a2 = rowRuns - ((rowRuns >>> 1) & 0x55555555);
    const b2 = columnRuns - ((columnRuns >>> 1) & 0x55555555);
    const c2 = blocks - ((blocks >>> 1) & 0x55555555);
    const a4 = (a2 & 0x33333333) + ((a2 >>> 2) & 0x33333333);
    const b4 = (b2 & 0x33333333) + ((b2 >>> 2) & 0x33333333);
    const c4 = (c2 & 0x33333333) + ((c2 >>> 2) & 0x33333333);
    const runs8 = ((a4 + b4) & 0x0f0f0f0f) + (((a4 + b4) >>> 4) & 0x0f0f0f0f);
    const blocks8 = (c4 + (c4 >>> 4)) & 0x0f0f0f0f;
    penalty += Math.imul(runs8 + 3 * blocks8, 0x01010101) >>> 24;
  }
  return penalty;
}

function penaltyOfFinders(finder: number, light4: number): number {
  return 40 * (countOnes(finder & (light4 << 4)) + countOnes(finder & (light4 >>> 7)));
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
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
