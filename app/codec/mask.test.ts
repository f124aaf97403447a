import { createHash } from "node:crypto";
import { create, type QRCodeMaskPattern } from "qrcode";
import { expect, test } from "vitest";
import { repetitions } from "../../tests/support/repetitions";
import { applyBestMask, toModuleLines } from "./mask";

/** Returns pseudo-random bytes that are the same in every run, so that every mask occurs. */
function noise(seed: number, size: number): Buffer {
  return createHash("shake256", { outputLength: size }).update(`${seed}`).digest();
}

test.each([
  [1, 14],
  [2, 26],
  [3, 42],
])("version %i gets the mask that qrcode chooses", (version, size) => {
  const make = (data: Buffer, maskPattern?: QRCodeMaskPattern) =>
    create([{ data, mode: "byte" }], { version, errorCorrectionLevel: "M", maskPattern });
  const chosen = new Set<number | undefined>();
  const uniform = [0x00, 0xff, 0x55, 0xaa].map((byte) => Buffer.alloc(size, byte));
  for (const data of [
    ...uniform,
    ...Array.from({ length: repetitions(300, 600) }, (_, seed) => noise(seed, size)),
  ]) {
    const expected = make(data);
    const lines = toModuleLines(make(data, 0).modules);
    applyBestMask(lines, expected.modules.size);
    expect(lines).toEqual(toModuleLines(expected.modules));
    chosen.add(expected.maskPattern);
  }
  expect(chosen.size).toBe(8);
});
