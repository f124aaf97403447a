/**
 * Writes QR codes as PNGs, 1 bit a pixel and 8 pixels a module, so that a module is one byte of a
 * scan line. The deflate stream is laid out once for each matrix size: per row of modules the
 * bytes of its first line, in two bits each, and then a match one line long that draws the other
 * seven lines and opens the next row. Dark and light cost the same, so all codes of one size give
 * images of one size, and an image is a copied template with a few of its bits filled in.
 */
import { crc32, deflateSync } from "node:zlib";
import type { QRCode } from "qrcode";
import { BitWriter, fixedCode, repeat } from "./fixed-block-deflate";

/** Pixels a module. */
export const scale = 8;
/** White modules around the code, as ISO 18004 asks. */
export const quietZone = 4;

/** Bytes that open each line: its filter (0, none) and the quiet zone on the left. */
const opening = 1 + quietZone;

type Modules = Pick<QRCode["modules"], "size" | "data">;

/** The modules of a QR code, 1 for dark. Column c of row r is bit c % 32 of word r * wordsPerRow + c / 32. */
export type ModuleRows = Int32Array;

function wordsPerRow(size: number): number {
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

type PngWriter = {
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

/** Maps eight modules to their bits; the index has a 1 for each light one, the first in the lowest bit. */
const octets = Uint32Array.from({ length: 256 }, (_, light) => {
  let [symbols, count, columns] = [0, 0, 0];
  for (let column = 0; column < 8; column++) {
    if (((light >> column) & 1) === 0) continue;
    // The first symbols of the code: a dark module is 00, a light one 01, the first bit lowest.
    symbols |= 0b10 << (2 * column);
    count += 1;
    columns += column;
  }
  return symbols | (count << 16) | (columns << 20);
});

function newPngWriter(size: number): PngWriter {
  const { template, firstRowAt, bitsPerRow, adlerAt, checkedFrom, crcAt } = layOut(size);
  const line = 1 + size + 2 * quietZone;
  const lines = (size + 2 * quietZone) * scale;
  const words = wordsPerRow(size);

  // Adler-32 of the image without a light module, and what one at (row, column) adds to its high
  // half: 255 times the bytes from each of its 8 lines to the end.
  const [darkHigh, darkLow] = adlerOfDark(size);
  const atOrigin = line * lines - (quietZone * scale + (scale - 1) / 2) * line - opening;
  const perRow = scale * line;

  const png = new Uint8Array(template.length);
  const view = new DataView(png.buffer);
  const checked = png.subarray(checkedFrom, crcAt);
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
function adlerOfDark(size: number): [high: number, low: number] {
  const line = 1 + size + 2 * quietZone;
  const image = Buffer.alloc(line * (line - 1) * scale, 255);
  for (let at = 0; at < image.length; at += line) image[at] = 0;
  const modules = (from: number) => image.fill(0, from, from + size);
  for (let y = quietZone * scale; y < (quietZone + size) * scale; y++) modules(y * line + opening);
  const stream = deflateSync(image, { level: 0 });
  return [stream.readUInt16BE(stream.length - 4), stream.readUInt16BE(stream.length - 2)];
}

/** The image with the bits of all modules 0, and where its parts begin. */
function layOut(size: number) {
  const width = size + 2 * quietZone;
  const line = 1 + width;
  const restOfLine = [{ length: line - opening, distance: 1 }];
  const restAbove = repeat((quietZone * scale - 1) * line + opening, line);
  const restOfRow = repeat(quietZone + (scale - 1) * line + opening, line);
  const restBelow = repeat((quietZone * scale - 1) * line, line);
  const code = fixedCode([
    ...restOfLine,
    ...restAbove,
    ...Array.from({ length: size }, () => restOfRow).flat(),
    ...restOfLine,
    ...restBelow,
  ]);

  const stream = new BitWriter();
  stream.put(0x0178, 16); // zlib (RFC 1950): deflate with a window of 32 KB
  code.writeHeader(stream);
  code.writeByte(stream, 0);
  for (let n = 0; n < quietZone; n++) code.writeByte(stream, 255);
  code.writeMatches(stream, [...restOfLine, ...restAbove]);
  const firstRow = stream.length;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) code.writeByte(stream, 0);
    code.writeMatches(stream, restOfRow);
  }
  const bitsPerRow = (stream.length - firstRow) / size;
  code.writeMatches(stream, [...restOfLine, ...restBelow]);
  code.writeEnd(stream);
  const adler = Buffer.alloc(4);
  const content = Buffer.concat([stream.bytes(), adler]);

  const header = Buffer.alloc(13);
  header.writeUInt32BE(width * scale, 0);
  header.writeUInt32BE(width * scale, 4);
  header[8] = 1;
  const beginning = Buffer.concat([signature, chunk("IHDR", header)]);
  const template = Buffer.concat([
    beginning,
    chunk("IDAT", content),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  const contentAt = beginning.length + 8;
  const crcAt = contentAt + content.length;
  return {
    template,
    firstRowAt: contentAt * 8 + firstRow,
    bitsPerRow,
    adlerAt: crcAt - adler.length,
    checkedFrom: contentAt - 4,
    crcAt,
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
