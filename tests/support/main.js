import path from "node:path";
import { ensureBuild } from "../../app/server/build.js";

/** Starts the product for tests, which send from one address what many clients would. */
await ensureBuild();
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
