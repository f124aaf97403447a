import { randomBytes } from "node:crypto";
import jsQR from "jsqr";
import { PNG } from "pngjs";
import { create } from "qrcode";
import { describe, expect, test } from "vitest";
import { generateCodes } from "../features/promotions/code";
import { qrImageTag, qrMatrix, qrPayload, qrPng, qrSvg } from "./qr-image.server";

const codes = generateCodes(8, randomBytes);
const templates = ["{code}", "HTTPS://EXAMPLE.COM/R/{code}", "https://promo.example/r/{code}"];

describe.each(templates)("with the payload %s", (template) => {
  test("an independent reader gets exactly the payload", () => {
    for (const code of codes) {
      const { data, width, height } = PNG.sync.read(qrPng(qrPayload(code, template)));
      expect(jsQR(new Uint8ClampedArray(data), width, height)?.data).toBe(
        qrPayload(code, template),
      );
    }
  });

  test("the image is 1 bit deep, at most 400 bytes, and the same each time", () => {
    for (const code of codes) {
      const png = qrPng(qrPayload(code, template));
      expect(png.length).toBeLessThanOrEqual(400);
      expect([png[24], png[25]]).toEqual([1, 0]);
      expect(png.equals(qrPng(qrPayload(code, template)))).toBe(true);
    }
  });
});

test("the matrix is the one that qrcode makes in alphanumeric mode", () => {
  for (const code of codes) {
    const expected = create([{ data: code, mode: "alphanumeric" }], { errorCorrectionLevel: "M" });
    expect(qrMatrix(code).data).toEqual(expected.modules.data);
    expect(expected.version).toBe(1);
  }
});

test("more error correction can be asked for", () => {
  expect(qrMatrix(codes[0]!, "L").size).toBe(21);
  expect(qrMatrix(codes[0]!, "M").data).toEqual(qrMatrix(codes[0]!).data);
  expect(qrMatrix(codes[0]!, "Q").data).not.toEqual(qrMatrix(codes[0]!).data);
  expect(qrMatrix(codes[0]!, "H").size).toBe(25);
});

test("large payloads are images too", () => {
  const payload = "https://example.com/" + "ä".repeat(500);
  const { data, width, height } = PNG.sync.read(qrPng(payload));
  expect(jsQR(new Uint8ClampedArray(data), width, height)?.data).toBe(payload);
});

test("the tag follows the content", () => {
  expect(qrImageTag("ABCDEFGH2345")).toBe(qrImageTag("ABCDEFGH2345"));
  expect(qrImageTag("ABCDEFGH2345")).not.toBe(qrImageTag("ABCDEFGH2346"));
});

test("the drawing has exactly the dark modules, and is a picture of its own", () => {
  const payload = "ABCDEFGH2345";
  const svg = qrSvg(payload).toString();
  const { size, data } = qrMatrix(payload);
  expect(svg).toContain(`viewBox="0 0 ${size + 8} ${size + 8}"`);
  const drawn = new Uint8Array(size * size);
  for (const [, x, y, run] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    drawn.fill(
      1,
      (Number(y) - 4) * size + Number(x) - 4,
      (Number(y) - 4) * size + Number(x) - 4 + Number(run),
    );
  expect([...drawn]).toEqual([...data].map(Number));
  expect(qrImageTag(payload, "svg")).not.toBe(qrImageTag(payload, "png"));
});
