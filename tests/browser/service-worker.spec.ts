import type { Page } from "playwright/test";
import { submitSignIn } from "./arrange";
import { reportFigures } from "../support/fault-figures";
import { appSecret, expect, hydrated, startApp, test } from "./fixtures";
import { createRelease } from "./releases";

type App = Awaited<ReturnType<typeof startApp>>;
type Release = Awaited<ReturnType<typeof createRelease>>;

const versionOf = (page: Page) =>
  page.evaluate(
    () => (window as unknown as { __remixManifest?: { version: string } }).__remixManifest?.version,
  );
const workerOf = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.scriptURL);
const cachedPaths = (page: Page) =>
  page.evaluate(async () => {
    const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = (await Promise.all(opened.map((cache) => cache.keys()))).flat();
    return requests.map(({ url }) => new URL(url).pathname);
  });

test("a tab goes on after a deployment, is offered the new version, and gets its worker with one reload", async ({
  browser,
  databaseAddress,
}) => {
  const releases: Release[] = [];
  let app: App | undefined;
  let port = "0";
  const stop = async () => {
    await app?.stop();
    app = undefined;
  };
  const deploy = async (change: Parameters<typeof createRelease>[0]) => {
    const release = await createRelease(change);
    releases.push(release);
    await stop();
    app = await startApp(
      { DATABASE_URL: databaseAddress, APP_SECRET: appSecret, PORT: port },
      release.start,
    );
    ({ port } = new URL(app.origin));
    return app.origin;
  };
  const origin = await deploy({});
  const context = await browser.newContext({ baseURL: origin });
  try {
    const [reading, typing, offered] = [
      await context.newPage(),
      await context.newPage(),
      await context.newPage(),
    ];
    await reading.goto("/login?returnTo=/app/dashboard");
    await submitSignIn(reading);
    await typing.clock.install();
    await typing.goto("/app/qr-generation");
    await offered.goto("/app/machines");
    for (const page of [reading, typing, offered]) await hydrated(page, "running");
    const oldVersion = await versionOf(reading);
    await expect.poll(() => workerOf(reading)).toContain(`/service-worker.js?v=${oldVersion}`);
    await typing.getByLabel("Name", { exact: true }).fill("Summer");

    let reloads = 0;
    offered.on("load", () => (reloads += 1));
    await deploy({ suffix: "x" });
    // The script of the next page is gone, so that it is opened as a document.
    await reading.getByRole("link", { name: "Transactions", exact: true }).click();
    await expect(reading.getByRole("heading", { level: 1, name: "Transactions" })).toBeVisible();
    await expect.poll(() => versionOf(reading)).toBe(`${oldVersion}x`);

    await expect(offered.getByText("A new version is available.")).toBeVisible();
    await offered.getByRole("button", { name: "Load it now" }).click();
    await hydrated(offered, "running");
    await expect.poll(() => versionOf(offered)).toBe(`${oldVersion}x`);
    await expect.poll(() => workerOf(offered)).toContain(`?v=${oldVersion}x`);
    reportFigures("F35", `the worker of the new release is there after ${reloads} reload`);

    await typing.clock.runFor(900_000);
    await expect(typing.getByText("A new version is available.")).toBeVisible();
    await typing.getByRole("button", { name: "Load it now" }).click();
    await expect(typing.getByText("This page has input that is not saved.")).toBeVisible();
    await expect(typing.getByLabel("Name", { exact: true })).toHaveValue("Summer");

    const paths = await cachedPaths(offered);
    expect(paths).toContain("/offline.html");
    expect(paths.filter((path) => !/^\/assets\/[\w.$-]+\.(js|css)$/.test(path))).toEqual([
      "/offline.html",
      "/offline.html",
    ]);
    await stop();
    // The page that was offered the new version stays, too, with what was typed.
    await typing.getByRole("link", { name: "Machines", exact: true }).click();
    await expect(typing.getByText("No connection. Your page is kept.")).toBeVisible();
    await expect(typing.getByLabel("Name", { exact: true })).toHaveValue("Summer");
    await offered.goto("/app/qr-list").catch(() => undefined);
    await expect(offered.getByRole("heading", { name: "No connection" })).toBeVisible();

    // A worker of another address is asked for at once; the same one is compared when the browser likes.
    await deploy({ suffix: "y", isWorkerRemoved: true });
    await offered.getByRole("link", { name: "Try again" }).click();
    await hydrated(offered, "running");
    await expect.poll(() => workerOf(offered)).toBeUndefined();
    expect(await cachedPaths(offered)).toEqual([]);
  } finally {
    await context.close();
    await stop();
    for (const release of releases) await release.remove();
  }
});
