import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import {
  test as base,
  expect,
  type Browser,
  type BrowserContext,
  type Download,
  type Locator,
  type Page,
  type Route,
  type TestInfo,
  type TestType,
} from "playwright/test";
import { expectNoViolations, waitForFades } from "./accessibility";
import { adminSecrets, createPromotion, type PromotionOptions } from "./arrange";
import { goByKeyboard } from "./keyboard-alone";
import { isSoak } from "../support/repetitions";
import { startApp, type App } from "../support/browser-app";
import { startPlatform, type TestPlatform } from "../support/platform";
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  type ClusterAddresses,
} from "../support/test-cluster";

export { expect, startApp };

export type Scripts = "off" | "blocked" | "running";

/** Opens an address of the app and waits until its scripts run, if any do. */
export type Visit = (address: string) => Promise<void>;

/** Defines a test that runs twice: with scripts, and while every script is blocked, as it never arrives. */
export function testAlsoBlocked<Args extends object, WorkerArgs extends object>(
  test: TestType<Args, WorkerArgs>,
  title: string,
  body: (args: Args & WorkerArgs, testInfo: TestInfo) => Promise<void>,
): void {
  test(title, body);
  test.describe("while scripts are blocked", () => {
    test.use({ scripts: "blocked" } as never);
    test(title, body);
  });
}

/** Leaves the second run to `npm run soak`, because the tests of tests/http post the same forms without scripts. */
export const testAlsoBlockedInSoak: typeof testAlsoBlocked = (test, title, body) =>
  isSoak ? testAlsoBlocked(test, title, body) : test(title, body);

/** The database of sample data that global-setup.ts creates. */
export const seededTemplate = "promo_seeded";

/** The key of sessions in the tests. */
export const appSecret = "the secret of the browser tests and of nothing else";

/** Names an ordinary desktop browser: some libraries treat headless ones as crawlers. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

type Fixtures = {
  scripts: Scripts;
  /** The origin of the instance that is visited: by default that of `app`. */
  origin: string;
  /** Opens a context for the test alone: with a clock of its own, or with nothing cached. */
  hasOwnContext: boolean;
  /** The test answers requests by 5xx, which the console tells. */
  answersErrors: boolean;
  visit: Visit;
  /** Creates a promotion of 10 % and opens the list, which shows it first. */
  openListOf: (name: string, options?: PromotionOptions) => Promise<{ id: string; code: string }>;
  /** A page that is signed in as the admin. */
  signedIn: Page;
  /**
   * Fails unless axe finds nothing in the open dialog; without one, on the page with the first rows of
   * its tables, because the others have the same markup. The frame of pages is checked if a number of rows
   * is given, as every-page.spec.ts does. While scripts are blocked, only dialogs differ from what it finds
   * when they run.
   */
  expectAccessible: (page: Page, rows?: number) => Promise<void>;
  /** Forgets the last refresh of the machines, which is otherwise allowed once in 30 s. */
  allowRefresh: () => Promise<void>;
};

/** Ten rows in each list, as a browser remembers them: a page of 25 rows takes a test twice as long. */
const shortLists = {
  list: "10",
  "rows-transactions": "10",
  "rows-refusals": "10",
  "rows-audit": "10",
  "rows-reports": "10",
};

/** Dialogs, as modals and within the page. */
const dialogs = "[aria-labelledby=dialog-title]";

/** The parts of the shell around a screen. */
const frame = ["header:not(main *)", "nav[aria-label=Main]", 'aside[aria-label="Theme settings"]'];

const rowsAfter = (count: number) => `tbody tr:nth-child(n + ${count + 1})`;

const viewport = { width: 1280, height: 800 };

async function openContext(
  browser: Browser,
  origin: string,
  scripts: Scripts,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    userAgent,
    viewport,
    baseURL: origin,
    javaScriptEnabled: scripts !== "off",
    acceptDownloads: true,
    // A worker would answer requests that tests watch and stop. It has a test of its own.
    serviceWorkers: "block",
  });
  await blockScripts(context, scripts);
  // Code that is made of text leaves no other trace where a library catches the error.
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, sourceFile }) => {
      console.error(`${sourceFile} violates ${violatedDirective}`);
    });
  });
  return context;
}

async function blockScripts(context: BrowserContext, scripts: Scripts): Promise<void> {
  if (scripts === "blocked") await context.route("**/*.js", (route) => route.abort());
}

/**
 * Leaves one page without scripts, and no cookie, permission or route of the test. The app stores nothing else. The
 * page is the app's own: after another origin, the next page would begin with a process that has compiled nothing.
 */
async function clear(context: BrowserContext, origin: string, scripts: Scripts): Promise<void> {
  const [page, ...others] = context.pages();
  for (const other of others) await other.close();
  await context.clearCookies();
  await context.clearPermissions();
  await context.setOffline(false);
  await context.unrouteAll({ behavior: "ignoreErrors" });
  await blockScripts(context, scripts);
  if (!page) return;
  page.removeAllListeners();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  // A tab keeps what its pages stored.
  if (page.url().startsWith("http")) await page.evaluate(() => sessionStorage.clear());
  await page.goto(`${origin}/healthz`);
  await page.setViewportSize(viewport);
  await page.emulateMedia({ media: null, colorScheme: null, forcedColors: null });
  // The pointer would rest on something of the next page.
  await page.mouse.move(-1, -1);
}

/**
 * Starts an app and waits until it answers a page: on a busy machine its first connections to the database may take
 * longer than a page waits for one, which is then a 503.
 */
async function startAnswering(environment: Record<string, string>): Promise<App> {
  const app = await startApp(environment);
  const headers = { Cookie: `sid=${adminSecrets().session}` };
  const statusOfList = async () =>
    (await fetch(`${app.origin}/app/qr-list`, { headers, redirect: "manual" })).status;
  await expect.poll(statusOfList, { timeout: 60_000 }).toBe(200);
  return app;
}

/** Adds the beginning of what a page shows to the report of a test that failed. */
async function attachPage(page: Page, testInfo: TestInfo): Promise<void> {
  const shown = await page.locator("body").ariaSnapshot({ timeout: 2_000 }).catch(String);
  const lines = [page.url(), ...shown.split("\n").slice(0, 100)];
  await testInfo.attach("page", { body: lines.join("\n"), contentType: "text/plain" });
}

type WorkerFixtures = {
  /** Runs with the worker's platform on the worker's database. */
  app: App;
  /** Returns another instance of the app with these variables on the same database; it stops with the worker. */
  instanceWith: (environment: Record<string, string>) => Promise<App>;
  /** Returns the context that the tests of a worker share: a new context and page cost half a second. */
  sharedContext: (origin: string, scripts: Scripts) => Promise<BrowserContext>;
  /** The address of the app's database, a clone of the sample data. */
  databaseAddress: string;
  /** A connection to the database of the app. */
  database: pg.Client;
  /** The vending platform, which lists the sample machines. */
  platform: TestPlatform;
};

export const test = base.extend<Fixtures, WorkerFixtures>({
  scripts: ["running", { option: true }],
  hasOwnContext: [false, { option: true }],
  answersErrors: [false, { option: true }],

  platform: [
    // Playwright reads the names of the fixtures that are used from this pattern.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const platform = await startPlatform();
      await use(platform);
      await platform.stop();
    },
    { scope: "worker" },
  ],

  databaseAddress: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use, { workerIndex }) => {
      const cluster = JSON.parse(process.env.TEST_CLUSTER!) as ClusterAddresses;
      const name = `browser_${workerIndex}`;
      await createDatabase(cluster, name, seededTemplate);
      await use(databaseUrl(cluster, name));
      await dropDatabase(cluster, name);
    },
    { scope: "worker" },
  ],

  instanceWith: [
    async ({ platform, databaseAddress }, use) => {
      const instances = new Map<string, Promise<App>>();
      await use((environment) => {
        const name = JSON.stringify(environment);
        const instance =
          instances.get(name) ??
          startAnswering({
            DATABASE_URL: databaseAddress,
            APP_SECRET: appSecret,
            ...platform.environment,
            ...environment,
          });
        instances.set(name, instance);
        return instance;
      });
      for (const instance of instances.values()) await (await instance).stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],

  app: [
    async ({ instanceWith }, use) => use(await instanceWith({})),
    { scope: "worker", timeout: 120_000 },
  ],

  origin: async ({ app }, use) => use(app.origin),

  database: [
    async ({ databaseAddress }, use) => {
      const client = new pg.Client({ connectionString: databaseAddress });
      await client.connect();
      await use(client);
      await client.end();
    },
    { scope: "worker" },
  ],

  baseURL: async ({ origin }, use) => use(origin),

  sharedContext: [
    async ({ browser }, use) => {
      const contexts = new Map<string, Promise<BrowserContext>>();
      await use((origin, scripts) => {
        const name = `${origin} ${scripts}`;
        const context = contexts.get(name) ?? openContext(browser, origin, scripts);
        contexts.set(name, context);
        return context;
      });
      for (const context of contexts.values()) await (await context).close();
    },
    { scope: "worker" },
  ],

  context: async ({ browser, origin, scripts, sharedContext, hasOwnContext }, use) => {
    const context = hasOwnContext
      ? await openContext(browser, origin, scripts)
      : await sharedContext(origin, scripts);
    await use(context);
    if (hasOwnContext) await context.close();
    else await clear(context, origin, scripts);
  },

  page: async ({ context, answersErrors }, use, testInfo) => {
    const page = context.pages()[0] ?? (await context.newPage());
    if (process.env.KEYBOARD) goByKeyboard(page);
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => {
      const isExpected =
        /Failed to load resource: the server responded with a status of 4\d\d/.test(
          message.text(),
        ) ||
        (message.location().url.endsWith("/500") && /status of 500/.test(message.text())) ||
        // The platform gives no list.
        (message.location().url.includes("/app/machines/confirm") &&
          /status of 503/.test(message.text())) ||
        (answersErrors && /status of 5\d\d/.test(message.text())) ||
        // A test aborts requests itself, or cuts the line.
        /^Failed to load resource: net::ERR_(FAILED|INTERNET_DISCONNECTED|CONNECTION_\w+|EMPTY_RESPONSE)$/.test(
          message.text(),
        );
      if (message.type() === "error" && !isExpected) faults.push(message.text());
    });
    await use(page);
    if (testInfo.status !== testInfo.expectedStatus) await attachPage(page, testInfo);
    expect(faults, "errors in the browser's console").toEqual([]);
  },

  signedIn: async ({ page, context, origin }, use) => {
    const cookies = Object.entries({ sid: adminSecrets().session, ...shortLists });
    await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: origin })));
    await use(page);
  },

  visit: async ({ page, scripts }, use) => {
    await use(async (address) => {
      await page.goto(address);
      await hydrated(page, scripts);
    });
  },

  openListOf: async ({ app, visit }, use) => {
    await use(async (name, options) => {
      const promotion = await createPromotion(app, name, options);
      await visit("/app/qr-list");
      return promotion;
    });
  },

  allowRefresh: async ({ database }, use) => {
    await use(async () => {
      await database.query("delete from rate_limits where key like 'machines-refresh:%'");
    });
  },

  expectAccessible: async ({ scripts }, use) => {
    await use(async (page, rows) => {
      const hasDialog = (await page.locator(dialogs).count()) > 0;
      if (scripts === "blocked" && !hasDialog) return;
      await waitForFades(page);
      await expectNoViolations(
        page,
        {},
        hasDialog
          ? { include: [dialogs] }
          : { exclude: [...(rows ? [] : frame), rowsAfter(rows ?? 3)] },
      );
    });
  },
});

/** Waits until React has taken over the page, where scripts run. */
export async function hydrated(page: Page, scripts: Scripts): Promise<void> {
  if (scripts !== "running") return;
  const isHydrated = () =>
    Object.keys(document.querySelector("main")!).some((key) => key.startsWith("__reactFiber"));
  await expect.poll(() => page.evaluate(isHydrated), { intervals: [20, 20, 50, 100] }).toBe(true);
}

/** Waits until the scripts of a route are there, which come when somebody is near its links. */
export async function routeLoaded(page: Page, route: string): Promise<void> {
  await page.waitForFunction((id) => id in window.__remixRouteModules, route);
}

/** Fails when the focus is lost: reading with the keyboard would start over. */
export async function expectFocusKept(page: Page): Promise<void> {
  await expect(page.locator("body :focus")).toHaveCount(1);
}

/** Fails if the page can be scrolled sideways at the width of a small phone. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await sidewaysScroll(page)).toBe(0);
  await page.setViewportSize(viewport);
}

/** Handles the posts to an address; other requests go on. */
export async function routePosts(
  page: Page,
  address: string,
  handle: (route: Route) => Promise<void>,
): Promise<void> {
  await page.route(address, (route) =>
    route.request().method() === "POST" ? handle(route) : route.continue(),
  );
}

/** Answers the posts to an address by what no page can read. */
export const garblePosts = (page: Page, address: string) =>
  routePosts(page, address, (route) =>
    route.fulfill({ contentType: "application/json", body: "{" }),
  );

/** Makes a handler of requests that holds them until they are released, and then goes on with them. */
export function heldRoute(goOn = (route: Route) => route.continue()) {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const hold = async (route: Route) => {
    await released;
    await goOn(route);
  };
  return { hold, release };
}

/** Opens a modal with the keyboard and closes it, and fails unless it gives the focus back. */
export async function expectModalGivesFocusBack(
  trigger: Locator,
  rounds: number,
  dialog = trigger.page().getByRole("dialog"),
): Promise<void> {
  const page = trigger.page();
  for (let round = 0; round < rounds; round++) {
    await trigger.focus();
    await page.keyboard.press("Enter");
    await expect(dialog).toBeVisible();
    await expect(page.locator("[role=dialog]:focus, [role=dialog] :focus")).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(trigger).toBeFocused();
  }
}

/** Clicks and returns the file that is downloaded. */
export async function downloadFrom(control: Locator): Promise<Download> {
  const [file] = await Promise.all([control.page().waitForEvent("download"), control.click()]);
  return file;
}

/** Makes a file of zeros, which the browser reads itself: bytes that a test hands over pass its protocol as text. */
export function fileOfZeros(testInfo: TestInfo, name: string, bytes: number): string {
  const file = testInfo.outputPath(name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, Buffer.alloc(bytes));
  return file;
}

/** Returns by how many pixels the page can be scrolled sideways. */
export async function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return Math.max(0, scrollWidth - clientWidth);
  });
}

/** Unfolds the fields behind a button of a list's filters. */
export async function unfold(page: Page, label: string): Promise<void> {
  await page.locator("#filters summary").filter({ hasText: label }).click();
}
