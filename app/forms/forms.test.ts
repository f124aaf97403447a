import { expect, test } from "vitest";
import { parseRecordId } from "./record-id";
import { fieldError, nameText } from "./fields";
import { isLongerThan, isStorableText, truncate } from "./storable-text";

test.each(["1", "42", "9007199254740993", "9223372036854775807"])("%s is an id", (text) => {
  expect(parseRecordId(text)).toBe(text);
});

test.each([
  "",
  "0",
  "-1",
  "01",
  "1.0",
  "1e3",
  " 1",
  "1 ",
  "0x10",
  "NaN",
  "١٢",
  "１２",
  "1\n",
  "9223372036854775808",
  "99999999999999999999",
  "1;drop table users",
  "../1",
  "1\0",
  null,
  undefined,
  1,
  ["1"],
  {},
])("%j is no id", (value) => {
  expect(parseRecordId(value)).toBeNull();
});

test("text that the database cannot hold is seen", () => {
  expect(isStorableText("Sommer 🍹 Ω")).toBe(true);
  expect(isStorableText("a\0b")).toBe(false);
  expect(isStorableText("a\ud800")).toBe(false);
  expect(isStorableText("\udf79a")).toBe(false);
});

test("length counts characters, not UTF-16 units", () => {
  expect(isLongerThan("🍹".repeat(200), 200)).toBe(false);
  expect(isLongerThan("🍹".repeat(200) + "a", 200)).toBe(true);
  expect(isLongerThan("a".repeat(201), 200)).toBe(true);
});

test.each([
  ["🍹🍹🍹", "🍹🍹"],
  ["a🍹b", "a🍹"],
  ["ab🍹", "ab"],
  ["a", "a"],
])("%s is truncated to two characters as %s", (text, expected) => {
  expect(truncate(text, 2)).toBe(expected);
});

test.each(["", " ", "\u200b", "\ufeff\u200d \u00a0", "\u2060\n"])("%j is no name", (text) => {
  expect(fieldError(nameText(), text)).toBe("Name is required");
});

test("a name is read on one line, whoever sends it on several", () => {
  expect(nameText().parse("Summer \r\n\r\nfair\n")).toBe("Summer fair");
});

test.each(["x", "👩\u200d👩", "\u{1fae9}", "می\u200cخواهم"])("%j is a name", (text) => {
  expect(fieldError(nameText(), text)).toBeNull();
});
