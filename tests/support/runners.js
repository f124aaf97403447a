import { readdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Splits paths among the runners: Playwright gets specs and what `tests/browser` names, vitest everything else, and
 * both get a folder that has tests of both.
 * @param {string[]} names paths below the root of the project, or beginnings of them
 * @param {string} [root]
 * @returns {{tests: string[], specs: string[]}}
 */
export function splitByRunner(names, root = ".") {
  const isForBrowser = (/** @type {string} */ name) => /tests\/browser|\.spec\.ts$/.test(name);
  const specs = names.filter(
    (name) => isForBrowser(name) || hasFiles(path.join(root, name), /\.spec\.ts$/),
  );
  const tests = names.filter(
    (name) =>
      !specs.includes(name) ||
      (!isForBrowser(name) && hasFiles(path.join(root, name), /\.test\.tsx?$/)),
  );
  return { tests, specs };
}

/** @param {string} folder @param {RegExp} pattern */
function hasFiles(folder, pattern) {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).some((name) =>
    pattern.test(name),
  );
}
