import optimizeLocales from "@react-aria/optimize-locales-plugin";
import { vitePlugin as remix } from "@remix-run/dev";
import { vanillaExtractPlugin } from "@vanilla-extract/vite-plugin";
import type { GetManualChunk, GetModuleInfo } from "rollup";
import { defineConfig } from "vite";
import {
  keepPageOnMissingScript,
  leaveOutDiscovery,
  leaveOutStaticPages,
  leaveOutUnused,
  literalColors,
  rememberRoutes,
  shortNames,
  shortScrollScript,
} from "./app/server/build-plugins";
import remixConfig from "./remix.config.js";

/** The library that forms load; pages without a form do without it. */
const formLibrary = /\/node_modules\/remix-validated-form\//;

/** The demo area: it has a style sheet of its own, and never decides where a module of the product goes. */
const demo = /\/app\/(demo|routes\/(app\._demo\.|products))/;

/** The pages of webhooks, which few people open: they decide only about what nobody else imports. */
const webhooks = /\/app\/routes\/app\.webhooks[._/]/;

/** Modules that the dashboard shares with lists. It would load all of `lists` for these. */
const tables =
  /\/app\/(ui\/(table\/(table|row-controls|list-notes|failed-page)|charts\/chart)|features\/transactions\/transaction(-badge)?)\.tsx?$/;

/** The page about the API has styles of its own, too, and pages that few people open share a sheet. */
const ownSheets = {
  docs: /\/app\/routes\/api\.docs\//,
  pages:
    /\/app\/routes\/app\.(audit|keyboard|qr-list_\.\$promotionId|qr-list_\.bulk_\.\$operationId|user\.edit_\.profile|machine-groups_\.\$groupId|.*_\.labels)\//,
};

function sheetOf(id: string): string {
  if (demo.test(id)) return "demo";
  return Object.entries(ownSheets).find(([, page]) => page.test(id))?.[0] ?? "kit";
}

/**
 * Makes few scripts instead of many small ones, because each request costs 400 ms on a slow line:
 * `vendor` and `kit` for what every page loads, `forms` for what pages with a form share, `lists` for what
 * mostly other pages share, `dialogs` for what only dialogs need, and `people` and `webhooks` for the pages about those. The kit
 * also has tables, and what more than a third of the pages load, or pages with and without forms alike. Nearly all styles are one
 * sheet. Everything else stays with its page. A module's place follows from who imports it.
 */
const chunkOf: GetManualChunk = (id, { getModuleInfo }) => {
  // Its styles come with it, when it is opened.
  if (/\/ui\/overlay\/calendar\.css\.ts/.test(id)) return undefined;
  if (/\.css\.ts(\.vanilla\.css)?(\?.*)?$/.test(id)) return sheetOf(id);
  // Rollup would load it by a file of its own, which costs the first dialog a request.
  if (/\/ui\/overlay\/(route-modal|confirm-dialog)\.tsx$/.test(id)) return "dialogs";
  const all = pagesOf(id, getModuleInfo);
  const importers = new Set([...all].filter((page) => !demo.test(page) && !webhooks.test(page)));
  if (all.has(id)) return undefined;
  if (importers.size === 0)
    return [...all].filter((page) => webhooks.test(page)).length > 1 ? "webhooks" : undefined;
  const pages = new Set([...importers].filter((page) => !page.endsWith(dialogRoutes)));
  const isEverywhere = [...pages].some((page) =>
    /\/app\/(root|entry\.client|routes\/app\/route)\.tsx/.test(page),
  );
  if (isEverywhere) return /node_modules|^\0/.test(id) ? "vendor" : "kit";
  const isOfOverlays = [...pages].every(
    (page) => page.endsWith("-modal.tsx") || isDialog(page, getModuleInfo),
  );
  if (pages.size < importers.size && isOfOverlays) return "dialogs";
  // Rollup would put a module without a place of its own among the dialogs that import it.
  if (pages.size < 2) return pages.size < importers.size ? "parts" : undefined;
  const isOf = (part: RegExp) => [...pages].every((page) => part.test(page));
  // Scripts never open the sign-in page, which has forms for passkeys, too.
  if (isOf(/\/app\/routes\/(login\/|app\.(users?|profile)[._/])/)) return "people";
  if (tables.test(id)) return "kit";
  if (id.includes("/app/ui/table/")) return "lists";
  const formPages = [...pages].filter((page) => loadsForms(page, getModuleInfo));
  if (formPages.length === pages.size) return "forms";
  const isOfLists = formPages.length * 2 < pages.size || pages.size === 2;
  return isOfLists && pages.size < 12 ? "lists" : "kit";
};

const dialogRoutes = "/app/dialog-routes.ts";

/** Whether the script of a page, or one loaded on demand, is among those of the dialogs. */
function isDialog(page: string, getModuleInfo: GetModuleInfo): boolean {
  const { importers = [], importedIds = [] } = getModuleInfo(page) ?? {};
  return [...importers, ...importedIds.flatMap((id) => getModuleInfo(id)?.importers ?? [])].some(
    (importer) => importer.endsWith(dialogRoutes),
  );
}

/** Returns the pages, and the modules loaded on demand, that import a module directly or not. */
const pagesOf = remembered((id, getModuleInfo, recurse): Set<string> => {
  const { isEntry, importers = [], dynamicImporters = [] } = getModuleInfo(id) ?? {};
  const pages = new Set(importers.flatMap((importer) => [...recurse(importer)]));
  return isEntry || dynamicImporters.length > 0 ? pages.add(id) : pages;
}, new Set<string>());

const loadsForms = remembered(
  (id, getModuleInfo, recurse): boolean =>
    formLibrary.test(id) || Boolean(getModuleInfo(id)?.importedIds.some(recurse)),
  false,
);

/** Makes a function over the graph of modules that visits each module once; `inCycle` ends a cycle. */
function remembered<Value>(
  visit: (id: string, getModuleInfo: GetModuleInfo, recurse: (id: string) => Value) => Value,
  inCycle: Value,
) {
  const values = new Map<string, Value>();
  return function valueOf(id: string, getModuleInfo: GetModuleInfo): Value {
    if (!values.has(id)) {
      values.set(id, inCycle);
      values.set(
        id,
        visit(id, getModuleInfo, (next) => valueOf(next, getModuleInfo)),
      );
    }
    return values.get(id)!;
  };
}

/** Packages of the router that the build changes. In development they are CommonJS, which Vite can't run itself. */
const bundledOnServer = [
  /^@remix-run\/(node|react|router|server-runtime)$/,
  "react-router",
  "react-router-dom",
  "remix-validated-form",
];

/** Names of scripts. 42 bits tell two releases apart, and every page loads the names of all pages. */
const script = "assets/[name]-[hash:7].js";

export default defineConfig(({ command, isSsrBuild }) => ({
  ssr: { noExternal: command === "build" ? bundledOnServer : [] },
  plugins: [
    // The screens are English: the other thirty languages of React Aria stay out of the bundle.
    { ...optimizeLocales.vite({ locales: ["en-US"] }), enforce: "pre" },
    // The build step builds beside the running build and swaps the folders when it is done.
    remix({ ...remixConfig, buildDirectory: process.env.BUILD_FOLDER ?? "build" }),
    // A list names a style a thousand times.
    vanillaExtractPlugin(command === "build" ? { identifiers: shortNames() } : {}),
    keepPageOnMissingScript,
    leaveOutDiscovery,
    isSsrBuild ? [rememberRoutes, shortScrollScript] : [leaveOutUnused, leaveOutStaticPages],
  ],
  css: { postcss: { plugins: [literalColors] } },
  build: {
    target: "es2022",
    // 4 % smaller than what esbuild makes.
    minify: isSsrBuild ? false : "terser",
    terserOptions: {
      ecma: 2020,
      module: true,
      compress: { pure_funcs: ["warning"], unsafe_arrows: true, keep_fargs: false },
    },
    // A file is cached; a data: URL comes with each page.
    assetsInlineLimit: 0,
    rollupOptions: isSsrBuild
      ? {}
      : { output: { manualChunks: chunkOf, entryFileNames: script, chunkFileNames: script } },
  },
}));
