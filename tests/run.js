import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { ensureBuild } from "../app/server/build.js";
import { findBrowser } from "./support/browser.js";

/**
 * `npm test`: everything, the browser included. `npm test -- <path> …` runs only what matches,
 * below tests/browser with Playwright and elsewhere with vitest.
 */

process.chdir(path.resolve(import.meta.dirname, ".."));
const reports = path.resolve(".cache/tests");
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const chosen = process.argv.slice(2);
const forBrowser = chosen.filter((name) => name.includes("tests/browser"));
const forVitest = chosen.filter((name) => !forBrowser.includes(name));
const isAll = chosen.length === 0;
const hasSpecs =
  existsSync("tests/browser") &&
  readdirSync("tests/browser", { recursive: true }).some((name) => /\.spec\.ts$/.test(`${name}`));
const needsBrowser = hasSpecs && (isAll || forBrowser.length > 0);

const counts = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} */
const failures = [];
let hasFailed = false;
try {
  let browser = "";
  if (needsBrowser) {
    const { file, source } = findBrowser();
    console.log(`Browser: ${file} (${source})`);
    browser = file;
  }
  await ensureBuild();
  if (isAll || forVitest.length > 0) runVitest();
  if (needsBrowser) runPlaywright(browser);
} catch (error) {
  hasFailed = true;
  console.error(error instanceof Error ? error.message : error);
}
// Once more at the end: two runs' worth of lines lie between the first failure and the last line.
for (const failure of failures) console.log(`\n✗ ${failure}`);
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
console.log(`\n${counts.passed} passed, ${counts.failed} failed${skipped}`);
process.exitCode = hasFailed || counts.failed > 0 ? 1 : 0;

function runVitest() {
  const report = path.join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  run("node_modules/vitest/vitest.mjs", ["run", ...reporters, ...forVitest], {});
  const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites, testResults } =
    read(report);
  for (const file of testResults) {
    const where = path.relative(process.cwd(), file.name);
    if (file.message) failures.push(`${where}\n${file.message}`);
    for (const test of file.assertionResults)
      if (test.status === "failed")
        failures.push(`${where} › ${test.fullName}\n${test.failureMessages.join("\n")}`);
  }
  counts.passed += numPassedTests;
  // A file that can't even be loaded has no test to fail.
  counts.failed += Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0);
  counts.skipped += numPendingTests;
}

/** @param {string} browser */
function runPlaywright(browser) {
  const report = path.join(reports, "playwright.json");
  run(
    "node_modules/playwright/cli.js",
    ["test", "--config=tests/browser/playwright.config.ts", ...forBrowser],
    { BROWSER_PATH: browser, BROWSER_REPORT: report },
  );
  const { stats, errors, suites } = read(report);
  counts.passed += stats.expected + stats.flaky;
  counts.failed += stats.unexpected + errors.length;
  for (const { file, title, tests } of specsOf(suites)) {
    for (const { status } of tests) {
      if (status === "unexpected") failures.push(`${file} › ${title}`);
      if (status === "flaky") failures.push(`${file} › ${title}: only at the second attempt`);
    }
  }
  counts.skipped += stats.skipped;
}

/** @param {any[]} suites @returns {any[]} */
function specsOf(suites = []) {
  return suites.flatMap((suite) => [...(suite.specs ?? []), ...specsOf(suite.suites)]);
}

/** @param {string} script @param {string[]} args @param {Record<string, string>} environment */
function run(script, args, environment) {
  const { status } = spawnSync(process.execPath, [script, ...args], {
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  if (status !== 0) hasFailed = true;
}

/** @param {string} report */
function read(report) {
  if (!existsSync(report)) throw new Error("The tests ended without a report.");
  return JSON.parse(readFileSync(report, "utf8"));
}
