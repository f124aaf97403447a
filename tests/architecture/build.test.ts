import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ensureBuild } from "../../app/build-tools/build.js";
import { color } from "#styles/tokens.css";

const assets = path.resolve(import.meta.dirname, "../../build/client/assets");

/** A circle among the built scripts leaves a name that is read before it has a value: no script runs. */
test("no built script imports itself by way of others", async () => {
  await ensureBuild();
  const scripts = readdirSync(assets).filter((name) => name.endsWith(".js"));
  const imports = new Map(
    scripts.map((name) => {
      const text = readFileSync(path.join(assets, name), "utf8");
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

test("closed details are closed by a style, for browsers that show all of them", async () => {
  await ensureBuild();
  const sheet = readdirSync(assets).find((name) => /^kit-.*\.css$/.test(name))!;
  const styles = readFileSync(path.join(assets, sheet), "utf8");
  const rule = "details:not([open])>:not(summary)";
  expect(styles).toContain(`}${rule}{display:none}`);
  // Elsewhere the browser closes them, so that it finds their text and opens them.
  expect(styles).toContain(`@supports (content-visibility: hidden){${rule}{display:revert}}`);
});

test("every colour but those of shadows stands as a literal before its variable, for browsers without variables", async () => {
  await ensureBuild();
  const sheets = readdirSync(assets).filter((name) => name.endsWith(".css"));
  expect(sheets.length).toBeGreaterThan(0);
  const names = Object.keys(color).map((name) =>
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );
  const usesColor = new RegExp(`var\\(--(${names.join("|")})\\)`);
  for (const sheet of sheets) {
    const styles = readFileSync(path.join(assets, sheet), "utf8");
    for (const [, block] of styles.matchAll(/\{([^{}]*)\}/g)) {
      const declarations = block!.split(";").map((text) => text.split(/:(.*)/s));
      declarations.forEach(([property, value = ""], index) => {
        if (/^(--|box-shadow$)/.test(property!) || !usesColor.test(value)) return;
        const [previous, literal = ""] = declarations[index - 1] ?? [];
        expect([previous, usesColor.test(literal)], block).toEqual([property, false]);
      });
    }
  }
});
