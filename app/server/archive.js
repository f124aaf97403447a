import path from "node:path";
import { loadBuild } from "../build-tools/build.js";

/** `npm run archive -- 2025-01`, `npm run archive -- 2025-01 FILE` and `npm run archive -- --back FILE`. */

const [first, file, ...more] = process.argv.slice(2);
// Resolved before loading, which changes the folder.
const resolved = file === undefined ? null : path.resolve(file);
const folder = process.cwd();
const { archive } = (await loadBuild()).entry.module;
await archive(more.length > 0 ? "" : (first ?? ""), resolved, folder);
