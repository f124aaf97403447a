import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";
import { ensureBuild } from "../../app/build-tools/build.js";
import { buildTools, runtimeFolders } from "../../app/build-tools/remove-build-tools.js";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, object> };
const { dependencies } = JSON.parse(read("package.json")) as {
  dependencies: Record<string, string>;
};
const kept = runtimeFolders(packages, Object.keys(dependencies));

/** Packages that the built product imports, and the file that does. */
function importsOfBuild(): Map<string, string> {
  const folder = path.join(root, "build/server");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const found = new Map<string, string>();
  for (const file of files.filter((name) => name.endsWith(".js")))
    for (const [, name] of readFileSync(path.join(folder, file), "utf8").matchAll(
      /^(?:import|export) (?:[^"']*? from )?"((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[^"]*)?";|\bimport\("([^"./][^"]*)"\)/gm,
    ))
      if (name && !builtinModules.includes(name)) found.set(name, file);
  return found;
}

test("an image without build tools has every package that the product imports", async () => {
  await ensureBuild();
  const imported = importsOfBuild();
  expect(imported.size).toBeGreaterThan(30);
  const missing = [...imported].filter(([name]) => !kept.has(`node_modules/${name}`));
  expect(missing).toEqual([]);
});

test("an image has none of the build tools, and each of them is a dependency", () => {
  expect(buildTools.filter((name) => !(name in dependencies))).toEqual([]);
  const heavy = [...buildTools, "esbuild", "rollup", "typescript", "@babel/core"];
  expect(heavy.filter((name) => kept.has(`node_modules/${name}`))).toEqual([]);
});
