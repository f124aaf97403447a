import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * Chooses the tests for `npm test -- --changed`: a route concerns the specs and HTTP tests that name
 * its address; any other part of the app concerns all HTTP tests, and all specs if it can change a
 * page. vitest finds by itself which tests import a changed file.
 */

/**
 * Lists the files that differ from a commit, also those that git doesn't track yet.
 * @param {string} commit
 * @returns {string[]}
 */
export function listChangedFiles(commit) {
  return [
    ["diff", "--name-only", commit],
    ["ls-files", "--others", "--exclude-standard"],
  ].flatMap((args) => {
    const { status, stdout, stderr } = spawnSync("git", args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`git can't list what changed: ${stderr.trim()}`);
    return stdout.split("\n").filter(Boolean);
  });
}

/**
 * @param {string[]} changed
 * @param {Map<string, string>} candidates files and their content
 * @returns {string[]} those of the candidates that have to run
 */
export function concernedTests(changed, candidates) {
  const addresses = changed.flatMap((file) => addressOfRoute(file) ?? []);
  const isApp = changed.some(
    (file) =>
      /^(app|migrations|public|styles)\//.test(file) &&
      !/\.(md|test\.tsx?)$/.test(file) &&
      addressOfRoute(file) === null,
  );
  const isPage = changed.some(
    (file) =>
      addressOfRoute(file) === null &&
      /^(app\/(http|server|ui)\/|app\/.*(?<!\.test)\.(tsx|css\.ts)$|public\/|styles\/)/.test(file),
  );
  const isSupport = changed.some((file) => isSharedByTests(file));
  return [...candidates]
    .filter(([file, content]) => {
      if (changed.includes(file) || isSupport) return true;
      if (file.endsWith(".spec.ts") ? isPage : isApp) return true;
      return addresses.some((address) => content.includes(address));
    })
    .map(([file]) => file);
}

/** @param {string} file */
function isSharedByTests(file) {
  return (
    /^tests\/(browser|support|factories|run\.js)/.test(file) && !/\.(spec|test)\.ts$/.test(file)
  );
}

/**
 * The beginning of the addresses that a file of a folder of routes answers, up to the first parameter; null
 * for any other file.
 * @param {string} file
 * @returns {string | null}
 */
function addressOfRoute(file) {
  const folder = /^app\/(?:\w+\/)?routes\/([^/]+?)(\/|\.tsx?$)/.exec(file)?.[1];
  if (!folder || file.endsWith(".test.ts")) return null;
  const parts = folder === "_index" ? [""] : folder.replaceAll("[.]", "\0").split(".");
  const fixed = parts.slice(
    0,
    [...parts, "$"].findIndex((part) => part.startsWith("$")),
  );
  return `/${fixed.map((part) => part.replace(/_$/, "").replaceAll("\0", ".")).join("/")}`;
}

/**
 * @param {string} folder
 * @param {RegExp} name
 * @returns {Map<string, string>}
 */
export function readTests(folder, name) {
  const files = readdirSync(folder).filter((file) => name.test(file));
  return new Map(
    files.map((file) => [path.join(folder, file), readFileSync(path.join(folder, file), "utf8")]),
  );
}
