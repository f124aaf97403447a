import { spawnSync } from "node:child_process";
import path from "node:path";

const names = process.argv.slice(2);
const defaultNames = [
  "tests/soak",
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
 * `npm run soak` runs tests with more rounds and rows than `npm test`, and those of tests/soak; then those with a browser
 * by keyboard alone.
 */
run(names.length > 0 ? names : defaultNames, { SOAK: "1" });
if (names.length === 0) run(["tests/browser"], { KEYBOARD: "1" });
