import path from "node:path";

/** Starts the built product for tests, which send from one address what many clients would. */
const build = await import(new URL("../../build/server/index.js", import.meta.url).href);
await build.entry.module.start({
  build: () => Promise.resolve(build),
  clientFolder: path.resolve("build/client"),
  limits: {
    unreadBodiesPerClient: 1_000,
    runningPerClient: 1_000,
    signInsPerClient: 1_000,
    connectionsPerPeer: 1_000,
  },
});
