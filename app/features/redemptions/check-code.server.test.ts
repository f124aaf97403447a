import { expect, test } from "vitest";
import { codeAlphabet } from "../promotions/code";
import { similarCodes } from "./check-code.server";

test("a code with one or two characters taken for others is among them", () => {
  expect(similarCodes("A8CDEFGH2345")).toEqual(
    expect.arrayContaining(["ABCDEFGH2345", "A8CDEFGHZ345", "ABCDEFGH234S"]),
  );
  expect(similarCodes("a8cd-efgh-2345")).toEqual(similarCodes("A8CDEFGH2345"));
});

test("characters that no code has may have been any other", () => {
  const one = similarCodes("ABCDEFGH234O");
  for (const character of codeAlphabet) expect(one).toContain(`ABCDEFGH234${character}`);
  expect(similarCodes("ABCDEFGHI34O")).toContain("ABCDEFGHX34Y");
});

test("imported codes have characters that look alike", () => {
  expect(similarCodes("SUMMER2O")).toContain("SUMMER20");
  expect(similarCodes("LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL").length).toBeLessThan(3_000);
});

test.each(["", "ABCD", "A".repeat(33), "ABCDEFGH234Ü"])("%j is too far from any code", (text) => {
  expect(similarCodes(text)).toEqual([]);
});

test("nothing but codes come of it, none twice, and not so many that looking them up is work", () => {
  const most = similarCodes("8B5S2Z6GUV7T");
  expect(new Set(most).size).toBe(most.length);
  expect(most.length).toBeLessThan(200);
  for (const code of most) expect(code).toMatch(/^[0-9A-Z]{12}$/);
});
