import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCode } from "../format/promotion";
import { findCode, findCodeEnd, misreadMessage, noCodeMessage, normaliseCode } from "./code-input";
import { anyText, property } from "../../tests/support/property";

const anyCode = fc
  .array(fc.constantFrom(..."23456789ABCDEFGHJKMNPQRSTUVWXYZ"), { minLength: 12, maxLength: 12 })
  .map((characters) => characters.join(""));
const importedCode = fc.stringMatching(/^[0-9A-Z]{8,32}$/);

property([fc.oneof(anyCode, importedCode)])("what is shown can be typed back", (code) => {
  expect(normaliseCode(formatCode(code))).toBe(code);
  expect(normaliseCode(` ${formatCode(code).toLowerCase()} `)).toBe(code);
  expect(normaliseCode(formatCode(code).replaceAll("-", " – "))).toBe(code);
});

test.each([
  "\u200eABCD-EFGH-JKMN",
  "\u202aABCD-EFGH-JKMN\u202c",
  "ABCD\u00adEFGH\u00adJKMN",
  "ABCDEFGHJKMN\u200b",
  "https://example.com/r/ABCDEF\u00adGHJKMN",
])("%j is read without its invisible characters", (text) => {
  expect(findCode(text, "HTTPS://EXAMPLE.COM/R/{code}")).toBe("ABCDEFGHJKMN");
  expect(findCodeEnd("\u200e••••-••••-JKMN\u200b")).toBe("JKMN");
});

property([anyText({ maxLength: 60 })])("hostile text is a code or null", (text) => {
  const code = normaliseCode(text);
  if (code !== null) expect(code).toMatch(/^[0-9A-Z]{8,32}$/);
});

test.each(["", "ABCDEFG", "A".repeat(33), "ABCDEFGH234\0", "ABCDEFGH234Ä", "ſ".repeat(12)])(
  "%j is no code",
  (text) => {
    expect(normaliseCode(text)).toBeNull();
  },
);

const templates = [
  "{code}",
  "HTTPS://EXAMPLE.COM/R/{code}",
  "https://example.com/redeem?c={code}&from=qr",
  "DRINKS{code}END",
];

property([anyCode, fc.constantFrom(...templates), fc.boolean()])(
  "what a QR image says is read back to its code, in either case",
  (code, template, isLower) => {
    const payload = template.replaceAll("{code}", code);
    expect(findCode(isLower ? payload.toLowerCase() : payload, template)).toBe(code);
    expect(findCode(` ${payload}\n`, template)).toBe(code);
  },
);

property([importedCode, fc.constantFrom(...templates.slice(1, 3)), fc.boolean()])(
  "the QR image of an imported code is read back to it, in either case",
  (code, template, isLower) => {
    const payload = template.replaceAll("{code}", code);
    expect(findCode(isLower ? payload.toLowerCase() : payload, template)).toBe(code);
  },
);

property([anyCode])("a code that was printed under another address is found", (code) => {
  const earlier = [...templates.slice(0, 3), "https://promo2025.example.com/SUMMER2025/{code}"];
  for (const template of earlier) {
    expect(findCode(template.replaceAll("{code}", code), "HTTPS://OTHER.EXAMPLE/{code}")).toBe(
      code,
    );
  }
});

property([
  fc.oneof(anyCode, importedCode),
  fc.constantFrom("utm_source=newsletter1", "fbclid=IwAR2mailchimp9_ABCDEFGHJKMN-aem"),
])("a code is found in its address as it is shared, with what was added to it", (code, added) => {
  for (const [template, joint] of [
    ["HTTPS://EXAMPLE.COM/R/{code}", "?"],
    ["https://example.com/redeem?c={code}", "&"],
    ["https://example.com/r/{code}", "#"],
  ] as const) {
    const address = template.replace("{code}", code);
    expect(findCode(`${address}${joint}${added}`, template)).toBe(code);
  }
});

property([anyCode])("an own code is found in any address that is shared", (code) => {
  expect(findCode(`https://example.com/r/${code}?utm_source=newsletter1`, "{code}")).toBe(code);
});

property([anyText({ maxLength: 700 }), fc.constantFrom(...templates)])(
  "hostile scans hold a code or none",
  (text, template) => {
    const code = findCode(text, template);
    if (code !== null) expect(code).toMatch(/^[0-9A-Z]{8,32}$/);
    expect(noCodeMessage(text)).toMatch(/^A code has 8 to 32 letters and digits\./);
  },
);

test("a word of the address is not taken for the code behind it", () => {
  for (const code of ["ABCDEFGH2345", "SUMMER2024", "WELCOMEDRINK"]) {
    const address = `https://example.com/checkpayment/${code}`;
    expect(findCode(address, "https://example.com/checkpayment/{code}")).toBe(code);
    expect(findCode(address, "{code}")).toBe(code);
  }
});

test.each([
  "Code: ABCD-EFGH-JKMN",
  "(abcd–efgh–jkmn)",
  "https://example.com/r/ABCD-EFGH-JKMN",
  "ABCD-EFGH-JKMN.",
])("%j: a code in groups is found in a longer text", (text) => {
  expect(findCode(text, "HTTPS://EXAMPLE.COM/R/{code}")).toBe("ABCDEFGHJKMN");
});

test("words of a sentence are no codes", () => {
  for (const text of ["Christmas specials, everywhere", "Now: high-time-with (7)"])
    expect(findCode(text, "{code}")).toBeNull();
});

const compare = "compare it with the printed code.";
const rule = "A code has 8 to 32 letters and digits.";

test.each([
  ["ABCD-234", `${rule} This one has 7: ${compare}`],
  ["A".repeat(33), `${rule} This one has 33: ${compare}`],
  ["", rule],
  ["Ünïcödé", rule],
  ["https://example.com/", rule],
])("%j: what is wrong with it", (text, message) => {
  expect(noCodeMessage(text)).toBe(message);
});

test("characters that no code has which was made here are named", () => {
  expect(misreadMessage("LBCDEFGH2340")).toContain("This one has L and 0: compare it");
  expect(misreadMessage("ABCDEFGH2345")).toBeNull();
  expect(misreadMessage("LBCDEFGH")).toBeNull();
});
