import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import type { Page, Request } from "playwright/test";
import { freePort } from "../support/free-port";
import { openTcpRelay } from "../support/tcp-relay";
import { sampleSerials } from "./arrange";
import { appSecret, expect, routeLoaded, startApp, test as base } from "./fixtures";

/** Limits the time after the cut until everything is there. */
const soon = { timeout: 5_000 };

const cutMs = 4_000;
const maxRequests = 10;
const banner = "No connection. Your page is kept.";

type Relay = Awaited<ReturnType<typeof openTcpRelay<{ host: string; port: number }>>>;

const test = base.extend<object, { relay: Relay }>({
  relay: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const relay = await openTcpRelay({ host: "localhost", port: await freePort() });
      await use(relay);
      relay.close();
    },
    { scope: "worker" },
  ],
  app: [
    async ({ relay, databaseAddress }, use) => {
      const app = await startApp({
        DATABASE_URL: databaseAddress,
        APP_SECRET: appSecret,
        APP_ORIGIN: `http://localhost:${relay.port}`,
        PORT: String(relay.target.port),
      });
      await use(app);
      await app.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

test.use({ hasOwnContext: true });

/** Runs steps on a page while the line is cut, and gives it back after 4 s. The page may send few requests. */
async function cut(relay: Relay, page: Page, steps: () => Promise<void>): Promise<void> {
  const sent: string[] = [];
  const note = (request: Request) => sent.push(`${request.method()} ${request.url()}`);
  page.on("request", note);
  relay.close();
  await Promise.all([steps(), delay(cutMs)]);
  page.off("request", note);
  await relay.listen();
  expect(sent.length, sent.join("\n")).toBeLessThanOrEqual(maxRequests);
}

/** The file of dialogs and row actions, which is loaded while the browser is idle. */
const dialogScripts = "**/assets/dialogs-*.js";

/** Loses the scripts of dialogs and row actions while a list is opened, as a line does that is cut meanwhile. */
async function loseDialogs<Opened>(page: Page, open: () => Promise<Opened>): Promise<Opened> {
  const lost = page.waitForEvent("requestfailed");
  await page.route(dialogScripts, (route) => route.abort());
  const opened = await open();
  await lost;
  return opened;
}

/** Waits until the scripts of dialogs and row actions are loaded. */
async function dialogsLoaded(page: Page): Promise<void> {
  const route = "routes/app.qr-list.$promotionId.delete";
  await routeLoaded(page, route);
}

test("a link keeps the page and what was typed while the line is cut, and works 5 s after", async ({
  signedIn: page,
  visit,
  relay,
}) => {
  await visit("/app/profile");
  await visit("/app/qr-generation");
  const name = page.getByLabel("Name", { exact: true });
  const link = page.getByRole("link", { name: "Machines", exact: true });
  await name.fill("Still here");
  const entries = await page.evaluate(() => history.length);
  await cut(relay, page, async () => {
    for (let press = 0; press < 2; press++) {
      await link.click();
      await expect(page.getByText(banner)).toBeVisible();
    }
    await expect(page).toHaveURL(/\/app\/qr-generation$/);
    await expect(name).toHaveValue("Still here");
  });

  await link.click();
  await expect(page.getByRole("heading", { level: 1, name: "Machines" })).toBeVisible(soon);
  expect(await page.evaluate(() => history.length)).toBe(entries + 1);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "QR Generation" })).toBeVisible();
});

test("a dialog opens while the line is cut, keeps its form, and is answered 5 s after", async ({
  signedIn: page,
  relay,
  openListOf,
}) => {
  await openListOf("Loaded dialog");
  await dialogsLoaded(page);
  const dialog = page.getByRole("alertdialog");
  await cut(relay, page, async () => {
    await page.getByRole("link", { name: "Delete Loaded dialog" }).click();
    await dialog.getByRole("button", { name: "Delete code" }).click();
    await expect(dialog.getByText(/^No answer from the server/)).toBeVisible();
  });

  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Promotion successfully deleted")).toBeVisible(soon);
});

test("a dialog whose script was lost keeps the page while the line is cut, and opens 5 s after", async ({
  signedIn: page,
  relay,
  openListOf,
}) => {
  await loseDialogs(page, () => openListOf("Lost dialog"));
  const link = page.getByRole("link", { name: "Delete Lost dialog" });
  await cut(relay, page, async () => {
    await link.click();
    await expect(page.getByText(banner)).toBeVisible();
    await expect(page).toHaveURL(/\/app\/qr-list$/);
  });
  await page.unroute(dialogScripts);

  await link.click();
  const dialog = page.locator("[aria-labelledby=dialog-title]");
  await expect(dialog).toBeVisible(soon);
  await dialog.getByRole("button", { name: "Delete code" }).click();
  await expect(page.getByText("Promotion successfully deleted")).toBeVisible();
});

const machines = [sampleSerials[0]!];

test("a row action keeps the page while the line is cut, and is done once 5 s after", async ({
  signedIn: page,
  relay,
  openListOf,
  database,
}) => {
  const { id } = await openListOf("Loaded action", { machines });
  await dialogsLoaded(page);
  const row = page.getByRole("row", { name: "Loaded action" });
  const deactivate = row.getByRole("button", { name: "Deactivate" });
  await cut(relay, page, async () => {
    await deactivate.click();
    await expect(page.getByText(/^No answer from the server/)).toBeVisible();
    await expect(row).toContainText("Active");
  });

  await deactivate.click();
  await expect(page.getByText("Promotion successfully deactivated")).toBeVisible(soon);
  expect(await versionOf(database, id)).toBe(2);
});

test("a row action whose script was lost keeps the page while the line is cut, and is done once 5 s after", async ({
  signedIn: page,
  relay,
  openListOf,
  database,
}) => {
  const { id } = await loseDialogs(page, () => openListOf("Lost action", { machines }));
  const row = page.getByRole("row", { name: "Lost action" });
  const deactivate = row.getByRole("button", { name: "Deactivate" });
  await cut(relay, page, async () => {
    await deactivate.click();
    await expect(page.getByText(banner)).toBeVisible();
    await expect(deactivate).not.toHaveAttribute("aria-disabled", "true");
    await expect(row).toContainText("Active");
  });
  await page.unroute(dialogScripts);

  await deactivate.click();
  await expect(page.getByText("Promotion successfully deactivated")).toBeVisible(soon);
  expect(await versionOf(database, id)).toBe(2);
});

/** Returns the version of a promotion, which begins with 1 and counts its changes. */
async function versionOf(database: Client, id: string): Promise<number> {
  const { rows } = await database.query("select version from promotions where id = $1", [id]);
  return (rows as { version: number }[])[0]!.version;
}

test("a form that is sent while the line is cut stays filled, and is sent once after", async ({
  signedIn: page,
  visit,
  relay,
  database,
}) => {
  await visit("/app/qr-generation");
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Sent in the cut");
  await page.getByLabel("Percentage off").fill("15");
  await cut(relay, page, async () => {
    await page.getByRole("button", { name: "Create code" }).click();
    await expect(page.getByText(/^No answer from the server/)).toBeVisible();
    await expect(name).toHaveValue("Sent in the cut");
  });

  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page).toHaveURL(/\/app\/qr-list/, soon);
  const { rows } = await database.query("select from promotions where name = 'Sent in the cut'");
  expect(rows).toHaveLength(1);
});
