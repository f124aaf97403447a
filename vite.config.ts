import { availableParallelism } from "node:os";
import optimizeLocales from "@react-aria/optimize-locales-plugin";
import { vitePlugin as remix } from "@remix-run/dev";
import { vanillaExtractPlugin } from "@vanilla-extract/vite-plugin";
import type { GetManualChunk } from "rollup";
import { defineConfig } from "vite";
import { leaveOutStaticPages, literalColors } from "./app/build-tools/plugins";
import remixConfig from "./remix.config.js";

/**
 * Scripts by the folders of their modules: few files, because each request costs 400 ms on a slow line. The longest
 * folder that a module's path contains decides; a module in none of them stays with the pages that load it.
 */
const chunks: Record<string, string[]> = {
  vendor: [
    "react/",
    "react-dom/",
    "scheduler/",
    "react-router",
    "use-sync-external-store/",
    "@remix-run/",
  ].map((name) => `node_modules/${name}`),
  kit: [
    "app/ui/",
    "app/format/",
    "app/forms/",
    "app/lists/",
    "app/remix/",
    "app/routes/app/",
    "app/root.tsx",
    "app/paths",
    "app/screens",
    "app/features/assignments/assigned.",
    "app/features/assignments/targets.",
    "app/features/assignments/target-picker",
    "app/features/machines/machine",
    "app/features/mass-generations/shown-generation",
    "app/features/outgoing/",
    "app/features/promotions/expiry-date",
    "app/features/promotions/promotion-view",
    "app/features/transactions/transaction-badge",
    "app/features/sign-in/user.ts",
    "app/features/people/user-state.ts",
  ],
  lists: [
    "app/ui/table/filter-bar",
    "app/ui/table/list-screen",
    "app/ui/table/list-table",
    "app/ui/table/load-list",
    "app/ui/table/nothing-matches",
    "app/ui/table/search-form",
    "app/ui/table/select-all",
    "app/features/promotions/list/",
    "app/features/promotions/promotion",
    "app/features/promotions/status-badge",
  ],
  forms: [
    "node_modules/remix-validated-form/",
    "node_modules/zod/",
    "app/forms/fields",
    "app/forms/form-validator",
    "app/ui/form/calendar-button",
    "app/ui/form/fill-field",
    "app/ui/form/form.tsx",
    "app/ui/form/edit-details",
    "app/ui/form/version-field",
    "app/features/assignments/target-",
    "app/features/machines/machine-groups-forms",
    "app/features/promotions/form/",
  ],
  records: [
    "app/features/activity/history",
    "app/features/assignments/assigned-machines",
    "app/features/assignments/machines-card",
    "app/features/promotions/lifecycle/lifecycle-button",
    "app/features/redemptions/code-activity",
    "app/ui/form/download",
  ],
  people: [
    "app/features/sign-in/",
    "app/features/second-factor/",
    "app/features/people/",
    "app/features/integrations/",
    "app/features/webhooks/",
    "app/ui/form/secret-field",
  ],
  dialogs: [
    "app/ui/overlay/route-modal",
    "app/ui/overlay/confirm-dialog",
    "app/ui/connection/service-worker",
    "app/features/assignments/manage-machines/",
  ],
  page: [
    "app/ui/form/passkey",
    "app/ui/overlay/calendar-modal",
    "app/ui/table/auto-refresh",
    "app/ui/table/column-chooser",
    "app/ui/table/table-or-note",
    "app/features/promotions/list/bulk-bar",
    "app/features/promotions/list/promotion-columns",
    "app/features/promotions/list/row-actions",
    "app/features/promotions/list/select-boxes",
    "app/features/promotions/list/view-tabs",
    "app/features/people/user-list",
    "app/features/people/user-state-badge",
  ],
};

const folders = Object.entries(chunks)
  .flatMap(([name, list]) => list.map((folder) => ({ name, folder: `/${folder}` })))
  .sort((a, b) => b.folder.length - a.folder.length);

/** Routes that `app/dialog-routes.ts` loads together. */
const dialogRoute =
  /\/app\/routes\/app\.[^/]*\.(deactivate|delete|download|machines|promotions|restore|confirm|refresh)\//;

/** All styles of the product are one sheet. */
const chunkOf: GetManualChunk = (id) => {
  if (/\.css\.ts/.test(id)) return /\/app\/demo\//.test(id) ? "demo" : "kit";
  if (dialogRoute.test(id)) return "dialogs";
  const name = folders.find(({ folder }) => id.includes(folder))?.name;
  return name === "page" ? undefined : name;
};

/** Packages whose ES modules `app/remix/patches` changes. In development Node loads them as CommonJS, unchanged. */
const bundledOnServer = [
  /^@remix-run\/(node|react|router|server-runtime)$/,
  "react-router",
  "react-router-dom",
  "remix-validated-form",
];

export default defineConfig(({ command, isSsrBuild }) => ({
  ssr: { noExternal: command === "build" ? bundledOnServer : [] },
  plugins: [
    // The screens are English: the other thirty languages of React Aria stay out of the bundle.
    { ...optimizeLocales.vite({ locales: ["en-US"] }), enforce: "pre" },
    // The build step builds beside the running build and swaps the folders when it is done.
    remix({ ...remixConfig, buildDirectory: process.env.BUILD_FOLDER ?? "build" }),
    vanillaExtractPlugin(),
    !isSsrBuild && leaveOutStaticPages,
  ],
  css: { postcss: { plugins: [literalColors] } },
  build: {
    target: "es2022",
    // 4 % smaller than what esbuild makes.
    minify: isSsrBuild ? false : "terser",
    terserOptions: {
      maxWorkers: availableParallelism(),
      ecma: 2020,
      module: true,
      compress: { pure_funcs: ["warning"], unsafe_arrows: true, keep_fargs: false },
    },
    // A file is cached; a data: URL comes with each page.
    assetsInlineLimit: 0,
    rollupOptions: isSsrBuild ? {} : { output: { manualChunks: chunkOf } },
  },
}));
