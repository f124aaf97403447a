import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { create } from "qrcode";
import { describe, expect, test } from "vitest";
import { decodeQr } from "../../tests/support/decode-qr";
import { repetitions } from "../../tests/support/repetitions";
import { codeAlphabet, codeLength, generateCodes } from "../features/promotions/code";
import { qrEncoder } from "./qr-encoder.server";
import { qrMatrix, qrPayload, qrPng } from "./qr-image.server";
import { property } from "../../tests/support/property";

const extremes = [..."027AZ"].map((character) => character.repeat(codeLength));

describe.each([
  [1, "{code}"],
  [2, "HTTPS://EXAMPLE.COM/R/{code}"],
  [2, "HTTPS://EXAMPLE.COM/RR/{code}"],
  [2, "{code}/{code}"],
  [3, "https://promo.example/r/{code}"],
  [3, "https://promo.example/r?c={code}"],
  [1, "r/{code}"],
  [3, "https://x.example/{code}/go"],
  [2, "grüße {code}"],
  [4, "https://promo.example/campaigns/summer/r/{code}"],
  [7, `https://promo.example/${"a".repeat(80)}/{code}`],
])("version %i: %s", (version, template) => {
  const encoder = qrEncoder(template, codeLength);
  const codes = [
    ...extremes,
    ...generateCodes(version > 3 ? 60 : repetitions(60, 500), randomBytes),
  ];

  test("every image is the one that qrPng draws of the payload", () => {
    const differing = codes.filter(
      (code) => !encoder.png(code).equals(qrPng(qrPayload(code, template))),
    );
    expect(differing).toEqual([]);
    expect(encoder.png(codes[0]!)).toHaveLength(encoder.pngSize);
  });

  test("an independent reader gets exactly the payload", () => {
    for (const code of codes.slice(-repetitions(1, 3))) {
      expect(decodeQr(encoder.png(code))).toBe(qrPayload(code, template));
    }
  });

  test("codes are no larger than with the shortest segments that qrcode finds", () => {
    const payload = qrPayload("ABCDEFGHJKLM", template);
    expect(qrMatrix(payload).size).toBe(17 + 4 * version);
    const shortest = create(payload, { errorCorrectionLevel: "M" });
    expect(version).toBeLessThanOrEqual(shortest.version);
  });
});

property([fc.string({ maxLength: 12 }), fc.string({ unit: "grapheme", maxLength: 12 })], {
  numRuns: repetitions(5, 25),
})("any template is drawn as qrPng draws its payloads", (before, after) => {
  const template = `${before}{code}${after}`;
  for (const code of generateCodes(5, randomBytes)) {
    expect(qrEncoder(template, codeLength).png(code)).toEqual(qrPng(qrPayload(code, template)));
  }
});

property(
  [
    fc
      .integer({ min: 8, max: 32 })
      .chain((length) => fc.stringMatching(new RegExp(`^[0-9A-Z]{${length}}$`))),
    fc.constantFrom(
      "{code}",
      "HTTPS://EXAMPLE.COM/R/{code}",
      "https://x.example/{code}/go",
      "c{code}",
    ),
  ],
  { numRuns: repetitions(20, 100) },
)("codes of 8 to 32 characters are drawn as qrPng draws their payloads", (code, template) => {
  const encoder = qrEncoder(template, code.length);
  expect(encoder.png(code)).toEqual(qrPng(qrPayload(code, template)));
  expect(decodeQr(encoder.png(code))).toBe(qrPayload(code, template));
});

test("codes are what promotions make", () => {
  expect(codeAlphabet).toMatch(/^[0-9A-Z]+$/);
});

test.each(["", "ABCDEFGH234", "ABCDEFGH23456", "ABCDEFGH234a", "ABCDEFGH234Ä", "ABCD EFGH234"])(
  "%j is no code",
  (text) => {
    for (const template of ["{code}", `https://promo.example/${"a".repeat(80)}/{code}`]) {
      expect(() => qrEncoder(template, codeLength).png(text)).toThrow(RangeError);
    }
  },
);

test("an image is written where it is asked for, and nothing beside it", () => {
  const encoder = qrEncoder("{code}", codeLength);
  const target = new Uint8Array(encoder.pngSize + 20).fill(7);
  encoder.writePng("ABCDEFGH2345", target, 10);
  expect(Buffer.from(target.subarray(10, -10))).toEqual(encoder.png("ABCDEFGH2345"));
  expect([...target.subarray(0, 10), ...target.subarray(-10)]).toEqual(Array(20).fill(7));
});

test("encoders of other templates don't disturb one that is kept", () => {
  const templates = ["{code}", "https://promo.example/r/{code}"];
  const encoders = templates.map((template) => qrEncoder(template, codeLength));
  for (const code of generateCodes(20, randomBytes)) {
    encoders.forEach((encoder, index) => {
      expect(encoder.png(code)).toEqual(qrPng(qrPayload(code, templates[index]!)));
    });
  }
});
