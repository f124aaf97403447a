import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { formatCode } from "../format/promotion";
import { findCode, noCodeMessage, normaliseCode } from "./typed-code";

const anyCode = fc
  .array(fc.constantFrom(..."23456789ABCDEFGHJKMNPQRSTUVWXYZ"), { minLength: 12, maxLength: 12 })
  .map((characters) => characters.join(""));

property.prop([anyCode])("what is shown can be typed back", (code) => {
  expect(normaliseCode(formatCode(code))).toBe(code);
  expect(normaliseCode(` ${formatCode(code).toLowerCase()} `)).toBe(code);
  expect(normaliseCode(formatCode(code).replaceAll("-", " – "))).toBe(code);
});

property.prop([fc.string({ unit: "binary", maxLength: 60 })])(
  "hostile text is a code or null",
  (text) => {
    const code = normaliseCode(text);
    if (code !== null) expect(code).toMatch(/^[2-9A-HJKMNP-Z]{12}$/);
  },
);

test.each(["", "0BCDEFGH2345", "ABCDEFGH234", "ABCDEFGH23456", "ABCDEFGH234\0", "ſ".repeat(12)])(
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

property.prop([anyCode, fc.constantFrom(...templates), fc.boolean()])(
  "what a QR image says is read back to its code, in either case",
  (code, template, isLower) => {
    const payload = template.replaceAll("{code}", code);
    expect(findCode(isLower ? payload.toLowerCase() : payload, template)).toBe(code);
    expect(findCode(` ${payload}\n`, template)).toBe(code);
  },
);

property.prop([anyCode])("a code that was printed under another address is found", (code) => {
  for (const template of templates.slice(0, 3)) {
    expect(findCode(template.replaceAll("{code}", code), "HTTPS://OTHER.EXAMPLE/{code}")).toBe(
      code,
    );
  }
});

property.prop([fc.string({ unit: "binary", maxLength: 700 }), fc.constantFrom(...templates)])(
  "hostile scans hold a code or none",
  (text, template) => {
    const code = findCode(text, template);
    if (code !== null) expect(code).toMatch(/^[2-9A-HJKMNP-Z]{12}$/);
    expect(noCodeMessage(text)).toMatch(/^A code has 12 characters and never 0, O, 1, I or L\./);
  },
);

test("a word of the address is not taken for the code behind it", () => {
  const template = "https://example.com/checkpayment/{code}";
  expect(findCode("https://example.com/checkpayment/ABCDEFGH2345", template)).toBe("ABCDEFGH2345");
  expect(findCode("https://example.com/checkpayment/ABCDEFGH2345", "{code}")).toBe("ABCDEFGH2345");
});

const compare = "compare it with the printed code.";
const rule = "A code has 12 characters and never 0, O, 1, I or L.";

test.each([
  ["ABCD-EFGH-2340", `${rule} This one has 0: ${compare}`],
  ["lbcd efgh 234o", `${rule} This one has L and O: ${compare}`],
  ["ABCD-EFGH-234", `${rule} This one has 11: ${compare}`],
  ["ABCDEFGH23456", `${rule} This one has 13: ${compare}`],
  ["", rule],
  ["Ünïcödé", rule],
  ["https://example.com/", rule],
])("%j: what is wrong with it", (text, sentence) => {
  expect(noCodeMessage(text)).toBe(sentence);
});
