import { AxeBuilder } from "@axe-core/playwright";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test as base, expect, type Page } from "playwright/test";
import { startPlatform, type TestPlatform } from "../support/platform";

export { expect };

export type BrowserOptions = { scripts: "off" | "blocked" | "running" };

export const admin = { email: "admin@example.com", password: "correct horse battery staple" };

type App = { origin: string; dataDir: string };
const root = path.resolve(import.meta.dirname, "../..");

/** An ordinary desktop browser: some libraries treat headless ones as crawlers. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** Starts the product as its users do, on a data folder of its own. */
async function startApp(
  environment: Record<string, string> = {},
): Promise<App & { stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "promo-console-browser-"));
  const child: ChildProcess = spawn(process.execPath, ["app/server/main.js"], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      PORT: "0",
      DATA_DIR: dataDir,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      SAMPLE_DATA: "1",
      TIME_ZONE: "Europe/Berlin",
      ...environment,
    } as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const origin = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const address = /http:\/\/localhost:\d+/.exec(output);
      if (address) resolve(address[0]);
    };
    child.stdout!.on("data", read);
    child.stderr!.on("data", read);
    child.once("exit", (code) => reject(new Error(`The app stopped (${code}):\n${output}`)));
  });
  return {
    origin,
    dataDir,
    async stop() {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

type Fixtures = BrowserOptions & {
  /** A page that is signed in as the admin. */
  signedIn: Page;
  /** Fails unless axe finds nothing on the page as it stands. */
  expectAccessible: (page: Page) => Promise<void>;
};

/** In the page: what is shown for less than a second while something appears. */
function countFades(): number {
  return document.getAnimations().filter(({ playState, effect }) => {
    const { endTime = Infinity } = effect?.getComputedTiming() ?? {};
    return playState === "running" && Number(endTime) < 1_000;
  }).length;
}

type WorkerFixtures = {
  app: App;
  sessionCookie: string;
  /** Instead of the built-in sample platform, one that the tests of a file can change. */
  hasPlatform: boolean;
  platform: TestPlatform | null;
};

export const test = base.extend<Fixtures, WorkerFixtures>({
  scripts: ["running", { option: true }],
  hasPlatform: [false, { option: true, scope: "worker" }],

  platform: [
    async ({ hasPlatform }, use) => {
      const platform = hasPlatform ? await startPlatform() : null;
      await use(platform);
      await platform?.stop();
    },
    { scope: "worker" },
  ],

  app: [
    async ({ platform }, use) => {
      const app = await startApp(platform?.environment);
      await use(app);
      await app.stop();
    },
    { scope: "worker", timeout: 120_000 },
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

  context: async ({ browser, app, scripts }, use) => {
    const context = await browser.newContext({
      userAgent,
      baseURL: app.origin,
      javaScriptEnabled: scripts !== "off",
      viewport: { width: 1280, height: 800 },
      acceptDownloads: true,
    });
    if (scripts === "blocked") await context.route("**/assets/*.js", (route) => route.abort());
    await use(context);
    await context.close();
  },

  page: async ({ context }, use) => {
    const page = await context.newPage();
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
        // What a test itself holds back.
        message.text() === "Failed to load resource: net::ERR_FAILED";
      if (message.type() === "error" && !isExpected) faults.push(message.text());
    });
    await use(page);
    expect(faults, "errors in the browser's console").toEqual([]);
  },

  signedIn: async ({ page, context, app, sessionCookie }, use) => {
    await context.addCookies([{ name: "sid", value: sessionCookie, url: app.origin }]);
    await use(page);
  },

  // axe needs scripts of its own in the page; what it would see with scripts off is exactly the
  // page whose scripts are blocked.
  expectAccessible: async ({ scripts }, use) => {
    await use(async (page) => {
      if (scripts === "off") return;
      // Half faded in, text has half its contrast.
      await expect.poll(() => page.evaluate(countFades)).toBe(0);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`),
        `axe on ${page.url()}`,
      ).toEqual([]);
    });
  },
});

/** Until React has taken the page over, where scripts run; at once where they don't. */
export async function hydrated(page: Page, scripts: BrowserOptions["scripts"]): Promise<void> {
  if (scripts !== "running") return;
  await expect
    .poll(() =>
      page.evaluate(() =>
        Object.keys(document.querySelector("main")!).some((key) => key.startsWith("__reactFiber")),
      ),
    )
    .toBe(true);
}
