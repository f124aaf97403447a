import { spawnSync } from "node:child_process";
import path from "node:path";

const names = process.argv.slice(2);
const defaultNames = [
  "tests/faults",
  "tests/domain",
  "tests/http",
  "tests/security",
  "tests/demo",
  "tests/browser",
  "app/codec",
  "app/features/labels",
];

/** @param {string[]} paths @param {Record<string, string>} environment */
function run(paths, environment) {
  const { status } = spawnSync(process.execPath, ["tests/run.js", ...paths], {
    cwd: path.resolve(import.meta.dirname, "../.."),
    env: { ...process.env, ...environment },
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = status ?? 1;
}

/**
 * `npm run soak` runs those of tests/soak, which measure times, one after the other; then tests with more rounds and rows
 * than in `npm test`; then those with a browser by keyboard alone.
 */
if (names.length > 0) run(names, { SOAK: "1" });
else {
  run(["tests/soak"], { SOAK: "1", WORKERS: "1" });
  run(defaultNames, { SOAK: "1" });
  run(["tests/browser"], { KEYBOARD: "1" });
}
