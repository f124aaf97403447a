import optimizeLocales from "@react-aria/optimize-locales-plugin";
import { vitePlugin as remix } from "@remix-run/dev";
import { vanillaExtractPlugin } from "@vanilla-extract/vite-plugin";
import { defineConfig } from "vite";
import {
  extendEntries,
  leaveOutStaticPages,
  literalColors,
  minifyScripts,
} from "./app/build-tools/plugins.ts";
import remixConfig from "./remix.config.js";

/**
 * The scripts that pages share, few because each request costs 400 ms on a slow line. The first row that a module's path
 * matches decides; a module in none of them stays with the pages that load it.
 */
const chunks = {
  forms:
    /\/node_modules\/(remix-validated-form|zod|zustand|immer|remeda|lodash.get|tiny-invariant|nanoid)\/|\/app\/(ui\/validated-form|features\/promotions\/(form|expiry|schedule)|features\/(assignments\/target-[ef]|caps\/cap-(fields|texts))|forms\/(fields|form-validator|explain-date)|features\/mass-generations\/generation-screen)/,
  dialogs:
    /\/app\/(ui\/modal\/confirm|ui\/connection\/service-worker|remix\/next-document|features\/assignments\/manage-machines|features\/promotions\/(lifecycle\/questions|list\/unselect)|routes\/app\.[^/]*\.(deactivate|delete|download|machines|promotions|remove|restore|confirm|refresh|turn-off|undo))/,
  lists: /\/app\/(ui\/(list\/|table\/pagination)|features\/mass-generations\/current-generation)/,
  passkeys: /\/ui\/form\/passkey/,
  charts: /\/app\/ui\/charts\//,
  records:
    /\/app\/(ui\/form\/download|features\/(activity|assignments\/(target|assigned)|machines\/machine-group\.))/,
  kit: /^\0vite|\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|use-sync-external-store|@remix-run|turbo-stream)\/|\/app\/((ui(?!\/(feedback\/progress|modal))|format|forms|lists|remix|routes\/app)\/|(root|paths|screens|nonce|errors)\.|features\/.*\/(user|viewer|user-state|machine|has-platform|lifecycle-button|serial-suggestions|promotion-view|transaction|(status|transaction|user-state)-badge)\.tsx?)/,
  people:
    /\/app\/features\/(sign-in|second-factor|pictures|people(?!\/user-list)|integrations|webhooks|events)\//,
};

/** All styles of the product are one sheet. */
const chunkOf = (id: string) => {
  if (/\.css\.ts/.test(id)) return /\/app\/demo\//.test(id) ? "demo" : "kit";
  return Object.entries(chunks).find(([, modules]) => modules.test(id))?.[0] ?? null;
};

/** Packages whose ES modules `app/remix/patches` changes. In development Node loads them as CommonJS, unchanged. */
const patched = [
  /^@remix-run\/(node|react|router|server-runtime)$/,
  "react-router",
  "react-router-dom",
  "remix-validated-form",
  // Belongs to the library above. Node would find another version from the bundle, and none in an image.
  "nanoid",
];

/**
 * Packages of hundreds of small files, and what they import. One file in their place saves each start 0.5 s of a
 * processor, and an image 30 MB.
 */
const manyFiles = [
  /^(victory|d3-)/,
  ...["json-stringify-safe", "lodash", "react-fast-compare", "remeda", "zod"],
];

export default defineConfig(({ command, isSsrBuild }) => ({
  ssr: { noExternal: command === "build" ? [...patched, ...manyFiles] : [] },
  plugins: [
    // The screens are English: the other thirty languages of React Aria stay out of the bundle.
    { ...optimizeLocales.vite({ locales: ["en-US"] }), enforce: "pre" },
    // The build step builds beside the running build and swaps the folders when it is done.
    remix({ ...remixConfig, buildDirectory: process.env.BUILD_FOLDER ?? "build" }),
    vanillaExtractPlugin(),
    !isSsrBuild && [leaveOutStaticPages, extendEntries, minifyScripts],
  ],
  css: { postcss: { plugins: [literalColors] } },
  build: {
    target: "es2022",
    minify: false,
    cssMinify: "esbuild",
    // A file is cached; a data: URL comes with each page.
    assetsInlineLimit: 0,
    // Remix names the scripts of each route; the list of what dialogs import, which load while a browser is idle, is left out.
    modulePreload: false,
    rolldownOptions: isSsrBuild
      ? {}
      : {
          treeshake: {
            // Else a page loads scripts of which it uses nothing, and two that load each other run in the wrong order.
            moduleSideEffects: [
              { test: /\/app\/(features|forms|format|lists)\//, sideEffects: false },
            ],
          },
          output: {
            // Else Rolldown prints the minified scripts with spaces again.
            minify: false,
            codeSplitting: { groups: [{ name: chunkOf }], includeDependenciesRecursively: false },
          },
        },
  },
}));
