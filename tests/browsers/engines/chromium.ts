import { findProgram, type Engine } from "../engine";
import { launchWithPuppeteer } from "./puppeteer";

/** A whole Chromium, not a headless shell, which lacks parts such as the favicon. */
export const chromium: Engine = {
  name: "Chromium",
  installation: "apt-get install chromium",
  find: () =>
    findProgram("chromium", "google-chrome-stable", "google-chrome", "chrome", "chromium-browser"),
  launch: (program, folder) =>
    launchWithPuppeteer({
      executablePath: program,
      env: { ...process.env, HOME: folder },
      args: ["--no-sandbox", "--disable-quic", "--window-size=1366,900"],
    }),
};
