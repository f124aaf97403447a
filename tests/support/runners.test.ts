import path from "node:path";
import { expect, test } from "vitest";
import { splitByRunner } from "./runners.js";

const split = (...names: string[]) =>
  splitByRunner(names, path.resolve(import.meta.dirname, "../.."));

test("a folder with tests and specs goes to both runners", () => {
  expect(split("tests/demo")).toEqual({ tests: ["tests/demo"], specs: ["tests/demo"] });
  expect(split("tests")).toEqual({ tests: ["tests"], specs: ["tests"] });
});

test("a folder with tests or specs alone goes to their runner", () => {
  expect(split("tests/http", "tests/browser/", "app/format")).toEqual({
    tests: ["tests/http", "app/format"],
    specs: ["tests/browser/"],
  });
});

test("a file goes to its runner, and a beginning of names to vitest", () => {
  expect(split("tests/demo/demo.spec.ts", "tests/demo/store.test.ts", "tests/domain/ma")).toEqual({
    tests: ["tests/demo/store.test.ts", "tests/domain/ma"],
    specs: ["tests/demo/demo.spec.ts"],
  });
});
