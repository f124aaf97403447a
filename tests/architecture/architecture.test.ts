import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { screenAt } from "../../app/screens";
import { featureOrder } from "./features";

const root = path.resolve(import.meta.dirname, "../..");

/** Which part may import which; a part may always import itself. The picture is in app/README.md. */
const arrows: Record<string, string> = {
  server:
    "http features embedded-postgres db env errors nonce styles metrics format remix codec build-tools",
  "build-tools": "embedded-postgres styles",
  "embedded-postgres": "db env errors",
  codec: "",
  entry: "server nonce ui format errors dialog-routes remix",
  "dialog-routes": "routes ui remix",
  root: "http ui styles nonce paths forms",
  routes: "screens http codec features ui forms lists format styles errors paths env db demo remix",
  http: "features codec forms lists format errors paths env db metrics remix",
  features: "codec services db env ui forms lists format errors paths styles metrics",
  services: "env errors",
  db: "env errors",
  demo: "http ui forms lists format styles errors paths env db",
  ui: "styles forms lists format paths nonce remix",
  styles: "",
  forms: "remix screens format errors",
  screens: "paths ui",
  lists: "forms remix",
  remix: "",
  format: "",
  errors: "",
  paths: "",
  nonce: "",
  metrics: "",
  env: "format",
};

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(full) : [full];
  });
}

const sources = [...filesBelow(path.join(root, "app")), ...filesBelow(path.join(root, "styles"))]
  .filter((file) => /\.(ts|tsx|js)$/.test(file) && !/\.(test|spec)\.tsx?$/.test(file))
  .map((file) => path.relative(root, file));
const known = new Set(sources);

function resolveImport(from: string, target: string): string | undefined {
  const base = target.startsWith("#styles/")
    ? target.replace("#styles/", "styles/")
    : target.startsWith(".")
      ? path.join(path.dirname(from), target)
      : undefined;
  if (!base) return undefined;
  return ["", ".ts", ".tsx", ".js"].map((ending) => base + ending).find((file) => known.has(file));
}

type Import = { from: string; to: string; isType: boolean };
const imports: Import[] = sources.flatMap((from) => {
  const text = readFileSync(path.join(root, from), "utf8");
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^;'"]*?from\s+["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)/g,
  );
  return [...found].flatMap((match) => {
    const to = resolveImport(from, (match[2] ?? match[3])!);
    return to ? [{ from, to, isType: Boolean(match[1]) }] : [];
  });
});

function partOf(file: string): string {
  const [top, second = ""] = file.split("/");
  if (top === "styles") return "styles";
  return second.split(".")[0]!;
}

describe("the arrows of app/README.md", () => {
  test("every import points along an arrow", () => {
    const breaches = imports.filter(
      ({ from, to }) =>
        partOf(from) !== partOf(to) && !arrows[partOf(from)]?.split(" ").includes(partOf(to)),
    );
    expect(breaches.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test("every part of app has its arrows stated", () => {
    expect([...new Set(sources.map(partOf))].filter((part) => !(part in arrows))).toEqual([]);
  });

  test("a feature imports only features to its left", () => {
    const feature = (file: string) => /^app\/features\/([^/]+)\//.exec(file)?.[1];
    const breaches = imports.filter(({ from, to }) => {
      const [a, b] = [feature(from), feature(to)];
      return a && b && a !== b && featureOrder.indexOf(b) > featureOrder.indexOf(a);
    });
    expect(breaches.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test("nobody imports a route of another folder; parts of several routes have folders of their own", () => {
    const routeFolder = (file: string) => /^app\/routes\/([^/]+)/.exec(file)?.[1];
    const isPart = (file: string) =>
      routeFolder(file)!.startsWith("_") && !known.has(`app/routes/${routeFolder(file)}/route.tsx`);
    const breaches = imports.filter(
      ({ from, to }) =>
        routeFolder(to) &&
        routeFolder(from) !== routeFolder(to) &&
        !(routeFolder(from) && isPart(to)),
    );
    expect(breaches.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test("the demo area can be removed: nothing but the shell imports it, for its entry", () => {
    const isDemo = (file: string) => file.startsWith("app/demo/");
    const importers = imports.filter(({ from, to }) => isDemo(to) && !isDemo(from));
    expect(importers.map(({ from, to }) => `${from} -> ${to}`)).toEqual([
      "app/routes/app/route.tsx -> app/demo/demo.server.ts",
    ]);
  });

  test("only its migrations, its variable and its entry are spoken of outside the demo area", () => {
    const speakers = sources.filter(
      (file) =>
        !file.startsWith("app/demo/") && /demo/i.test(readFileSync(path.join(root, file), "utf8")),
    );
    expect(speakers.sort()).toEqual([
      "app/build-tools/dev.js",
      "app/db/baseline.server.ts",
      "app/db/migrate.server.ts",
      "app/env.server.ts",
      "app/routes/app/route.tsx",
    ]);
  });

  test("the demo area uses only what is common to all features", () => {
    const common = /^(app\/(demo|ui|forms|lists|format|db|errors|paths|env)\b|styles\/)/;
    const http =
      /^app\/http\/(guards|answers|sessions|cookies|messages|form-action|confirm-route|list|api|file-response)\.server/;
    const breaches = imports.filter(
      ({ from, to }) => from.startsWith("app/demo/") && !common.test(to) && !http.test(to),
    );
    expect(breaches.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test("there is no cycle", () => {
    const next = new Map<string, string[]>();
    for (const { from, to, isType } of imports)
      if (!isType) next.set(from, [...(next.get(from) ?? []), to]);
    const done = new Set<string>();
    const walk = (file: string, trail: string[]): string[] | undefined => {
      if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
      if (done.has(file)) return undefined;
      for (const target of next.get(file) ?? []) {
        const cycle = walk(target, [...trail, file]);
        if (cycle) return cycle;
      }
      done.add(file);
      return undefined;
    };
    for (const file of sources) expect(walk(file, [])).toBeUndefined();
  });
});

describe("names and files", () => {
  test("no barrel and no name that says nothing", () => {
    const empty = /(^|\/)(index|utils?|helpers?|lib|shared|common|misc|hooks)(\/|\.[a-z]+$)/;
    expect(sources.filter((file) => empty.test(file.replace(/^app\/routes\//, "")))).toEqual([]);
    const barrels = sources.filter((file) =>
      /^export \* from/m.test(readFileSync(path.join(root, file), "utf8")),
    );
    expect(barrels).toEqual([]);
  });

  test("route modules have at most 150 lines, other files 300", () => {
    const long = sources.filter((file) => {
      const lines = readFileSync(path.join(root, file), "utf8").split("\n").length - 1;
      return lines > (/^app\/routes\/.*route\.tsx?$/.test(file) ? 150 : 300);
    });
    expect(long).toEqual([]);
  });

  test("each screen without a title of its own is in the table of screens", () => {
    const paths = sources
      .filter((file) => /^app\/routes\/.*route\.tsx$/.test(file))
      .filter((file) => {
        const source = readFileSync(path.join(root, file), "utf8");
        return source.includes("pageMeta();") && !source.includes("nameOf");
      })
      .map((file) => file.replace(/^app\/routes\/|\/route\.tsx$/g, "").replaceAll("_", ""))
      .map((folder) => `/${folder.replaceAll(".", "/")}`);
    expect(paths.filter((address) => screenAt(address)?.path !== address)).toEqual([]);
  });

  test("process.env is read in one place", () => {
    const readers = sources.filter(
      (file) =>
        /process\.env\b/.test(readFileSync(path.join(root, file), "utf8")) &&
        !/^app\/(env\.server\.ts|build-tools\/(dev|build|bundle)\.js)$/.test(file),
    );
    expect(readers).toEqual([]);
  });

  test("no loader defers data, which a patch leaves out of browsers", () => {
    const deferring = sources.filter((file) =>
      /\bdefer\(|<Await\b/.test(readFileSync(path.join(root, file), "utf8")),
    );
    expect(deferring).toEqual([]);
  });

  test("only one folder touches the internals of Remix and its router", () => {
    const internals = /__remix|\b_data\b|\bwindow\.fetch\b/;
    const users = sources.filter(
      (file) =>
        internals.test(readFileSync(path.join(root, file), "utf8")) &&
        !file.startsWith("app/remix/"),
    );
    expect(users).toEqual([]);
  });

  test("colours and pixels of screens come from tokens", () => {
    const raw = sources.filter(
      (file) =>
        /^app\/(routes|features)\/.*\.css\.ts$/.test(file) &&
        /#[0-9a-fA-F]{3,8}\b|\b\d+px\b/.test(readFileSync(path.join(root, file), "utf8")),
    );
    expect(raw).toEqual([]);
  });

  test("the top level is the agreed one", () => {
    const agreed = new Set(
      (
        "package.json package-lock.json remix.config.js vite.config.ts vitest.config.ts tsconfig.json " +
        "eslint.config.js app migrations public styles tests README.md CHANGELOG.md LICENSE " +
        "Dockerfile compose.yaml " +
        "node_modules build test-results"
      ).split(" "),
    );
    const found = readdirSync(root).filter((name) => !name.startsWith("."));
    expect(found.filter((name) => !agreed.has(name))).toEqual([]);
    expect(statSync(path.join(root, "app/routes")).isDirectory()).toBe(true);
  });
});
