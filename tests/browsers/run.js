import { spawnSync } from "node:child_process";
import path from "node:path";
import { ensureBuild } from "../../app/build-tools/build.js";

/** `npm run browsers` runs the main journey in each engine; `npm run browsers -- firefox` in one. */
process.chdir(path.resolve(import.meta.dirname, "../.."));
await ensureBuild();
const { status } = spawnSync(
  process.execPath,
  ["--import", "tsx", "tests/browsers/browsers.ts", ...process.argv.slice(2)],
  { env: { ...process.env, NODE_ENV: "production" }, stdio: "inherit" },
);
process.exitCode = status ?? 1;
