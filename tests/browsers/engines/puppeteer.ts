import puppeteer, { type ElementHandle, type LaunchOptions } from "puppeteer-core";
import { findElement, query, type Browser, type Target } from "../engine";

/** Starts a browser that puppeteer can drive. */
export async function launchWithPuppeteer(options: LaunchOptions): Promise<Browser> {
  const browser = await puppeteer.launch({ headless: true, defaultViewport: null, ...options });
  // The tab that Firefox starts with never has the focus.
  const page = await browser.newPage();
  const requests: { time: number; name: string }[] = [];
  page.on("request", (request) =>
    requests.push({ time: Date.now(), name: `${request.method()} ${request.url()}` }),
  );

  async function find(target: Target) {
    const handle = await page.evaluateHandle(findElement, ...query(target));
    return handle.asElement() as ElementHandle<HTMLInputElement> | null;
  }

  async function elementOf(target: Target) {
    const element = await find(target);
    if (!element) throw new Error(`There is no ${JSON.stringify(target)}.`);
    return element;
  }

  return {
    version: await browser.version(),
    open: async (address) => void (await page.goto(address)),
    evaluate: (task, ...args) => page.evaluate(task as (...args: unknown[]) => never, ...args),
    has: async (target) => (await find(target)) !== null,
    click: async (target) => (await elementOf(target)).click(),
    upload: async (target, file) => (await elementOf(target)).uploadFile(file),
    type: (text) => page.keyboard.type(text),
    press: async (key) => {
      if (key !== "Shift+Tab") return page.keyboard.press(key);
      await page.keyboard.down("Shift");
      await page.keyboard.press("Tab");
      await page.keyboard.up("Shift");
    },
    resize: (width, height) => page.setViewport({ width, height }),
    cookies: async () =>
      (await browser.cookies()).map(({ name, value }) => `${name}=${value}`).join("; "),
    clearCookies: async () => browser.deleteCookie(...(await browser.cookies())),
    requestsSince: (since) => requests.filter(({ time }) => time >= since).map(({ name }) => name),
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: () => browser.close(),
  };
}
