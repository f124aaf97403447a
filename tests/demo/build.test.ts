import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ensureBuild } from "../../app/build-tools/build.js";

type Route = { id: string; module: string; imports?: string[]; css?: string[] };

const isDemo = ({ id }: Route) => id.startsWith("demo/");
const filesOf = ({ module, imports = [], css = [] }: Route) => [module, ...imports, ...css];

test("the pages of the product load no file of the demo area", async () => {
  await ensureBuild();
  const folder = path.resolve(import.meta.dirname, "../../build/client/assets");
  const name = readdirSync(folder).find((file) => /^manifest-\w+\.js$/.test(file))!;
  const text = readFileSync(path.join(folder, name), "utf8");
  const manifest = JSON.parse(/\{.*\}/s.exec(text)![0]) as { routes: Record<string, Route> };
  const routes = Object.values(manifest.routes);
  const product = new Set(routes.filter((route) => !isDemo(route)).flatMap(filesOf));
  const demo = routes.filter(isDemo);
  expect(demo.length).toBeGreaterThan(0);
  for (const { module } of demo) expect(product).not.toContain(module);
  expect([...product].filter((file) => /\/demo-[\w-]+\.(js|css)$/.test(file))).toEqual([]);
});
