/**
 * Changes to libraries and styles while building. Each one fails the build, or a test of weights, when the
 * library is no longer as it was.
 */
import { readdirSync } from "node:fs";
import type { AcceptedPlugin } from "postcss";
import { transformWithEsbuild, type Plugin } from "vite";
import { light, lightAccents } from "../../styles/palettes";

/**
 * Remix reloads the page when a route's script can't be loaded, and without a connection everything
 * entered is lost. Instead it says so to `ui/connection/keep-page`.
 */
export const keepPageOnMissingScript: Plugin = {
  name: "keep-page-on-missing-script",
  transform(code, id) {
    if (!id.endsWith("@remix-run/react/dist/esm/routeModules.js")) return null;
    const reload = /window\.location\.reload\(\);\s*return new Promise\(\(\) => \{[^}]*\}\);/;
    if (!reload.test(code)) this.error("Remix loads the scripts of routes in another way now.");
    return code
      .replace(/console\.error\(.*\);/g, "")
      .replace(
        reload,
        "routeModulesCache[route.id] = await window.loadRouteScriptAgain(route.module); return routeModulesCache[route.id];",
      );
  },
};

/**
 * Marks for the discovery of routes, which remix.config.js switches off: Remix writes one into each link and form.
 */
export const leaveOutDiscovery: Plugin = {
  name: "leave-out-discovery",
  transform(code, id) {
    if (!id.endsWith("@remix-run/react/dist/esm/components.js")) return null;
    const mark = /"data-discover": [^\n]*\n/g;
    if (code.match(mark)?.length !== 3)
      this.error("Remix marks links for discovery in another way now.");
    return code.replace(mark, "");
  },
};

/** Without `h`, because `h1` is an element. */
const fileLetters = [..."abcdefgijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/**
 * Returns a function that names styles by a letter of their file and a number within it: 'tC' instead of '_7i55ae1c'.
 * The library finds names anywhere in a selector, so no name may be a part of a word or of another name: the second
 * sign is a digit or a letter of the other case, and names with a longer number have `_` between the two.
 * Files are counted in the order of their paths, and styles in the order in which a file defines them, so that the
 * builds of server and browser agree.
 */
export function shortNames(): (style: { filePath: string; hash: string }) => string {
  const files = ["app", "styles"]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => file.endsWith(".css.ts"))
    .sort();
  const stylesOf = new Map(files.map((file): [string, string[]] => [file, []]));
  return ({ filePath, hash }) => {
    const letter = fileLetters[files.indexOf(filePath)];
    const styles = stylesOf.get(filePath);
    if (!styles) throw new Error(`${filePath} is not among the files with styles.`);
    if (!letter) throw new Error("There are more files with styles than letters.");
    if (!styles.includes(hash)) styles.push(hash);
    const number = styles.indexOf(hash).toString(36);
    const isUpperCase = letter < "a";
    return letter + (number[1] ? "_" : "") + (isUpperCase ? number : number.toUpperCase());
  };
}

/** The colours of the default theme by their variables, as `styles/tokens.css.ts` names them. */
const literals = new Map(
  Object.entries({ ...light, ...lightAccents.default }).map(([name, value]) => [
    `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    value.toLowerCase(),
  ]),
);

/**
 * Puts each colour as it is in the light default theme before its variable, for browsers without variables. All are
 * written in one way, so that they compress.
 */
export const literalColors: AcceptedPlugin = {
  postcssPlugin: "literal-colors",
  Once(root) {
    root.walkDecls((declaration) => {
      const { prop } = declaration;
      const value = declaration.value.replace(/#[0-9A-F]{6}\b/g, (hex) => hex.toLowerCase());
      declaration.value = value;
      if (prop.startsWith("--")) declaration.raws.between = ":";
      const literal = value.replace(/var\((--[\w-]+)\)/g, (use, name) => literals.get(name) ?? use);
      if (literal !== value && !prop.startsWith("--")) declaration.cloneBefore({ value: literal });
    });
  },
};

/**
 * Remix builds its tree of routes for every page, and its router flattens and ranks all of them, compiles the
 * pattern of each and tries one after the other, several times a request, and each link works out where it
 * stands: a third of the time of a small page.
 * On the server the routes never change, so these places remember what they have built. They also remember the
 * text of a loader's JSON, which is parsed again for the page, and copy a request only to change its URL.
 */
const rememberedPlaces: Record<string, [from: string, to: string][]> = {
  "@remix-run/router/dist/router.js": [
    [
      "let branches = flattenRoutes(routes);\n  rankRouteBranches(branches);",
      `const branches = remember(routes, "ranked", () => {
        const ranked = flattenRoutes(routes);
        rankRouteBranches(ranked);
        return ranked;
      });`,
    ],
    [
      "function matchRoutesImpl(",
      `function matchRoutesImpl(routes, location, ...options) {
        const key = ["matches", location.pathname ?? location, ...options].join();
        return remember(routes, key, () => findMatches(routes, location, ...options));
      }
      function findMatches(`,
    ],
    [
      "return new Response(JSON.stringify(data), _extends({}, responseInit, {\n    headers\n  }));",
      `const text = JSON.stringify(data);
      const response = new Response(text, { ...responseInit, headers });
      remember(response, "text", () => text);
      return response;`,
    ],
    [
      "data = await result.json();",
      'data = JSON.parse(await remember(result, "text", () => result.text()));',
    ],
    [
      "compilePath(pattern.path, pattern.caseSensitive, pattern.end)",
      "remember(remember, [pattern.caseSensitive, pattern.end, pattern.path].join(), () => $&)",
    ],
  ],
  "@remix-run/server-runtime/dist/esm/data.js": [
    [
      'let indexValues = url.searchParams.getAll("index");',
      'if (!url.searchParams.has("index")) return request;\n  $&',
    ],
    [
      'url.searchParams.delete("_data");',
      'if (!url.searchParams.has("_data")) return request;\n  $&',
    ],
  ],
  "@remix-run/server-runtime/dist/esm/server.js": [
    [
      "createEntryRouteModules(build.routes)",
      'remember(build.routes, "modules", () => createEntryRouteModules(build.routes))',
    ],
  ],
  "@remix-run/react/dist/esm/server.js": [
    [
      "createServerRoutes(manifest.routes, routeModules, context.future, context.isSpaMode)",
      'remember(manifest.routes, "routes", () => $&)',
    ],
  ],
  "react-router/dist/index.js": [
    [
      "JSON.stringify(UNSAFE_getResolveToMatches(matches, future.v7_relativeSplatPath));\n  return",
      `remember(matches, "paths", () =>
        JSON.stringify(UNSAFE_getResolveToMatches(matches, future.v7_relativeSplatPath)));
      return`,
    ],
  ],
  "react-router-dom/server.mjs": [
    [
      "let manifest = {};\n  let dataRoutes = UNSAFE_convertRoutesToDataRoutes(routes, UNSAFE_mapRouteProperties, undefined, manifest);",
      'let [dataRoutes, manifest] = remember(routes, "data", () => { $&\n  return [dataRoutes, manifest]; });',
    ],
  ],
};

export const rememberRoutes: Plugin = {
  name: "remember-routes",
  transform(code, id) {
    const file = Object.keys(rememberedPlaces).find((name) => id.endsWith(`/node_modules/${name}`));
    if (!file) return null;
    let changed = code;
    for (const [from, to] of rememberedPlaces[file]!) {
      if (!code.includes(from)) this.error(`${file} builds its routes in another way now.`);
      changed = changed.replace(from, to);
    }
    return `${changed}
const memory = new WeakMap();
function remember(owner, name, make) {
  if (!memory.has(owner)) memory.set(owner, new Map());
  const values = memory.get(owner);
  if (values.size > 500) values.clear();
  if (!values.has(name)) values.set(name, make());
  return values.get(name);
}`;
  },
};

/** The text of a function of this module is part of every page. */
export const shortScrollScript: Plugin = {
  name: "short-scroll-script",
  transform(code, id) {
    const isIts = id.endsWith("@remix-run/react/dist/esm/scroll-restoration.js");
    return isIts ? transformWithEsbuild(code, id, { minify: true }) : null;
  },
};

/**
 * Parts that browsers load and never run, or that they need only a little of: single fetch and lazy route
 * discovery, which remix.config.js switches off, a page for an app without a server, one for an app that shows no
 * errors of its own, a general reader of paths,
 * and a hook that React 18 has.
 */
const replacements: Record<string, string> = {
  "@remix-run/react/dist/esm/single-fetch.js": `
    export const StreamTransfer = () => null;
    export const decodeViaTurboStream = null, getSingleFetchDataStrategy = null, singleFetchUrl = null;`,
  "@remix-run/react/dist/esm/fog-of-war.js": `
    export const isFogOfWarEnabled = () => false;
    export const getPatchRoutesOnNavigationFunction = () => undefined;
    export const useFogOFWarDiscovery = () => {};
    export const getPartialManifest = null, fetchAndApplyManifestPatches = null;`,
  "@remix-run/react/dist/esm/fallback.js":
    "export const RemixRootDefaultHydrateFallback = () => null;",
  "@remix-run/react/dist/esm/errorBoundaries.js": `
    import { Component, createElement } from "react";
    export const RemixRootDefaultErrorBoundary = () =>
      createElement("html", { lang: "en" }, createElement("body", null,
        "Something went wrong. Load the page again."));
    export const BoundaryShell = ({ children }) => children;
    export class RemixErrorBoundary extends Component {
      state = { error: this.props.error || null, location: this.props.location };
      static getDerivedStateFromError = (error) => ({ error });
      static getDerivedStateFromProps = ({ error, location }, state) =>
        ({ error: error || (state.location === location && state.error) || null, location });
      render() {
        return this.state.error ? createElement(RemixRootDefaultErrorBoundary) : this.props.children;
      }
    }`,
  "lodash.get/index.js": `
    export default (object, path) =>
      path.split(/[.[\\]]+/).reduce((value, key) => (key === "" ? value : value?.[key]), object);`,
  "use-sync-external-store/shim/index.js": `module.exports = require("react");`,
};

/** Sends browsers less of the libraries. */
export const leaveOutUnused: Plugin = {
  name: "leave-out-unused",
  enforce: "pre",
  load(id) {
    const file = Object.keys(replacements).find((name) => id.endsWith(`/node_modules/${name}`));
    return file ? replacements[file] : null;
  },
  // No loader is deferred: nothing reads an answer in sections.
  transform(code, id) {
    if (!id.endsWith("/node_modules/@remix-run/react/dist/esm/data.js")) return null;
    const reader = /const DEFERRED_VALUE_PLACEHOLDER_PREFIX[^]*(?=\nexport \{)/;
    if (!reader.test(code))
      this.error("@remix-run/react reads deferred answers in another way now.");
    return code.replace(reader, "const parseDeferredReadableStream = null;");
  },
};

/**
 * Modules `*.static.tsx` render pages that are never hydrated: browsers get none of their code. A client
 * navigation to such a page loads its document.
 */
export const leaveOutStaticPages: Plugin = {
  name: "leave-out-static-pages",
  enforce: "pre",
  load(id) {
    return id.endsWith(".static.tsx")
      ? "export default () => (window.location.reload(), null);"
      : null;
  },
};
