import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { chromium } from "playwright";

/**
 * A browser for the tests, from the cheapest source that works: an installed Chromium or Chrome,
 * Playwright's own, Playwright's download, the distribution's package.
 *
 * @returns {{file: string, source: string}}
 */
export function findBrowser() {
  const installed = installedBrowser();
  if (installed) return { file: installed, source: "installed on this machine" };

  const own = chromium.executablePath();
  if (runs(own)) return { file: own, source: "Playwright's own" };

  console.log("No browser found. Downloading Playwright's …");
  const cli = path.resolve("node_modules/playwright/cli.js");
  run(process.execPath, [cli, "install", "chromium", "--no-shell"], 300_000);
  if (runs(own)) return { file: own, source: "downloaded by Playwright" };

  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.log("Installing the distribution's …");
    run("/usr/bin/apt-get", ["update", "-qq"], 300_000);
    // The whole browser brings the fonts, and stands in where the shell is not packaged.
    for (const packages of [["chromium", "chromium-headless-shell"], ["chromium"]]) {
      run("/usr/bin/apt-get", ["install", "-y", "-qq", ...packages], 600_000);
      const packaged = installedBrowser();
      if (packaged) return { file: packaged, source: "installed from the distribution" };
    }
  }
  throw new Error(
    "The browser tests need Chromium or Chrome, and neither a download nor a package could be had. Install one and try again.",
  );
}

function installedBrowser() {
  // The headless shell comes first: the tests take a fifth less processor time with it.
  const names = [
    "chromium-headless-shell",
    "chromium",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "chromium-browser",
  ];
  const folders = [
    ...(process.env.PATH ?? "").split(path.delimiter).filter(Boolean),
    "/usr/bin",
    "/usr/local/bin",
    "/snap/bin",
  ];
  return [
    ...names.flatMap((name) => folders.map((folder) => path.join(folder, name))),
    "/opt/google/chrome/chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ].find(runs);
}

/** A file of that name may be a stub, or lack its libraries. @param {string} file */
function runs(file) {
  if (!existsSync(file)) return false;
  const { status, stdout } = spawnSync(file, ["--version"], { encoding: "utf8", timeout: 20_000 });
  return status === 0 && /chrom/i.test(stdout);
}

/** @param {string} program @param {string[]} args @param {number} timeout ms */
function run(program, args, timeout) {
  spawnSync(program, args, {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    timeout,
  });
}
