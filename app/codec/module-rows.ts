/** A QR code's modules as bits, 1 for dark. */
import type { QRCode } from "qrcode";

type Modules = Pick<QRCode["modules"], "size" | "data">;

/** Column c of row r is bit c % 32 of word r * wordsPerRow + c / 32. */
export type ModuleRows = Int32Array;

export function wordsPerRow(size: number): number {
  return (size + 31) >> 5;
}

export function toModuleRows({ size, data }: Modules): ModuleRows {
  const words = wordsPerRow(size);
  const rows = new Int32Array(size * words);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      rows[row * words + (column >> 5)]! |= data[row * size + column]! << (column & 31);
    }
  }
  return rows;
}

/** The rows of a code of at most 32 modules a side, a word each, and then its columns likewise. */
export type ModuleLines = Int32Array;

export function toModuleLines({ size, data }: Modules): ModuleLines {
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
