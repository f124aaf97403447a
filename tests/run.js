import { Buffer } from "node:buffer";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { ensureBuild } from "../app/build-tools/build.js";
import { findBrowser } from "./support/browser.js";
import { concernedTests, listChangedFiles, readTests } from "./support/changed.js";
import { splitByRunner } from "./support/runners.js";
import { startOptions } from "./support/start-arguments.js";

/**
 * `npm test` runs everything, the browser included. `npm test -- <path> …` runs only what matches,
 * specs with Playwright and others with vitest, both of a folder that has both. `npm test -- --changed[=<commit>]`
 * runs what the difference to a commit (by default the last one) concerns.
 *
 * In a whole run, a few failures are tried once more, as a busy machine may cause them. Those that pass then are
 * named at the end: each of them is a race that is to be found.
 */

process.chdir(path.resolve(import.meta.dirname, ".."));
const reports = path.resolve(".cache/tests");
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const vitest = "node_modules/vitest/vitest.mjs";
const playwright = "node_modules/playwright/cli.js";

/** More failures than these are no accident of a busy machine. */
const maxRetried = 3;

const counts = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} */
const failures = [];
/** Tests that passed at the second try only. @type {string[]} */
const flaky = [];
/** Seconds by file. @type {Map<string, number>} */
const durations = new Map();
let hasFailed = false;
try {
  const chosen = chooseTests(process.argv.slice(2));
  let browser = "";
  if (chosen.specs) {
    const { file, source } = findBrowser();
    console.log(`Browser: ${file} (${source})`);
    browser = file;
  }
  await ensureBuild();
  if (chosen.tests) runVitest(chosen.tests);
  if (chosen.specs) runPlaywright(chosen.specs, browser);
} catch (error) {
  hasFailed = true;
  console.error(error instanceof Error ? error.message : error);
}
// Repeats the failures: the lines of two runs lie between the first one and the end.
for (const failure of failures) console.log(`\n✗ ${failure}`);
for (const test of flaky) console.log(`\n! Passed at the second try only: ${test}`);
printSlowestFiles();
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
console.log(`\n${counts.passed} passed, ${counts.failed} failed${skipped}`);
process.exitCode = hasFailed || counts.failed > 0 ? 1 : 0;

/**
 * @param {string[]} names
 * @returns {{tests: string[] | null, specs: string[] | null}} what each runner is given: an empty
 *   list means everything, null nothing
 */
function chooseTests(names) {
  if (names.length === 0) return { tests: [], specs: [] };
  const orNull = (/** @type {string[]} */ list) => (list.length > 0 ? list : null);
  const changed = names.find((name) => /^--changed(=|$)/.test(name));
  if (changed) {
    const commit = changed.split("=")[1] ?? "HEAD";
    const files = listChangedFiles(commit);
    return {
      tests: orNull([
        ...new Set([
          ...importersOfChanges(commit),
          ...["tests/http", "tests/demo"].flatMap((folder) =>
            concernedTests(files, readTests(folder, /\.test\.ts$/)),
          ),
        ]),
      ]),
      specs: orNull(
        ["tests/browser", "tests/demo"].flatMap((folder) =>
          concernedTests(files, readTests(folder, /\.spec\.ts$/)),
        ),
      ),
    };
  }
  const { tests, specs } = splitByRunner(names);
  return { tests: orNull(tests), specs: orNull(specs) };
}

/** @param {string} commit @returns {string[]} */
function importersOfChanges(commit) {
  const report = path.join(reports, "changed.json");
  const isListed = run(
    vitest,
    ["list", `--changed=${commit}`, "--filesOnly", `--json=${report}`],
    {},
  );
  hasFailed ||= !isListed;
  const listed = /** @type {{file: string}[]} */ (read(report));
  return listed.map(({ file }) => path.relative(process.cwd(), file));
}

/** @param {string[]} tests an empty list means everything */
function runVitest(tests) {
  const { files: first, hasPassed } = filesOfVitest(tests);
  const failed = first.filter(({ status }) => status === "failed").map(({ name }) => name);
  const isRetried = tests.length === 0 && failed.length > 0 && failed.length <= maxRetried;
  const second = isRetried
    ? filesOfVitest(failed.map((name) => path.relative(process.cwd(), name)))
    : null;
  hasFailed ||= !(second ?? { hasPassed }).hasPassed;
  for (const file of first) {
    const again = second?.files.find(({ name }) => name === file.name);
    countFile(again ?? file);
    if (again?.status === "passed") flaky.push(...failuresOf(file));
  }
}

/** @param {string[]} tests @returns {{files: any[], hasPassed: boolean}} */
function filesOfVitest(tests) {
  const report = path.join(reports, "vitest.json");
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const hasPassed = run(vitest, ["run", ...reporters, ...tests], {});
  return { files: read(report).testResults, hasPassed };
}

/** @param {any} file */
function countFile(file) {
  const name = path.relative(process.cwd(), file.name);
  durations.set(name, (file.endTime - file.startTime) / 1_000);
  const count = (/** @type {string[]} */ ...statuses) =>
    file.assertionResults.filter((/** @type {any} */ test) => statuses.includes(test.status))
      .length;
  counts.passed += count("passed");
  // A file that can't even be loaded has no test to fail.
  counts.failed += Math.max(count("failed"), file.status === "failed" ? 1 : 0);
  counts.skipped += count("pending", "skipped", "todo", "disabled");
  failures.push(...failuresOf(file));
}

/** @param {any} file @returns {string[]} */
function failuresOf(file) {
  const name = path.relative(process.cwd(), file.name);
  const tests = file.assertionResults.filter((/** @type {any} */ test) => test.status === "failed");
  return [
    ...(file.message ? [`${name}\n${file.message}`] : []),
    ...tests.map(
      (/** @type {any} */ test) => `${name} › ${test.fullName}\n${test.failureMessages.join("\n")}`,
    ),
  ];
}

/** @param {string[]} specs @param {string} browser */
function runPlaywright(specs, browser) {
  const report = path.join(reports, "playwright.json");
  const hasPassed = run(
    playwright,
    ["test", "--config=tests/browser/playwright.config.ts", ...specs],
    {
      BROWSER_PATH: browser,
      BROWSER_REPORT: report,
      BROWSER_RETRIES: specs.length === 0 ? "1" : "0",
    },
  );
  const { stats, errors, suites } = read(report);
  hasFailed ||= !hasPassed || stats.flaky > maxRetried;
  counts.passed += stats.expected + stats.flaky;
  counts.failed += stats.unexpected + errors.length;
  for (const { file, title, tests } of specsOf(suites)) {
    const name = `tests/${file}`;
    for (const { status, results } of tests) {
      if (status === "unexpected") failures.push(`${name} › ${title}\n${messagesOf(results)}`);
      if (status === "flaky") flaky.push(`${name} › ${title}\n${messagesOf(results)}`);
      for (const { duration } of results)
        durations.set(name, (durations.get(name) ?? 0) + duration / 1_000);
    }
  }
  counts.skipped += stats.skipped;
}

/**
 * The messages of tries that failed, each with the page: a race is seldom seen twice.
 * @param {{errors: {message?: string}[], attachments: {name: string, body?: string}[]}[]} results
 */
function messagesOf(results) {
  return results
    .flatMap(({ errors, attachments }) => [
      ...errors.map(({ message }) => message ?? ""),
      ...attachments
        .filter(({ name }) => name === "page")
        .map(({ body = "" }) => Buffer.from(body, "base64").toString()),
    ])
    .join("\n");
}

function printSlowestFiles() {
  const slowest = [...durations].sort(([, one], [, other]) => other - one).slice(0, 10);
  if (slowest.length > 0) console.log("\nThe slowest files, in seconds of their tests:");
  for (const [name, seconds] of slowest) console.log(`${seconds.toFixed(1).padStart(7)}  ${name}`);
}

/** Returns all tests by the file that runs them, which may get them from another one. @param {any[]} suites @returns {any[]} */
function specsOf(suites = [], file = "") {
  return suites.flatMap((suite) => {
    const runBy = file || suite.file;
    const own = (suite.specs ?? []).map((/** @type {any} */ spec) => ({ ...spec, file: runBy }));
    return [...own, ...specsOf(suite.suites, runBy)];
  });
}

/**
 * Runs a runner and all its processes with the options of `npm start`: with its room for young objects, `tests/http` takes a
 * tenth less time.
 * @param {string} script @param {string[]} args @param {Record<string, string>} environment @returns whether it passed
 */
function run(script, args, environment) {
  const nodeOptions = [process.env.NODE_OPTIONS ?? "", ...startOptions].join(" ");
  const { status } = spawnSync(process.execPath, [script, ...args], {
    stdio: "inherit",
    env: { ...process.env, NODE_OPTIONS: nodeOptions, ...environment },
  });
  return status === 0;
}

/** @param {string} report */
function read(report) {
  if (!existsSync(report)) throw new Error("The tests ended without a report.");
  return JSON.parse(readFileSync(report, "utf8"));
}
