import { demoRoutes } from "./app/demo/routes.js";

/**
 * Every option of Remix, read by vite.config.ts.
 *
 * `v3_singleFetch` and `v3_lazyRouteDiscovery` stay off: their code paths carry advisories
 * that Remix 2 gets no patch for.
 *
 * @type {import("@remix-run/dev").VitePluginConfig}
 */
export default {
  ignoredRouteFiles: ["**/*.css.ts", "**/*.test.{ts,tsx}"],
  routes: demoRoutes,
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_singleFetch: false,
    v3_lazyRouteDiscovery: false,
  },
};
