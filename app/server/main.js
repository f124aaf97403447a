import path from "node:path";
import { ensureBuild } from "./build.js";

process.chdir(path.resolve(import.meta.dirname, "../.."));
process.env.NODE_ENV ??= "production";

await ensureBuild();
const address = new URL("../../build/server/index.js", import.meta.url).href;
const build = await import(address);
await build.entry.module.start({
  build: () => Promise.resolve(build),
  clientFolder: path.resolve("build/client"),
});
