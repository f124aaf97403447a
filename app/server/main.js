import path from "node:path";
import { ensureBuildOrExit } from "./build.js";
import { minOpenFiles, openFilesLimit } from "./open-files.js";

process.chdir(path.resolve(import.meta.dirname, "../.."));
process.env.NODE_ENV ??= "production";

const openFiles = openFilesLimit();
if (openFiles < minOpenFiles) {
  console.error(
    `This process may open only ${openFiles} files at once, but Promo Console needs ${minOpenFiles}. Raise the limit, for example with "ulimit -n 4096".`,
  );
  process.exit(1);
}
await ensureBuildOrExit();
const address = new URL("../../build/server/index.js", import.meta.url).href;
const build = await import(address);
await build.entry.module.start({
  build: () => Promise.resolve(build),
  clientFolder: path.resolve("build/client"),
});
