import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ensureBuild } from "../../app/server/build.js";

type Route = { id: string; module: string; imports?: string[]; css?: string[] };

const isDemo = ({ id }: Route) => /^routes\/(app\._demo\.|products)/.test(id);
const filesOf = ({ module, imports = [], css = [] }: Route) => [module, ...imports, ...css];

test("the demo area has a manifest of its own, and costs other pages nothing", async () => {
  await ensureBuild();
  const folder = path.resolve(import.meta.dirname, "../../build/client/assets");
  const routesOf = (pattern: RegExp) => {
    const name = readdirSync(folder).find((file) => pattern.test(file))!;
    const text = readFileSync(path.join(folder, name), "utf8");
    const manifest = JSON.parse(/\{.*\}/s.exec(text)![0]) as { routes: Record<string, Route> };
    return Object.values(manifest.routes);
  };
  const routes = routesOf(/^manifest-\w+\.js$/);
  const own = new Set(routes.flatMap(filesOf));
  expect(routes.filter(isDemo)).toEqual([]);
  expect([...own].filter((file) => /\/demo-[\w-]+\.(js|css)$/.test(file))).toEqual([]);

  const all = routesOf(/^demo-manifest-\w+\.js$/);
  expect(all.filter((route) => !isDemo(route))).toEqual(routes);
  const demo = all.filter(isDemo);
  expect(demo.map(({ id }) => id.slice("routes/app._demo.".length)).sort()).toEqual([
    "charts.line",
    "extra.calendar",
    "extra.invoice",
    "grid",
    "ui.carousel",
    "ui.modal",
    "ui.modal.$dialog",
    "ui.notifications",
    "ui.progress",
  ]);
  for (const { module } of demo) expect(own).not.toContain(module);
});
