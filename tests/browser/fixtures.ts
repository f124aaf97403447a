import axe, { type RunOptions } from "axe-core";
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
} from "playwright/test";
import { admin, createPromotion, type PromotionOptions } from "./arrange";
import { isSoak } from "../support/repetitions";
import { startApp, startEmbeddedApp, type App } from "../support/browser-app";
import { bodyOf, startSmtp, type ReceivedMail } from "../support/smtp";
import { startPlatform, type TestPlatform } from "../support/platform";
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  type ClusterAddresses,
} from "../support/test-cluster";

export { expect, startApp };

type Scripts = "off" | "blocked" | "running";

/** Opens an address of the app and waits until its scripts run, if any do. */
export type Visit = (address: string) => Promise<void>;

/** Marks a test that also runs while every script is blocked. */
export const alsoBlocked = { tag: "@blocked" };

/** The database of sample data that global-setup.ts creates. */
export const seededTemplate = "promo_seeded";

/** The key of sessions in the tests. */
export const appSecret = "the secret of the browser tests and of nothing else";

/** Names an ordinary desktop browser: some libraries treat headless ones as crawlers. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

type Fixtures = {
  /** Opens a context for the test alone: with a clock of its own, or with nothing cached. */
  hasOwnContext: boolean;
  visit: Visit;
  /** Creates a promotion of 10 % and opens the list, which shows it first. */
  openListOf: (name: string, options?: PromotionOptions) => Promise<{ id: string; code: string }>;
  /** A page that is signed in as the admin. */
  signedIn: Page;
  /**
   * Fails unless axe finds nothing in the open dialog; without one, on the page with the first rows of
   * its tables, because the others have the same markup. While scripts are blocked, only dialogs differ
   * from what it finds when they run.
   */
  expectAccessible: (page: Page, rows?: number) => Promise<void>;
  /** Waits for a mail to an address, and returns the path of its link. */
  mailedLink: (recipient: string) => Promise<string>;
  /** Forgets the last refresh of the machines, which is otherwise allowed once in 30 s. */
  allowRefresh: () => Promise<void>;
};

/** Dialogs, as modals and within the page. */
const dialogs = "[aria-labelledby=dialog-title]";

const viewport = { width: 1280, height: 800 };

async function openContext(browser: Browser, app: App, scripts: Scripts): Promise<BrowserContext> {
  const context = await browser.newContext({
    userAgent,
    viewport,
    baseURL: app.origin,
    javaScriptEnabled: scripts !== "off",
    acceptDownloads: true,
    // A worker would answer requests that tests watch and stop. It has a test of its own.
    serviceWorkers: "block",
  });
  await blockScripts(context, scripts);
  return context;
}

async function blockScripts(context: BrowserContext, scripts: Scripts): Promise<void> {
  if (scripts === "blocked") await context.route("**/*.js", (route) => route.abort());
}

/**
 * Leaves one page without scripts, and no cookie, permission or route of the test. The app stores nothing else. The
 * page is the app's own: after another origin, the next page would begin with a process that has compiled nothing.
 */
async function clear(context: BrowserContext, app: App, scripts: Scripts): Promise<void> {
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
  await page.goto(`${app.origin}/healthz`);
  await page.setViewportSize(viewport);
  // The pointer would rest on something of the next page.
  await page.mouse.move(-1, -1);
}

/** Runs in the page; counts the animations that end within a second. */
function countFades(): number {
  return document.getAnimations().filter(({ playState, effect }) => {
    const { endTime = Infinity } = effect?.getComputedTiming() ?? {};
    return playState === "running" && Number(endTime) < 1_000;
  }).length;
}

export type BrowserOptions = { scripts: Scripts };

type WorkerFixtures = BrowserOptions & {
  app: App;
  /** Context that the tests of a worker share: a new context and page cost half a second. */
  sharedContext: BrowserContext;
  /** The address of the app's database, a clone of the sample data. */
  databaseAddress: string;
  /** A connection to the database of the app. */
  database: pg.Client;
  /** Starts the app with its embedded database instead of a clone. */
  isEmbedded: boolean;
  /** Variables of the app's environment. */
  environment: Record<string, string>;
  sessionCookie: string;
  /** Replaces the built-in sample platform by one that the tests of a file can change. */
  hasPlatform: boolean;
  platform: TestPlatform | null;
  /** Sends mail to a real SMTP server on loopback. */
  hasSmtp: boolean;
  smtp: Awaited<ReturnType<typeof startSmtp>> | null;
};

export const test = base.extend<Fixtures, WorkerFixtures>({
  scripts: ["running", { option: true, scope: "worker" }],
  hasOwnContext: [false, { option: true }],
  hasPlatform: [false, { option: true, scope: "worker" }],
  isEmbedded: [false, { option: true, scope: "worker" }],
  environment: [{}, { option: true, scope: "worker" }],
  hasSmtp: [false, { option: true, scope: "worker" }],

  smtp: [
    async ({ hasSmtp }, use) => {
      const smtp = hasSmtp ? await startSmtp({}, () => {}) : null;
      await use(smtp);
      await smtp?.stop();
    },
    { scope: "worker" },
  ],

  mailedLink: async ({ smtp }, use) => {
    await use(async (recipient) => {
      const linkOf = (mail: ReceivedMail) => /https?:[^\s<>"]+token=[\w-]+/.exec(bodyOf(mail))?.[0];
      const find = () =>
        smtp!.received.findLast((mail) => mail.recipients.includes(recipient) && linkOf(mail));
      await expect.poll(find, { timeout: 60_000 }).toBeTruthy();
      const mail = smtp!.received.splice(smtp!.received.indexOf(find()!), 1)[0]!;
      const { pathname, search } = new URL(linkOf(mail)!);
      return pathname + search;
    });
  },

  platform: [
    async ({ hasPlatform }, use) => {
      const platform = hasPlatform ? await startPlatform() : null;
      await use(platform);
      await platform?.stop();
    },
    { scope: "worker" },
  ],

  databaseAddress: [
    // Playwright reads the names of the fixtures that are used from this pattern.
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

  app: [
    async ({ platform, databaseAddress, isEmbedded, environment, smtp }, use) => {
      const app = isEmbedded
        ? await startEmbeddedApp()
        : await startApp({
            DATABASE_URL: databaseAddress,
            APP_SECRET: appSecret,
            ...platform?.environment,
            ...(smtp && { SMTP_URL: smtp.url }),
            ...environment,
          });
      await use(app);
      await app.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],

  database: [
    async ({ databaseAddress }, use) => {
      const client = new pg.Client({ connectionString: databaseAddress });
      await client.connect();
      await use(client);
      await client.end();
    },
    { scope: "worker" },
  ],

  sessionCookie: [
    async ({ app }, use) => {
      const answer = await fetch(`${app.origin}/login`, {
        method: "POST",
        redirect: "manual",
        headers: { Origin: app.origin, "Content-Type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(admin),
      });
      const cookie = answer.headers.getSetCookie().find((line) => line.startsWith("sid="));
      expect(cookie, `POST /login answered ${answer.status}`).toBeTruthy();
      await use(/sid=([^;]+)/.exec(cookie!)![1]!);
    },
    { scope: "worker" },
  ],

  baseURL: async ({ app }, use) => use(app.origin),

  sharedContext: [
    async ({ browser, app, scripts }, use) => {
      const context = await openContext(browser, app, scripts);
      await use(context);
      await context.close();
    },
    { scope: "worker" },
  ],

  context: async ({ browser, app, scripts, sharedContext, hasOwnContext }, use) => {
    const context = hasOwnContext ? await openContext(browser, app, scripts) : sharedContext;
    await use(context);
    if (hasOwnContext) await context.close();
    else await clear(context, app, scripts);
  },

  page: async ({ context }, use) => {
    const page = context.pages()[0] ?? (await context.newPage());
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
        // A test aborts requests itself, or cuts the line.
        /^Failed to load resource: net::ERR_(FAILED|INTERNET_DISCONNECTED|CONNECTION_\w+|EMPTY_RESPONSE)$/.test(
          message.text(),
        );
      if (message.type() === "error" && !isExpected) faults.push(message.text());
    });
    await use(page);
    expect(faults, "errors in the browser's console").toEqual([]);
  },

  signedIn: async ({ page, context, app, sessionCookie }, use) => {
    await context.addCookies([{ name: "sid", value: sessionCookie, url: app.origin }]);
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
    await use(async (page, rows = 3) => {
      const hasDialog = (await page.locator(dialogs).count()) > 0;
      if (scripts === "blocked" && !hasDialog) return;
      await waitForFades(page);
      await expectNoViolations(
        page,
        {},
        hasDialog ? { include: [dialogs] } : { exclude: [`tbody tr:nth-child(n + ${rows + 1})`] },
      );
    });
  },
});

/** Fails unless all text has enough contrast; for pages whose other rules are checked elsewhere. */
export async function expectContrast(page: Page): Promise<void> {
  const options = { runOnly: { type: "rule" as const, values: ["color-contrast"] } };
  await waitForFades(page);
  await expectNoViolations(page, options);
}

type Palette = { theme: string; mode: "light" | "dark" };

/** The palettes besides the default one: the one that differs most, and in `npm run soak` all. */
export const otherPalettes = ["default", "secondary", "success"]
  .flatMap((theme): Palette[] => [
    { theme, mode: "light" },
    { theme, mode: "dark" },
  ])
  .slice(isSoak ? 1 : -1);

/** Shows the page in another palette as the server would, by the classes of the document. */
export async function showPalette(page: Page, { theme, mode }: Palette): Promise<void> {
  const root = page.locator("html");
  await root.evaluate(
    (html, name) => html.setAttribute("class", name),
    `theme-${theme} mode-${mode}`,
  );
  await expect(root).toHaveCSS("color-scheme", mode);
}

/** Half faded in, text has half its contrast. */
async function waitForFades(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(countFades), { intervals: [50] }).toBe(0);
}

/** @param scope selects what is checked, or what is not; by default everything is */
async function expectNoViolations(
  page: Page,
  options: RunOptions,
  scope: Scope = { exclude: [] },
): Promise<void> {
  // No page has frames, so that the results need not be put together.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(findViolations, { options, scope });
  expect(violations, `axe on ${page.url()}`).toEqual([]);
}

type Scope = { include: string[] } | { exclude: string[] };

/** Runs in the page, beside axe. */
async function findViolations(input: { options: object; scope: object }): Promise<string[]> {
  const { axe: checker } = window as unknown as { axe: typeof axe };
  // Style sheets would be fetched for a rule about the orientation of screens, which is off.
  const options: RunOptions = { resultTypes: ["violations"], preload: false, ...input.options };
  const { violations } = await checker.run(input.scope as Scope, options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

/** Waits until React has taken over the page, where scripts run. */
export async function hydrated(page: Page, scripts: Scripts): Promise<void> {
  if (scripts !== "running") return;
  const isHydrated = () =>
    Object.keys(document.querySelector("main")!).some((key) => key.startsWith("__reactFiber"));
  await expect.poll(() => page.evaluate(isHydrated), { intervals: [20, 20, 50, 100] }).toBe(true);
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
