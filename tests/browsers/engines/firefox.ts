import { findProgram, type Engine } from "../engine";
import { launchWithPuppeteer } from "./puppeteer";

/** Firefox, which is driven by WebDriver BiDi. */
export const firefox: Engine = {
  name: "Firefox",
  installation: "apt-get install firefox-esr",
  find: () => findProgram("firefox-esr", "firefox"),
  launch: (program, folder) =>
    launchWithPuppeteer({
      browser: "firefox",
      executablePath: program,
      env: { ...process.env, HOME: folder },
      // The list of downloads would take the focus from the page.
      extraPrefsFirefox: { "browser.download.alwaysOpenPanel": false },
    }),
};
