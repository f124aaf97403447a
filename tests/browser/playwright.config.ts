import { defineConfig } from "playwright/test";
import type { BrowserOptions } from "./fixtures";

// What only scripts add is tested only where they run.
const scripted = "*.scripted.spec.ts";

/**
 * Every other spec runs in three states: scripts off, scripts blocked (they never arrive, or late), and
 * scripts running. `BROWSER_PATH` is set by tests/run.js, which finds an installed browser.
 */
export default defineConfig<BrowserOptions>({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "../../test-results",
  workers: 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  // A busy machine can stall a browser for seconds; what needed it is named at the end of the run.
  retries: 1,
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
      ],
    },
    viewport: { width: 1280, height: 800 },
    trace: "off",
  },
  projects: [
    { name: "scripts off", use: { scripts: "off" }, testIgnore: scripted },
    { name: "scripts blocked", use: { scripts: "blocked" }, testIgnore: scripted },
    { name: "scripts running", use: { scripts: "running" } },
  ],
});
