import { randomBytes } from "node:crypto";
import { crc32, inflateSync } from "node:zlib";
import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { pngWriter, toModuleRows } from "./png-writer.server";

const versions = Array.from({ length: 40 }, (_, index) => index + 1);

/** The chunks of a PNG, their checksums checked. */
function chunksOf(png: Buffer): { type: string; content: Buffer }[] {
  const chunks = [];
  for (let at = 8; at < png.length;) {
    const end = at + 8 + png.readUInt32BE(at);
    expect(png.readUInt32BE(end)).toBe(crc32(png.subarray(at + 4, end)));
    chunks.push({
      type: png.toString("latin1", at + 4, at + 8),
      content: png.subarray(at + 8, end),
    });
    at = end + 4;
  }
  return chunks;
}

/** The image of random modules, and the modules. */
function drawRandom(size: number): { png: Buffer; data: Uint8Array } {
  const data = randomBytes(size * size).map((byte) => byte & 1);
  return { png: draw(size, data), data };
}

function draw(size: number, data: Uint8Array): Buffer {
  return Buffer.from(pngWriter(size).write(toModuleRows({ size, data })));
}

test.each(versions)("version %i: the lines are the modules in their quiet zone", (version) => {
  const size = 17 + 4 * version;
  const width = size + 8;
  for (const { png, data } of [drawRandom(size), drawRandom(size)]) {
    expect(png.length).toBe(pngWriter(size).pngSize);
    const chunks = chunksOf(png);
    expect(chunks.map(({ type }) => type)).toEqual(["IHDR", "IDAT", "IEND"]);
    // A filter (0, none) and a byte for each module, 255 where it is light.
    const expected = Buffer.alloc((1 + width) * width * 8, 255);
    for (let y = 0; y < width * 8; y++) {
      const line = y * (1 + width);
      const row = (y >> 3) - 4;
      expected[line] = 0;
      if (row < 0 || row >= size) continue;
      for (let column = 0; column < size; column++) {
        if (data[row * size + column]) expected[line + 5 + column] = 0;
      }
    }
    // Inflating fails when the stream or its checksum is wrong.
    expect(inflateSync(chunks[1]!.content).equals(expected)).toBe(true);
  }
});

test.each([0, 1])("modules that are all %i are an image of the same size", (module) => {
  const png = draw(21, new Uint8Array(441).fill(module));
  expect(png.length).toBe(pngWriter(21).pngSize);
  const lines = inflateSync(chunksOf(png)[1]!.content);
  expect(lines.filter((byte) => byte === 0).length).toBe(29 * 8 + module * 441 * 8);
});

test.each([1, 3, 20])("version %i: another reader sees a square of 1 bit a pixel", (version) => {
  const size = 17 + 4 * version;
  const { width, height, depth } = PNG.sync.read(drawRandom(size).png) as PNG & { depth: number };
  expect([width, height, depth]).toEqual([(size + 8) * 8, (size + 8) * 8, 1]);
});
