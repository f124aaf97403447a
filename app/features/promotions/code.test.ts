import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { normaliseCode } from "../../forms/code-input";
import { codeAlphabet, codeLength, generateCodes } from "./code";

test("the alphabet has 31 characters and none that is confused with another", () => {
  expect(new Set(codeAlphabet).size).toBe(31);
  expect(codeAlphabet).not.toMatch(/[0O1IL]/);
});

test("100,000 codes are unique, well-formed and evenly spread", () => {
  const codes = generateCodes(100_000, randomBytes);
  expect(codes).toHaveLength(100_000);
  expect(new Set(codes).size).toBe(100_000);
  expect(codes.filter((code) => normaliseCode(code) !== code)).toEqual([]);
  const expected = 100_000 / codeAlphabet.length;
  for (let place = 0; place < codeLength; place++) {
    const seen = new Map<string, number>();
    for (const { [place]: character } of codes)
      seen.set(character!, (seen.get(character!) ?? 0) + 1);
    expect([...seen.keys()].sort().join("")).toBe(codeAlphabet);
    const distances = [...seen.values()].map((count) => (count - expected) ** 2 / expected);
    // 30 degrees of freedom: a fair source passes 97 once in 10^8 runs; taking bytes modulo 31
    // without rejection scores above 400.
    expect(distances.reduce((sum, distance) => sum + distance)).toBeLessThan(97);
  }
});

test("bytes that would favour a character are not used", () => {
  const source = [248, 249, 255, ...Array.from({ length: 12 }, () => 0)];
  let served = 0;
  const [code] = generateCodes(1, (size) =>
    Uint8Array.from({ length: size }, () => source[served++ % source.length]!),
  );
  expect(code).toBe("222222222222");
});

test("codes of a pattern have its prefix and its length", () => {
  const codes = generateCodes(1_000, randomBytes, { prefix: "IGLOO0", length: 17 });
  expect(new Set(codes).size).toBe(1_000);
  const form = new RegExp(`^IGLOO0[${codeAlphabet}]{11}$`);
  expect(codes.filter((code) => !form.test(code))).toEqual([]);
});
