import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Builder, Capabilities, Key, type WebDriver, type WebElement } from "selenium-webdriver";
import { status } from "../../support/app";
import { freePort } from "../../support/free-port";
import { findElement, findProgram, query, type Browser, type Engine, type Target } from "../engine";

const keys = {
  Tab: [Key.TAB],
  "Shift+Tab": [Key.SHIFT, Key.TAB],
  Enter: [Key.ENTER],
  Escape: [Key.ESCAPE],
  ArrowLeft: [Key.ARROW_LEFT],
  ArrowRight: [Key.ARROW_RIGHT],
};

/** WebKitGTK, the engine of Safari, in the browser that its WebDriver brings. It needs a display. */
export const webkit: Engine = {
  name: "WebKitGTK",
  installation: "apt-get install webkit2gtk-driver xvfb",
  find: () => (findProgram("Xvfb") ? findProgram("WebKitWebDriver") : null),
  async launch(program, folder) {
    const screen = ["-screen", "0", "1600x1200x24", "-nolisten", "tcp"];
    const xvfb = spawn(findProgram("Xvfb")!, ["-displayfd", "3", ...screen], {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    });
    const [display] = (await once(xvfb.stdio[3]!, "data")) as [Buffer];
    const port = await freePort();
    const server = spawn(program, [`--port=${port}`], {
      env: { ...process.env, HOME: folder, DISPLAY: `:${String(display).trim()}` },
      stdio: "ignore",
    });
    const address = `http://127.0.0.1:${port}`;
    while ((await status(`${address}/status`)) !== 200) await delay(20);
    const driver = await new Builder()
      .usingServer(address)
      .withCapabilities(new Capabilities({ browserName: "MiniBrowser" }))
      .build();
    const version = (await driver.getCapabilities()).get("browserVersion") as string;
    return { ...driveWebKit(driver), version, close: () => close(driver, [server, xvfb]) };
  },
};

async function close(driver: WebDriver, programs: ChildProcess[]): Promise<void> {
  await driver.quit();
  for (const program of programs) {
    program.kill();
    await once(program, "exit");
  }
}

function driveWebKit(driver: WebDriver): Omit<Browser, "version" | "close"> {
  const evaluate: Browser["evaluate"] = (task, ...args) =>
    driver.executeScript(`return (${task})(...arguments)`, ...args);

  const find = (target: Target) =>
    evaluate(findElement, ...query(target)) as Promise<unknown> as Promise<WebElement | null>;

  async function elementOf(target: Target): Promise<WebElement> {
    const element = await find(target);
    if (!element) throw new Error(`There is no ${JSON.stringify(target)}.`);
    return element;
  }

  return {
    open: (address) => driver.get(address),
    evaluate,
    has: async (target) => (await find(target)) !== null,
    click: async (target) => {
      const element = await elementOf(target);
      // The driver counts what is under a sticky bar as in view.
      await driver.executeScript("arguments[0].scrollIntoView({ block: 'center' })", element);
      await element.click();
    },
    upload: async (target, file) => (await elementOf(target)).sendKeys(file),
    type: (text) => driver.actions().sendKeys(text).perform(),
    press: async (key) => {
      const actions = driver.actions();
      for (const part of keys[key]) actions.keyDown(part);
      for (const part of keys[key].toReversed()) actions.keyUp(part);
      await actions.perform();
    },
    async resize(width, height) {
      // The window has a toolbar around the page, may not be narrower than that, and takes its size later.
      const window = driver.manage().window();
      for (let round = 0; round < 20; round++) {
        const inner = await evaluate(() => ({ width: innerWidth, height: innerHeight }));
        if (inner.width === width && inner.height === height) return;
        const outer = await window.getRect();
        await window.setRect({
          width: outer.width + width - inner.width,
          height: outer.height + height - inner.height,
        });
        await delay(50);
      }
    },
    cookies: async () =>
      (await driver.manage().getCookies()).map(({ name, value }) => `${name}=${value}`).join("; "),
    clearCookies: () => driver.manage().deleteAllCookies(),
    screenshot: async () => Buffer.from(await driver.takeScreenshot(), "base64"),
  };
}
