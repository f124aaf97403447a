/** How soon the QR List can be used on a slow line: 400 kbit/s, 400 ms, a processor of a sixth of the speed. */
import { chromium, type Page } from "playwright";
import { findBrowser } from "../support/browser.js";
import { startApp } from "./pages";
import { median, type Row } from "./row";
import { signIn } from "./server";

/** Visits with an empty cache; the median counts. */
const rounds = 5;

/**
 * 400 kbit/s with 400 ms of latency, and a processor of a sixth of the speed.
 * @returns gives the processor its speed back
 */
async function slowDown(page: Page): Promise<() => Promise<unknown>> {
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  });
  await client.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  return () => client.send("Emulation.setCPUThrottlingRate", { rate: 1 });
}

/**
 * Makes the page say on its console when React has taken it over. To ask from outside, Playwright runs a script of its
 * own in the page, which takes such a processor 0.3 s before the first paint.
 */
async function tellHydration(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const timer = setInterval(() => {
      const main = document.querySelector("main");
      if (!main || !Object.keys(main).some((key) => key.startsWith("__reactFiber"))) return;
      clearInterval(timer);
      console.info(`hydrated ${performance.now()}`);
    }, 20);
  });
}

/** Milliseconds since the navigation began. */
async function measureVisit(page: Page, address: string) {
  await tellHydration(page);
  const told = page.waitForEvent("console", (message) => message.text().startsWith("hydrated "));
  await page.goto(address, { waitUntil: "commit" });
  const hydrated = Number((await told).text().split(" ")[1]);
  const paint = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]!.startTime,
  );
  return { paint, hydrated };
}

/** Milliseconds from a press on a row's link until the dialog is there. */
async function measureDialog(page: Page): Promise<number> {
  const route = "routes/app.qr-list.$promotionId.delete";
  await page.waitForFunction((id) => id in window.__remixRouteModules, route);
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        new MutationObserver(() => {
          if (document.querySelector("[role=alertdialog]")) resolve(performance.now() - start);
        }).observe(document.body, { childList: true, subtree: true });
        document.querySelector<HTMLElement>("tbody a[title^=Delete]")!.click();
      }),
  );
}

type Visit = { paint: number; hydrated: number; dialog: number };

async function measureVisits(): Promise<Visit[]> {
  const app = await startApp();
  const browser = await chromium.launch({
    executablePath: findBrowser().file,
    args: ["--no-sandbox"],
  });
  try {
    const [name, value] = (await signIn(app.origin)).Cookie.split("=");
    const visits: Visit[] = [];
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext({ viewport: { width: 1366, height: 768 } });
      await context.addCookies([{ name: name!, value: value!, url: app.origin }]);
      const page = await context.newPage();
      const speedUp = await slowDown(page);
      const { paint, hydrated } = await measureVisit(page, `${app.origin}/app/qr-list`);
      // How soon a dialog comes is a matter of the line: its script and data are there.
      await speedUp();
      visits.push({ paint, hydrated, dialog: await measureDialog(page) });
      await context.close();
    }
    return visits;
  } finally {
    await browser.close();
    await app.stop();
  }
}

let visits: Promise<Visit[]> | undefined;

function slowLineRow(name: string, figure: keyof Visit, ceiling: number): Row {
  return {
    name: `Slow line: seconds until ${name}`,
    async measure() {
      visits ??= measureVisits();
      const seconds = (await visits).map((visit) => visit[figure] / 1_000);
      const detail = seconds.map((value) => value.toFixed(2)).join(", ");
      return { ratio: median(seconds), ceiling, detail: `${rounds} first visits: ${detail} s` };
    },
  };
}

export const slowLineRows: Row[] = [
  slowLineRow("the QR List is painted", "paint", 1),
  slowLineRow("it is hydrated", "hydrated", 4.3),
  slowLineRow("a dialog is there after its link was pressed", "dialog", 0.3),
];
