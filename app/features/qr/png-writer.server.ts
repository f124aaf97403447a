/**
 * Writes QR codes as PNGs, 1 bit a pixel and 8 pixels a module, so that a module is one byte of a
 * scan line. The deflate stream is laid out once for each matrix size: per row of modules the
 * bytes of its first line, in two bits each, and then a match one line long that draws the other
 * seven lines and opens the next row. Dark and light cost the same, so all codes of one size give
 * images of one size, and an image is a copied template with a few of its bits filled in.
 */
import { crc32 } from "node:zlib";

/** Pixels a module. */
export const scale = 8;
/** White modules around the code, as ISO 18004 asks. */
export const quietZone = 4;

/** A QR code's modules: 1 is dark. Column c of row r is bit c % 32 of word r * wordsPerRow + c / 32. */
export type ModuleRows = Int32Array;

export function wordsPerRow(size: number): number {
  return (size + 31) >> 5;
}

export function toModuleRows({
  size,
  data,
}: {
  size: number;
  data: ArrayLike<number>;
}): ModuleRows {
  const words = wordsPerRow(size);
  const rows = new Int32Array(size * words);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (data[row * size + column]) rows[row * words + (column >> 5)]! |= 1 << (column & 31);
    }
  }
  return rows;
}

export type PngWriter = {
  /** Bytes of each image. */
  readonly pngSize: number;
  /** @returns the image, in memory that the next call overwrites */
  write(rows: ModuleRows): Uint8Array;
};

const writers = new Map<number, PngWriter>();

/** @param size modules a side, 21 to 177 */
export function pngWriter(size: number): PngWriter {
  let writer = writers.get(size);
  if (!writer) writers.set(size, (writer = newPngWriter(size)));
  return writer;
}

/** What eight modules become; the index has a 1 for each light one, the first in the lowest bit. */
const octets = Uint32Array.from({ length: 256 }, (_, light) => {
  let [symbols, count, columns] = [0, 0, 0];
  for (let column = 0; column < 8; column++) {
    if (((light >> column) & 1) === 0) continue;
    // The symbol of a light module is 01, that of a dark one 00, the first bit lowest.
    symbols |= 0b10 << (2 * column);
    count += 1;
    columns += column;
  }
  return symbols | (count << 16) | (columns << 20);
});

function newPngWriter(size: number): PngWriter {
  const { template, firstRowAt, bitsPerRow, adlerAt, idatAt, crcAt } = layOut(size);
  const line = 1 + size + 2 * quietZone;
  const lines = (size + 2 * quietZone) * scale;
  const words = wordsPerRow(size);

  // Adler-32 of the image without a light module, and what one at (row, column) adds to its high
  // half: 255 times the bytes from each of its 8 lines to the end.
  const [darkLow, darkHigh] = adlerOfDark(size);
  const atOrigin = line * lines - (quietZone * scale + (scale - 1) / 2) * line - (1 + quietZone);
  const perRow = scale * line;

  const png = new Uint8Array(template.length);
  const view = new DataView(png.buffer);
  const checked = png.subarray(idatAt, crcAt);
  return {
    pngSize: template.length,
    write(rows) {
      png.set(template);
      let [light, rowSum, columnSum] = [0, 0, 0];
      for (let row = 0; row < size; row++) {
        let bit = firstRowAt + row * bitsPerRow;
        let lightOfRow = 0;
        for (let column = 0; column < size; column += 8) {
          const dark = rows[row * words + (column >> 5)]! >>> (column & 31);
          const inside = size - column >= 8 ? 0xff : (1 << (size - column)) - 1;
          const octet = octets[~dark & inside]!;
          const symbols = (octet & 0xffff) << (bit & 7);
          const at = bit >> 3;
          png[at]! |= symbols;
          png[at + 1]! |= symbols >> 8;
          png[at + 2]! |= symbols >> 16;
          bit += 16;
          const count = (octet >> 16) & 15;
          lightOfRow += count;
          columnSum += (octet >>> 20) + column * count;
        }
        light += lightOfRow;
        rowSum += row * lightOfRow;
      }
      const low = (darkLow + light * scale * 255) % adlerBase;
      const high =
        (darkHigh + scale * 255 * (light * atOrigin - rowSum * perRow - columnSum)) % adlerBase;
      view.setUint16(adlerAt, high);
      view.setUint16(adlerAt + 2, low);
      view.setUint32(crcAt, crc32(checked));
      return png;
    },
  };
}

const adlerBase = 65_521;

/** Both halves of the Adler-32 (RFC 1950) of a code of dark modules only, in its quiet zone. */
function adlerOfDark(size: number): [low: number, high: number] {
  let [low, high] = [1, 0];
  const add = (byte: number, count: number) => {
    for (let n = 0; n < count; n++) {
      low = (low + byte) % adlerBase;
      high = (high + low) % adlerBase;
    }
  };
  const width = size + 2 * quietZone;
  for (let y = 0; y < width * scale; y++) {
    const isQuiet = y < quietZone * scale || y >= (quietZone + size) * scale;
    add(0, 1);
    add(255, quietZone);
    add(isQuiet ? 255 : 0, size);
    add(255, quietZone);
  }
  return [low, high];
}

/** The image with the bits of all modules 0, and where its parts begin. */
function layOut(size: number) {
  const width = size + 2 * quietZone;
  const line = 1 + width;
  // Filter (0, none) and left quiet zone of a line, and what is left of it.
  const opening = 1 + quietZone;
  const quietLine = { length: line - opening, distance: 1 };
  const matches = {
    quietLine: [quietLine],
    above: repeat((quietZone * scale - 1) * line + opening, line),
    row: repeat(quietZone + (scale - 1) * line + opening, line),
    below: repeat((quietZone * scale - 1) * line, line),
  };
  // The last row of modules is followed by a quiet line, whose opening is the same.
  const uses = [
    ...Array.from({ length: size }, () => matches.row).flat(),
    ...matches.above,
    ...matches.below,
    ...matches.quietLine,
    ...matches.quietLine,
  ];
  const code = constantCode(uses);

  const header = Buffer.alloc(13);
  header.writeUInt32BE(width * scale, 0);
  header.writeUInt32BE(width * scale, 4);
  header[8] = 1;

  const deflate = new BitWriter();
  deflate.put(0x0178, 16); // zlib: deflate, window of 32 KB
  code.writeHeader(deflate);
  const put = (list: Match[]) => list.forEach((match) => code.writeMatch(deflate, match));
  code.writeByte(deflate, 0);
  for (let n = 0; n < quietZone; n++) code.writeByte(deflate, 255);
  put(matches.quietLine);
  put(matches.above);
  const firstRow = deflate.length;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) code.writeByte(deflate, 0);
    put(matches.row);
  }
  const bitsPerRow = (deflate.length - firstRow) / size;
  put(matches.quietLine);
  put(matches.below);
  code.writeEnd(deflate);
  const stream = deflate.bytes();

  const head = Buffer.concat([signature, chunk("IHDR", header)]);
  const template = Buffer.concat([
    head,
    chunk("IDAT", Buffer.concat([stream, Buffer.alloc(4)])),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  const streamAt = head.length + 8;
  return {
    template,
    firstRowAt: streamAt * 8 + firstRow,
    bitsPerRow,
    adlerAt: streamAt + stream.length,
    idatAt: head.length + 4,
    crcAt: streamAt + stream.length + 4,
  };
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

function chunk(type: string, content: Buffer): Buffer {
  const bytes = Buffer.alloc(content.length + 12);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, "latin1");
  content.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, content.length + 8)), content.length + 8);
  return bytes;
}

/** "Copy `length` bytes (3 to 258) from `distance` bytes before" (RFC 1951). */
type Match = { length: number; distance: number };

/** The matches that repeat the last `distance` bytes, `length` bytes in all. */
function repeat(length: number, distance: number): Match[] {
  const matches: Match[] = [];
  for (let left = length; left > 0; left -= matches.at(-1)!.length) {
    // No match is shorter than 3 bytes, so a rest of 1 or 2 borrows from the one before.
    const whole = left > 258 && left < 261 ? 255 : Math.min(left, 258);
    matches.push({ length: whole, distance });
  }
  return matches;
}

/**
 * A symbol of RFC 1951 for a number, and the bits that follow it: the numbers of a symbol share
 * their top bit and the `precision` bits after it.
 */
function ranged(number: number, precision: number) {
  const extraBits = Math.max(0, 31 - Math.clz32(number) - precision);
  return {
    symbol: (extraBits << precision) + (number >> extraBits),
    extraBits,
    extra: number & ((1 << extraBits) - 1),
  };
}

function lengthSymbol(length: number) {
  if (length === 258) return { symbol: 285, extraBits: 0, extra: 0 };
  const { symbol, ...extra } = ranged(length - 3, 2);
  return { symbol: 257 + symbol, ...extra };
}
const distanceSymbol = (distance: number) => ranged(distance - 1, 1);
const endOfBlock = 256;

/**
 * A Huffman code for the bytes 0 and 255 in two bits each, and for the given matches: the lengths
 * in 2, 3, 4 … bits by how often they are used, and two distances in one bit each.
 */
function constantCode(uses: Match[]) {
  const counts = new Map([[endOfBlock, 1]]);
  for (const { length } of uses) {
    const { symbol } = lengthSymbol(length);
    counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  }
  const byUse = [...counts].sort((a, b) => b[1] - a[1]).map(([symbol]) => symbol);
  const lengths = new Uint8Array(286);
  lengths[0] = lengths[255] = 2;
  byUse.forEach((symbol, rank) => (lengths[symbol] = Math.min(2 + rank, byUse.length)));
  const distances = new Uint8Array(30);
  for (const { distance } of uses) distances[distanceSymbol(distance).symbol] = 1;

  const symbols = canonicalCode(lengths);
  const distanceSymbols = canonicalCode(distances);
  return {
    writeByte: (out: BitWriter, byte: 0 | 255) => symbols.write(out, byte),
    writeEnd: (out: BitWriter) => symbols.write(out, endOfBlock),
    writeMatch(out: BitWriter, { length, distance }: Match) {
      const [howMany, howFar] = [lengthSymbol(length), distanceSymbol(distance)];
      symbols.write(out, howMany.symbol);
      out.put(howMany.extra, howMany.extraBits);
      distanceSymbols.write(out, howFar.symbol);
      out.put(howFar.extra, howFar.extraBits);
    },
    /** Opens the only block, a dynamic one, and describes the code in it. */
    writeHeader(out: BitWriter) {
      const used = trimmed(lengths);
      const usedDistances = trimmed(distances);
      out.put(1, 1); // last block
      out.put(2, 2); // dynamic Huffman
      out.put(used.length - 257, 5);
      out.put(usedDistances.length - 1, 5);
      out.put(orderOfLengths.length - 4, 4);
      for (const symbol of orderOfLengths) out.put(lengthsOfLengths[symbol]!, 3);
      const all = [...used, ...usedDistances];
      for (let at = 0; at < all.length;) {
        let zeros = 0;
        while (zeros < 138 && all[at + zeros] === 0) zeros++;
        if (zeros < 3) {
          codeOfLengths.write(out, all[at]!);
          at += 1;
          continue;
        }
        const isLong = zeros >= 11;
        codeOfLengths.write(out, isLong ? 18 : 17);
        if (isLong) out.put(zeros - 11, 7);
        else out.put(zeros - 3, 3);
        at += zeros;
      }
    },
  };
}

/** How code lengths themselves are written: 17 and 18 are runs of zeros. */
const lengthsOfLengths = new Uint8Array(19);
for (const length of [0, 1, 2, 3, 17, 18]) lengthsOfLengths[length] = 3;
for (const length of [4, 5, 6, 7]) lengthsOfLengths[length] = 4;
const codeOfLengths = canonicalCode(lengthsOfLengths);
/** RFC 1951's order, up to the last one that is used. */
const orderOfLengths = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1];

function trimmed(lengths: Uint8Array): Uint8Array {
  return lengths.subarray(0, 1 + lengths.findLastIndex((length) => length > 0));
}

/** The code that RFC 1951 derives from the lengths of its symbols. */
function canonicalCode(lengths: Uint8Array) {
  const codes = new Uint16Array(lengths.length);
  let next = 0;
  for (let length = 1; length <= 15; length++) {
    next <<= 1;
    lengths.forEach((of, symbol) => {
      if (of === length) codes[symbol] = next++;
    });
  }
  return {
    /** Codes go out from their highest bit on, unlike all else. */
    write(out: BitWriter, symbol: number) {
      for (let bit = lengths[symbol]! - 1; bit >= 0; bit--) out.put((codes[symbol]! >> bit) & 1, 1);
    },
  };
}

/** Fills bytes from their lowest bit on. */
class BitWriter {
  #bits: number[] = [];

  get length(): number {
    return this.#bits.length;
  }

  put(value: number, count: number): void {
    for (let bit = 0; bit < count; bit++) this.#bits.push((value >> bit) & 1);
  }

  bytes(): Buffer {
    const bytes = Buffer.alloc(Math.ceil(this.#bits.length / 8));
    this.#bits.forEach((bit, index) => (bytes[index >> 3]! |= bit << (index & 7)));
    return bytes;
  }
}
