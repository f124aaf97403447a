import { expect, test } from "vitest";
import type { DomainError } from "../../../errors";
import { readPattern, toPatternInput } from "./code-pattern.server";

const read = (code_prefix: string, code_length = "") => readPattern({ code_prefix, code_length });

test.each([
  ["", "", null],
  [" sum-mer ", "", { prefix: "SUMMER", length: 18 }],
  ["SUMMER", "17", { prefix: "SUMMER", length: 17 }],
  ["", "11", { prefix: "", length: 11 }],
  ["A".repeat(21), "", { prefix: "A".repeat(21), length: 32 }],
])("prefix %j and length %j", (prefix, length, pattern) => {
  expect(read(prefix, length)).toEqual(pattern);
  if (pattern) expect(readPattern(toPatternInput(pattern))).toEqual(pattern);
});

test.each([
  ["SÜMMER", "", "code_prefix", "Prefix must have at most 21 letters and digits"],
  ["straße", "", "code_prefix", "Prefix must have at most 21 letters and digits"],
  ["A".repeat(22), "", "code_prefix", "Prefix must have at most 21 letters and digits"],
  ["SÜMMER", "5", "code_length", "Length must be a whole number from 11 to 32"],
  ["test", "20", "code_prefix", "Test codes begin with TEST. Choose another prefix"],
  ["SUMMER", "16", "code_length", "Length must be a whole number from 17 to 32"],
  ["", "33", "code_length", "Length must be a whole number from 11 to 32"],
  ["", "many", "code_length", "Length must be a whole number from 11 to 32"],
])("refuses prefix %j and length %j", (prefix, length, field, message) => {
  expect(() => read(prefix, length)).toThrow();
  try {
    read(prefix, length);
  } catch (cause) {
    expect((cause as DomainError).fields[field]).toContain(message);
  }
});
