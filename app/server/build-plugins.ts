/**
 * Changes to libraries and styles while building. Each one fails the build, or a test of weights, when the
 * library is no longer as it was.
 */
import type { AcceptedPlugin } from "postcss";
import type { Plugin } from "vite";
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

/** The colours of the default theme by their variables, as `styles/tokens.css.ts` names them. */
const literals = new Map(
  Object.entries({ ...light, ...lightAccents.default }).map(([name, value]) => [
    `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    value,
  ]),
);

/** Puts each colour as it is in the light default theme before its variable, for browsers without variables. */
export const literalColors: AcceptedPlugin = {
  postcssPlugin: "literal-colors",
  Once(root) {
    root.walkDecls((declaration) => {
      const { prop, value } = declaration;
      const literal = value.replace(/var\((--[\w-]+)\)/g, (use, name) => literals.get(name) ?? use);
      if (literal !== value && !prop.startsWith("--")) declaration.cloneBefore({ value: literal });
    });
  },
};

/**
 * The router flattens and ranks all routes and compiles the pattern of each for every match, several times a
 * request, which took a sixth of the time of a small page. Here it remembers both.
 */
export const rememberRoutes: Plugin = {
  name: "remember-routes",
  transform(code, id) {
    if (!id.endsWith("@remix-run/router/dist/router.js")) return null;
    const ranked = "let branches = flattenRoutes(routes);\n  rankRouteBranches(branches);";
    const compiled = "let [matcher, compiledParams] = compilePath(";
    if (!code.includes(ranked) || !code.includes(compiled))
      this.error("The router ranks its routes in another way now.");
    return `${code
      .replace(ranked, "const branches = rankedRoutes(routes);")
      .replace(compiled, "let [matcher, compiledParams] = compiledPath(")}
const rankings = new WeakMap();
function rankedRoutes(routes) {
  let branches = rankings.get(routes);
  if (!branches) {
    rankRouteBranches((branches = flattenRoutes(routes)));
    rankings.set(routes, branches);
  }
  return branches;
}
const patterns = new Map();
function compiledPath(path, caseSensitive, end) {
  const key = \`${"${caseSensitive} ${end} ${path}"}\`;
  let pattern = patterns.get(key);
  if (!pattern) patterns.set(key, (pattern = compilePath(path, caseSensitive, end)));
  return pattern;
}`;
  },
};

/**
 * Parts that browsers load and never run, or that they need only a little of: single fetch and lazy route
 * discovery, which remix.config.js switches off, a general reader of paths, and a hook that React 18 has.
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
  "lodash.get/index.js": `
    export default (object, path) =>
      path.split(/[.[\\]]+/).reduce((value, key) => (key === "" ? value : value?.[key]), object);`,
  "use-sync-external-store/shim/index.js": `export { useSyncExternalStore } from "react";`,
};

/** Sends browsers less of the libraries. */
export const leaveOutUnused: Plugin = {
  name: "leave-out-unused",
  enforce: "pre",
  load(id) {
    const file = Object.keys(replacements).find((name) => id.endsWith(`/node_modules/${name}`));
    return file ? replacements[file] : null;
  },
};
