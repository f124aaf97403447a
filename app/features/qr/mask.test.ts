import { randomBytes } from "node:crypto";
import { create, type QRCodeMaskPattern } from "qrcode";
import { expect, test } from "vitest";
import { applyBestMask } from "./mask";
import { toModuleLines } from "./module-rows";

test.each([1, 2, 3])("version %i gets the mask that qrcode chooses", (version) => {
  const make = (data: Buffer, maskPattern?: QRCodeMaskPattern) =>
    create([{ data, mode: "byte" }], { version, errorCorrectionLevel: "M", maskPattern });
  const chosen = new Set<number | undefined>();
  const uniform = [0x00, 0xff, 0x55, 0xaa].map((byte) => Buffer.alloc(14, byte));
  for (const data of [...uniform, ...Array.from({ length: 600 }, () => randomBytes(14))]) {
    const expected = make(data);
    const lines = toModuleLines(make(data, 0).modules);
    applyBestMask(lines, expected.modules.size);
    expect(lines).toEqual(toModuleLines(expected.modules));
    chosen.add(expected.maskPattern);
  }
  expect(chosen.size).toBe(8);
});
