import optimizeLocales from "@react-aria/optimize-locales-plugin";
import { vitePlugin as remix } from "@remix-run/dev";
import { vanillaExtractPlugin } from "@vanilla-extract/vite-plugin";
import { defineConfig } from "vite";
import remixConfig from "./remix.config.js";

/**
 * Few files instead of many small ones: on a line with 400 ms of latency each request counts.
 * The libraries keep their name from one release to the next; the product's styles are one sheet,
 * and the names in it belong to what every page loads.
 */
function chunkOf(id: string): string | undefined {
  if (/\/(demo|app\._demo[^/]*)\//.test(id)) return undefined;
  if (/\.css\.ts(\.vanilla\.css)?(\?.*)?$/.test(id)) return "kit";
  if (
    /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@remix-run)\//.test(id)
  )
    return "vendor";
  if (/node_modules\/(remix-validated-form|zod|zustand|immer|remeda|nanoid|lodash\.get)\//.test(id))
    return "forms";
  if (/\/app\/(forms\/validator|ui\/form\/(form|text-field|choice-fields)\.tsx)/.test(id))
    return "forms";
  // What few screens need, the others do without: a dialog, the screens of machine groups, and
  // forms of one screen.
  if (/\/manage-machines\/|\/target-lists\.ts$/.test(id)) return undefined;
  if (/\/app\/features\/transactions\/transaction-badge/.test(id)) return "lists";
  if (/\/app\/features\/(integrations|transactions|redemptions)\//.test(id)) return undefined;
  if (/\/app\/features\/machines\/(machine-groups-forms|group-(fields|list))\.tsx?$/.test(id))
    return undefined;
  if (/\/app\/features\/promotions\/(lifecycle\/bulk|form\/edit)-form\.ts$/.test(id))
    return undefined;
  if (/\/app\/features\/mass-generations\/mass-(generation-forms|form)\.ts$/.test(id))
    return undefined;
  if (/\/app\/features\/machines\/platform-\w+\.tsx?$/.test(id)) return undefined;
  if (
    /\/app\/ui\/(form\/text-area|overlay\/confirm-dialog|table\/(auto-refresh|search-form))\.tsx?$/.test(
      id,
    )
  )
    return undefined;
  if (/\/app\/features\/.*(-forms?|-fields?|target-picker|target-selection)\.tsx?$/.test(id))
    return "forms";
  // Forms are heavy enough: what only lists need, and the one chart, stay out of what all load.
  if (/\/app\/ui\/(table\/(?!empty-state)|form\/following-fields)/.test(id)) return "lists";
  if (
    /\/app\/(forms\/list-|features\/.*(-list|-filters|filter-view|\/list-columns|\/list-cache|\/bulk-\w+)\.tsx?$)/.test(
      id,
    )
  )
    return "lists";
  if (/\/app\/ui\/charts\//.test(id)) return undefined;
  if (/\/app\/features\//.test(id)) return "features";
  if (/\/app\/(ui\/(?!overlay\/route-modal)|format\/|forms\/|paths|nonce)/.test(id)) return "kit";
  return undefined;
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    // The screens are English: the other thirty languages of React Aria stay out of the bundle.
    { ...optimizeLocales.vite({ locales: ["en-US"] }), enforce: "pre" },
    // The build step builds beside the running build and swaps the folders when it is done.
    remix({ ...remixConfig, buildDirectory: process.env.BUILD_FOLDER ?? "build" }),
    vanillaExtractPlugin(),
  ],
  build: {
    target: "es2022",
    // A data: URL would need an opening in the content security policy.
    assetsInlineLimit: 0,
    rollupOptions: isSsrBuild ? {} : { output: { manualChunks: chunkOf } },
  },
}));
