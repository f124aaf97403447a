import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";
import { ensureBuild } from "../../app/build-tools/build.js";
import { buildTools, runtimeFolders } from "../../app/build-tools/remove-build-tools.js";
import { variableNames } from "../../app/env.server";

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
  const heavy = [...buildTools, "rolldown", "typescript", "@babel/core"];
  expect(heavy.filter((name) => kept.has(`node_modules/${name}`))).toEqual([]);
});

/** Variables that the image sets, and those of a database that is not the one of compose.yaml. */
const notOfCompose = [
  ...["PORT", "HOST", "DATA_DIR", "DATA_VOLUME"],
  ...["DATABASE_POOLING", "DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL"],
];

test("compose passes every variable of the environment that doesn't belong to the image", () => {
  const [, environment] = /environment:\n((?: {6}.+\n)+)/.exec(read("compose.yaml"))!;
  const passed = [...environment!.matchAll(/^ {6}(\w+): (.+)$/gm)]
    .filter(([, name, value]) => name === "DATABASE_URL" || value!.startsWith(`\${${name}:`))
    .map(([, name]) => name!);
  expect(passed.sort()).toEqual(
    variableNames.filter((name) => !notOfCompose.includes(name)).sort(),
  );
});

test("README says which variables compose doesn't pass", () => {
  const [, unpassed] =
    /Compose passes the variables above on\s+from `\.env`, but not ([^:]+):/.exec(
      read("README.md"),
    )!;
  const ofDatabase = variableNames.filter((name) => name.startsWith("DATABASE_"));
  expect(ofDatabase).toHaveLength(4);
  expect(unpassed).toContain("the four of the database");
  expect([...unpassed!.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(
    notOfCompose.filter((name) => !ofDatabase.includes(name)),
  );
});

test("README names every variable of the environment", () => {
  const [, section] = /\n## Environment\n([^]+?)\n## /.exec(read("README.md"))!;
  expect(variableNames.filter((name) => !section!.includes(`\`${name}\``))).toEqual([]);
});

test("proxies wait longer for an answer than a statement that makes codes may take", () => {
  const seconds = (file: string, pattern: RegExp) => Number(pattern.exec(read(file))![1]);
  const statement = seconds(
    "app/features/mass-generations/insert-codes.server.ts",
    /statement_timeout = '(\d+)s'/,
  );
  expect(seconds("README.md", /proxy_read_timeout (\d+)s/)).toBeGreaterThan(statement);
  const haproxy = "tests/cluster/configuration/haproxy-console.cfg";
  expect(seconds(haproxy, /timeout server (\d+)s/)).toBeGreaterThan(statement);
  expect(seconds(haproxy, /timeout client (\d+)s/)).toBeGreaterThan(statement);
});
