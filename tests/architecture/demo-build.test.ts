import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { ensureBuild } from "../../app/server/build.js";

type Route = { id: string; module: string; imports?: string[]; css?: string[] };

const isDemo = ({ id }: Route) => /^routes\/(app\._demo\.|products)/.test(id);
const filesOf = ({ module, imports = [], css = [] }: Route) => [module, ...imports, ...css];

test("the demo area costs other pages nothing but its routes in the manifest", async () => {
  await ensureBuild();
  const folder = path.resolve(import.meta.dirname, "../../build/client/assets");
  const name = readdirSync(folder).find((file) => /^manifest-\w+\.js$/.test(file))!;
  const text = readFileSync(path.join(folder, name), "utf8");
  const manifest = JSON.parse(/\{.*\}/s.exec(text)![0]) as { routes: Record<string, Route> };

  const routes = Object.values(manifest.routes);
  const own = new Set(routes.filter((route) => !isDemo(route)).flatMap(filesOf));
  expect(
    routes
      .filter(isDemo)
      .map(({ id }) => id.slice("routes/app._demo.".length))
      .sort(),
  ).toEqual([
    "charts.line",
    "ecommerce.management_.create",
    "ecommerce.management_.edit.$productId",
    "extra.calendar",
    "grid",
    "ui.modal",
    "ui.modal.$dialog",
    "ui.progress",
  ]);
  for (const { module } of routes.filter(isDemo)) expect(own).not.toContain(module);
  expect([...own].filter((file) => /\/demo-[\w-]+\.(js|css)$/.test(file))).toEqual([]);

  const others = Object.fromEntries(
    routes.flatMap((route) => (isDemo(route) ? [] : [[route.id, route]])),
  );
  const weigh = (value: object) => brotliCompressSync(JSON.stringify(value)).length;
  const growth = weigh(manifest) - weigh({ ...manifest, routes: others });
  expect(growth).toBeLessThanOrEqual(1.5 * 1024);
});
