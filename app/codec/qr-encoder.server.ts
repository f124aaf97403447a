import { create, type QRCodeSegment } from "qrcode";
import { applyBestMask, largestMaskable, toModuleLines, type ModuleLines } from "./mask";
import { pngWriter, toModuleRows, type ModuleRows } from "./png-writer.server";
import { qrMatrix, qrPayload, qrSegments } from "./qr-image.server";

/** The characters of alphanumeric mode by their values. */
const alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
const valueOfCharacter = new Uint8Array(128);
for (const [value, character] of [...alphanumeric].entries()) {
  valueOfCharacter[character.charCodeAt(0)] = value;
}

/**
 * Two characters of an alphanumeric segment with at least one of a code's: the data holds 45 times
 * the value of the first plus that of the second in 11 bits. The last of an odd number of characters
 * is alone, its value in 6 bits; it is a pair whose first is 0.
 */
type Pair = { segment: number; at: number; bits: 6 | 11; first: number; second: number };

// The modules that a pair inverts are looked up by its low 6 and its high 5 bits, because one table for
// all 11 bits would not fit in the processor's caches.
const lowBits = 6;
const lowNumbers = 1 << lowBits;
const entriesOfPair = lowNumbers + (1 << (11 - lowBits));

/**
 * Computes the modules of a template's codes without building each QR code from scratch. Placement and
 * error correction are linear over GF(2): before masking, each bit of the data inverts a fixed set of
 * modules, whatever the other bits are. `qrcode` itself provides these sets, once for a template.
 * @param template whose codes have `size` modules a side, at most `largestMaskable`
 * @returns draws a code of `codeLength` alphanumeric characters: its rows and columns, in memory that the next
 *   call overwrites
 */
function linearCode(
  template: string,
  codeLength: number,
  size: number,
): (code: string) => ModuleLines {
  const { segments, pairs, values } = pairsWithCode(template, codeLength);
  const count = 2 * size;
  const unmasked = (probe: QRCodeSegment[]) =>
    toModuleLines(create(probe, { errorCorrectionLevel: "M", maskPattern: 0 }).modules);

  const zeros = pairs.reduce((probe, pair) => withNumber(probe, pair, 0), segments);
  const origin = unmasked(zeros);
  const table = new Int32Array(pairs.length * entriesOfPair * count);
  pairs.forEach((pair, index) => {
    for (let bit = 0; bit < pair.bits; bit++) {
      const inverted = unmasked(withNumber(zeros, pair, 1 << bit)).map(
        (line, n) => line ^ origin[n]!,
      );
      // Each number below this bit with it added. The first entry of both parts stays 0.
      const [from, one] = bit < lowBits ? [0, 1 << bit] : [lowNumbers, 1 << (bit - lowBits)];
      const lower = (index * entriesOfPair + from) * count;
      for (let at = lower; at < lower + one * count; at++) {
        table[at + one * count] = table[at]! ^ inverted[(at - lower) % count]!;
      }
    }
  });

  const lines = new Int32Array(count);
  return (code) => {
    for (let at = 0; at < codeLength; at++) values[at] = valueOfCharacter[code.charCodeAt(at)]!;
    lines.set(origin);
    let part = 0;
    for (const { first, second } of pairs) {
      const number = values[first]! * 45 + values[second]!;
      const low = part + (number & (lowNumbers - 1)) * count;
      const high = part + (lowNumbers + (number >> lowBits)) * count;
      for (let n = 0; n < count; n++) lines[n]! ^= table[low + n]! ^ table[high + n]!;
      part += entriesOfPair * count;
    }
    applyBestMask(lines, size);
    return lines;
  };
}

/**
 * Finds the characters of the code in a template's payload; qrSegments keeps them alphanumeric.
 * @returns pairs whose `first` and `second` are indices of `values`: there the code's come first,
 *   and then a 0 and those of the template's own characters beside the code's
 */
function pairsWithCode(template: string, codeLength: number) {
  // Two codes that differ in all characters, none of them used twice.
  const [sample, other] = [0, 1].map((first) => alphanumeric.slice(first, first + codeLength));
  const segments = qrSegments(qrPayload(sample!, template));
  const others = qrSegments(qrPayload(other!, template));
  const values = Array<number>(codeLength + 1).fill(0);
  const pairs: Pair[] = [];
  segments.forEach(({ mode, data }, segment) => {
    if (mode !== "alphanumeric") return;
    const otherData = String(others[segment]!.data);
    const valueIndex = (at: number) => {
      if (data[at] !== otherData[at]) return sample!.indexOf(String(data[at]));
      return values.push(alphanumeric.indexOf(data[at]!)) - 1;
    };
    for (let at = 0; at < data.length; at += 2) {
      if (data.slice(at, at + 2) === otherData.slice(at, at + 2)) continue;
      const isAlone = at + 1 === data.length;
      pairs.push({
        segment,
        at,
        bits: isAlone ? 6 : 11,
        first: isAlone ? codeLength : valueIndex(at),
        second: valueIndex(isAlone ? at : at + 1),
      });
    }
  });
  return { segments, pairs, values: Uint8Array.from(values) };
}

/** The segments with other characters in the place of a pair: those that its bits say. */
function withNumber(segments: QRCodeSegment[], { segment, at, bits }: Pair, number: number) {
  const text = String(segments[segment]!.data);
  const characters =
    bits === 6
      ? alphanumeric[number]!
      : alphanumeric[Math.floor(number / 45)]! + alphanumeric[number % 45]!;
  const data = text.slice(0, at) + characters + text.slice(at + characters.length);
  return segments.with(segment, { mode: "alphanumeric", data });
}

/**
 * Draws the codes of one length of a QR_PAYLOAD template, each exactly as qrPng would; all its images have the
 * same number of bytes. Throws a RangeError for anything but a code of so many letters and digits.
 */
type QrEncoder = {
  readonly pngSize: number;
  /** Fills `pngSize` bytes of the target from the offset on. */
  writePng(code: string, target: Uint8Array, offset: number): void;
  png(code: string): Buffer;
};

/** The encoders of the template that was used last, by the length of codes. */
let last: { template: string; encoders: Map<number, QrEncoder> } | undefined;

/**
 * Codes up to version 3 (an address of 44 characters with the code, or 61 in upper case) are drawn
 * some 40 times faster than larger ones, and than those that an address has no alphanumeric segment for.
 * @param template of QR_PAYLOAD, with `{code}` in it
 * @param codeLength at most 32
 */
export function qrEncoder(template: string, codeLength: number): QrEncoder {
  if (last?.template !== template) last = { template, encoders: new Map() };
  const encoder = last.encoders.get(codeLength) ?? newQrEncoder(template, codeLength);
  last.encoders.set(codeLength, encoder);
  return encoder;
}

function newQrEncoder(template: string, codeLength: number): QrEncoder {
  const form = new RegExp(`^[0-9A-Z]{${codeLength}}$`);
  const sample = qrPayload("0".repeat(codeLength), template);
  const { size } = qrMatrix(sample);
  const writer = pngWriter(size);
  const rowsOf: (code: string) => ModuleRows =
    size <= largestMaskable && hasAlphanumericCode(template, codeLength)
      ? linearCode(template, codeLength, size)
      : (code) => toModuleRows(qrMatrix(qrPayload(code, template)));
  const draw = (code: string): Uint8Array => {
    if (!form.test(code)) throw new RangeError(`Not a code: ${code}`);
    return writer.write(rowsOf(code));
  };
  return {
    pngSize: writer.pngSize,
    writePng(code, target, offset) {
      target.set(draw(code), offset);
    },
    png: (code) => Buffer.from(draw(code)),
  };
}

/** Tells whether no part of a code is encoded as bytes, which codes of fewer than 12 characters may be. */
function hasAlphanumericCode(template: string, codeLength: number): boolean {
  const bytesOf = (code: string) =>
    qrSegments(qrPayload(code, template))
      .filter(({ mode }) => mode === "byte")
      .map(({ data }) => String(data));
  return bytesOf("0".repeat(codeLength)).join() === bytesOf("1".repeat(codeLength)).join();
}
