import fc from "fast-check";
import { expect, test } from "vitest";
import { readCsv as readAll } from "../../tests/support/read-csv";
import { csvLine, unguardedText } from "./csv.server";
import { CsvError, readCsv } from "./csv-reader.server";
import { property } from "../../tests/support/property";

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size)
    yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function rowsOf(file: string | Buffer, size = 5) {
  const rows = [];
  for await (const piece of readCsv(inPieces(Buffer.from(file), size))) rows.push(...piece);
  return rows;
}

const cellsOf = async (file: string | Buffer, size?: number) =>
  (await rowsOf(file, size)).map(({ cells }) => cells);

const cell = fc.string({ unit: fc.constantFrom(...'ab",;\r\n\t é'), maxLength: 8 });

property([
  fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 5 }),
  fc.integer({ min: 1, max: 40 }),
])("reads what is written, in whatever pieces it arrives", async (rows, size) => {
  const file = csvLine(["x", "y", "z"]) + rows.map(csvLine).join("");
  expect(await cellsOf(file, size)).toEqual(readAll(file));
});

const formula = fc.string({ unit: fc.constantFrom(..."=-＠'\",;\r\n\t a"), maxLength: 8 });

property([fc.array(formula, { minLength: 2, maxLength: 2 })])(
  "texts are read as they were before an apostrophe was put before formulas",
  async (cells) => {
    const [, read] = await cellsOf(csvLine(["x", "y"]) + csvLine(cells), 1_000);
    expect(read!.map(unguardedText)).toEqual(cells);
  },
);

test("rows have the numbers of their lines, and empty lines are left out", async () => {
  expect(await rowsOf('a,b\r\n\r\n"1\n2",3\n4,5')).toEqual([
    { line: 1, cells: ["a", "b"] },
    { line: 3, cells: ["1\n2", "3"] },
    { line: 5, cells: ["4", "5"] },
  ]);
});

test.each([",", ";", "\t"])(
  "cells are separated by %j, also below an empty line",
  async (separator) => {
    const file = `\r\ncode${separator}name\nA${separator}"x,;\ty"\n`;
    expect(await cellsOf(file)).toEqual([
      ["code", "name"],
      ["A", "x,;\ty"],
    ]);
  },
);

test.each([
  ["sep=;\r\n", ";"],
  ['\ufeff"SEP=;"\n', ";"],
  ["sep=,\n", ","],
  ["sep=\t\r\n", "\t"],
  ["sep=|\n", "|"],
])("a first line %j names the separator and is no row", async (firstLine, separator) => {
  const file = `${firstLine}code${separator}"a;b,c"\nsep=;${separator}1`;
  expect(await rowsOf(file, 1)).toEqual([
    { line: 2, cells: ["code", "a;b,c"] },
    { line: 3, cells: separator === ";" ? ["sep=", "", "1"] : ["sep=;", "1"] },
  ]);
});

test("a byte order mark is no part of the first cell", async () => {
  expect(await cellsOf("\ufeffcode\nä\n", 1)).toEqual([["code"], ["ä"]]);
});

test.each([
  ["Latin-1", Buffer.from("name\nKäse\n", "latin1")],
  ["UTF-16", Buffer.from("\ufeffname\n", "utf16le")],
])("%s is refused with what to do", async (_, file) => {
  await expect(rowsOf(file)).rejects.toThrow(/^This file is not encoded as UTF-8/);
});

test("a quote that is never closed doesn't fill the memory", async () => {
  const file = `a,b\n"${"x".repeat(70_000)}`;
  await expect(rowsOf(file, 1_000)).rejects.toThrow(CsvError);
});

test("a file without a line feed is refused before it fills the memory", async () => {
  let sent = 0;
  async function* oldMacFile() {
    for (; sent < 1_000_000; sent += 1_000) yield await Promise.resolve(Buffer.alloc(1_000, "a\r"));
  }
  await expect(readCsv(oldMacFile()).next()).rejects.toThrow(CsvError);
  expect(sent).toBeLessThan(70_000);
});

test("a file in UTF-16 without a mark is refused as one that is not UTF-8", async () => {
  const reading = rowsOf(Buffer.from("code,name\nA,B\n", "utf16le"), 3);
  await expect(reading).rejects.toThrow("This file is not encoded as UTF-8.");
});

test("a file whose lines end with carriage returns alone is refused with what to do", async () => {
  await expect(rowsOf('"code",name\rA,B\r', 3)).rejects.toThrow(
    "The lines of this file end with carriage returns alone. Save it as 'CSV UTF-8', and upload it again.",
  );
});
