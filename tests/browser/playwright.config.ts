import { defineConfig } from "playwright/test";
import { isSoak } from "../support/repetitions";
import { workers } from "../support/workers";

/**
 * Cuts of the network, of which `npm run browsers` makes the main ones in every engine, three releases, forms of accounts,
 * which tests of `tests/http` post, and labels in the fonts of the browser, which `label-files.server.test` reads as PDF.
 */
const soakOnly = [
  "browser/cut-line.spec.ts",
  "browser/labels.spec.ts",
  "browser/network-matrix.spec.ts",
  "browser/people.spec.ts",
  "browser/service-worker.spec.ts",
];

/**
 * Replaces the list that Playwright gives to Chromium, which knows one such option only: most of it, and the pop-ups
 * of the address bar, pages of their own in each window, which take a tenth of the time of a whole browser.
 */
const disabledFeatures = [
  "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable,PaintHolding,ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled",
  "PreconnectToSearch,WebUIOmniboxPopup,WebUIOmniboxAimPopup",
];

/**
 * Tests run with scripts; those of `testAlsoBlocked` once more while every script is blocked, half of them in the soak
 * only. Without scripts the server sends the same bytes, so smoke.spec.ts is enough, and for the demo area, whose pages
 * act without scripts in ways of their own, a test of demo.spec.ts. There is one project, because each starts browsers,
 * apps and databases of its own.
 * `BROWSER_PATH` is set by tests/run.js, which finds an installed browser.
 */
export default defineConfig({
  testDir: "..",
  testMatch: ["browser/*.spec.ts", "demo/*.spec.ts"],
  testIgnore: isSoak ? [] : soakOnly,
  globalSetup: "./global-setup.ts",
  outputDir: "../../test-results",
  workers,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A busy machine is slow, not wrong.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // tests/run.js names those that pass then only.
  retries: Number(process.env.BROWSER_RETRIES ?? 0),
  reporter: process.env.BROWSER_REPORT
    ? [["line"], ["json", { outputFile: process.env.BROWSER_REPORT }]]
    : [["line"]],
  use: {
    launchOptions: {
      executablePath: process.env.BROWSER_PATH || undefined,
      args: [
        "--no-sandbox",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // Drawing costs a whole browser an eighth of its time; the headless shell has no such process.
        "--disable-gpu",
        "--disable-software-rasterizer",
        // A page of a test lives for a second or two: optimizing its scripts takes a tenth of the time of all tests.
        "--js-flags=--no-maglev --no-opt",
        `--disable-features=${disabledFeatures.join()}`,
      ],
    },
    trace: "off",
  },
});
