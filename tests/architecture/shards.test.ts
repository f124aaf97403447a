import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { splitByRunner } from "../support/runners.js";

const root = path.resolve(import.meta.dirname, "../..");

/** Arguments that each shard of the workflow gives to `npm test --`. */
function readShards(): string[][] {
  const workflow = readFileSync(path.join(root, ".github/workflows/ci.yml"), "utf8");
  const [, list] = /^ {8}shard:\n((?: {10}- .*\n)+)/m.exec(workflow)!;
  return list!
    .trim()
    .split("\n")
    .map((line) => line.replace(/^ *- /, "").split(" "));
}

test("the shards of the workflow are every test, each once", () => {
  const tests = ["app", "styles", "tests"]
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((name) => /\.(test|spec)\.tsx?$/.test(name) && !/^tests\/(soak|cluster)\//.test(name));
  const shards = readShards().map((starts) => splitByRunner(starts, root));
  const shardsOf = (name: string) =>
    shards.filter(({ tests: ofVitest, specs }) =>
      (name.endsWith(".spec.ts") ? specs : ofVitest).some((start) => name.includes(start)),
    );
  expect(tests.length).toBeGreaterThan(200);
  expect(tests.filter((name) => shardsOf(name).length !== 1)).toEqual([]);
});

test("the workflow names no file or folder that doesn't exist", () => {
  const missing = readShards()
    .flat()
    .filter((name) => !existsSync(path.join(root, name)));
  expect(missing).toEqual([]);
});
