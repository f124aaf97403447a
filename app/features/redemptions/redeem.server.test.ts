import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { prepareStatement } from "../../db/connection.server";
import { redemptionStatement } from "./redeem.server";

/** Without comments, and with white space only where two words would become one. */
function tokensOf(sql: string): string {
  return sql
    .replace(/^\s*--.*$/gm, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([(),[\]]) ?/g, "$1")
    .trim();
}

test("redeem.sql is the statement that the server composes", () => {
  const file = readFileSync(path.join(import.meta.dirname, "redeem.sql"), "utf8");
  const { name, parameters, text } = redemptionStatement;
  const written = prepareStatement(name, parameters, file.replace(/^\s*--.*$/gm, ""));
  expect(tokensOf(written.text)).toBe(tokensOf(text));
});
