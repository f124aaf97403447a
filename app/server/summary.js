import { loadBuild } from "../build-tools/build.js";

/** `npm run summary -- check` and `npm run summary -- rebuild`. */

const { summary } = (await loadBuild()).entry.module;
await summary(process.argv.slice(2));
