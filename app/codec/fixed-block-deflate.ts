/**
 * Writes deflate streams (RFC 1951) of two byte values and fixed matches, so that the length of a
 * stream doesn't depend on the order of the bytes.
 */

/** "Copy `length` bytes (3 to 258) from `distance` bytes before" (RFC 1951). */
type Match = { length: number; distance: number };

/** Returns matches that repeat the last `distance` bytes, `length` bytes in all. */
export function repeat(length: number, distance: number): Match[] {
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
export function fixedCode(uses: Match[]) {
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
    writeMatches(out: BitWriter, matches: Match[]) {
      for (const { length, distance } of matches) {
        const [howMany, howFar] = [lengthSymbol(length), distanceSymbol(distance)];
        symbols.write(out, howMany.symbol);
        out.put(howMany.extra, howMany.extraBits);
        distanceSymbols.write(out, howFar.symbol);
        out.put(howFar.extra, howFar.extraBits);
      }
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

/** Derives a code from the lengths of its symbols, as RFC 1951 prescribes. */
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
    /** Writes a symbol. Codes start with their highest bit, all other values with their lowest. */
    write(out: BitWriter, symbol: number) {
      for (let bit = lengths[symbol]! - 1; bit >= 0; bit--) out.put((codes[symbol]! >> bit) & 1, 1);
    },
  };
}

/** Fills bytes from their lowest bit on. */
export class BitWriter {
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
