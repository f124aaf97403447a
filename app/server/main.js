import path from "node:path";
import { loadBuild } from "../build-tools/build.js";
import { minOpenFiles, openFilesLimit } from "./open-files.js";

const openFiles = openFilesLimit();
if (openFiles < minOpenFiles) {
  console.error(
    `This process may open only ${openFiles} files at once, but Promo Console needs ${minOpenFiles}. Raise the limit, for example with "ulimit -n 4096".`,
  );
  process.exit(1);
}
const build = await loadBuild();
await build.entry.module.start({
  build: () => Promise.resolve(build),
  clientFolder: path.resolve("build/client"),
});
