import path from "node:path";
import { loadBuild } from "../build-tools/build.js";

/** `npm run backup -- FILE` and `npm run restore -- FILE`. */

const [command, ...files] = process.argv.slice(2);
// Resolved before loading, which changes the folder.
const paths = files.map((file) => path.resolve(file));
const { backUp, restore } = (await loadBuild()).entry.module;
await (command === "restore" ? restore(paths) : backUp(paths));
