import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ensureBuild } from "../../app/server/build.js";

/** A circle among the built scripts leaves a name that is read before it has a value: no script runs. */
test("no built script imports itself by way of others", async () => {
  await ensureBuild();
  const folder = path.resolve(import.meta.dirname, "../../build/client/assets");
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const imports = new Map(
    scripts.map((name) => {
      const text = readFileSync(path.join(folder, name), "utf8");
      return [name, [...text.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)].map(([, to]) => to!)];
    }),
  );
  expect([...imports.values()].flat().length).toBeGreaterThan(scripts.length);

  const done = new Set<string>();
  const circles: string[] = [];
  const follow = (name: string, trail: string[]) => {
    if (trail.includes(name)) circles.push([...trail.slice(trail.indexOf(name)), name].join(" → "));
    if (trail.includes(name) || done.has(name)) return;
    for (const target of imports.get(name) ?? []) follow(target, [...trail, name]);
    done.add(name);
  };
  for (const name of scripts) follow(name, []);
  expect(circles).toEqual([]);
});
