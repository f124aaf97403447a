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
const noAnswer = /^No answer from the server/;

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

for (const script of ["loaded", "lost"] as const) {
  const isLost = script === "lost";

  /** Opens the list of a promotion with the scripts of dialogs and row actions loaded, or lost. */
  const openList = async (page: Page, open: () => Promise<{ id: string }>) => {
    if (isLost) return loseDialogs(page, open);
    const opened = await open();
    await routeLoaded(page, "routes/app.qr-list.$promotionId.delete");
    return opened;
  };

  test(`a dialog whose script is ${script} keeps page and form while the line is cut, and is answered 5 s after`, async ({
    signedIn: page,
    relay,
    openListOf,
  }) => {
    const name = `Dialog ${script}`;
    await openList(page, () => openListOf(name));
    const dialog = page.locator("[aria-labelledby=dialog-title]");
    const link = page.getByRole("link", { name: `Delete ${name}` });
    const confirm = dialog.getByRole("button", { name: "Delete code" });
    await cut(relay, page, async () => {
      await link.click();
      if (!isLost) await confirm.click();
      await expect(isLost ? page.getByText(banner) : dialog.getByText(noAnswer)).toBeVisible();
      await expect(page).toHaveURL(isLost ? /\/app\/qr-list$/ : /\/delete/);
    });
    await page.unroute(dialogScripts);

    if (isLost) {
      await link.click();
      await expect(dialog).toBeVisible(soon);
      await confirm.click();
    } else await dialog.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByText("Promotion successfully deleted")).toBeVisible(soon);
  });

  test(`a row action whose script is ${script} keeps the page while the line is cut, and is done once 5 s after`, async ({
    signedIn: page,
    relay,
    openListOf,
    database,
  }) => {
    const name = `Action ${script}`;
    const machines = [sampleSerials[0]!];
    const { id } = await openList(page, () => openListOf(name, { machines }));
    const row = page.getByRole("row", { name });
    const deactivate = row.getByRole("button", { name: "Deactivate" });
    await cut(relay, page, async () => {
      await deactivate.click();
      await expect(page.getByText(isLost ? banner : noAnswer)).toBeVisible();
      if (isLost) await expect(deactivate).not.toHaveAttribute("aria-disabled", "true");
      await expect(row).toContainText("Active");
    });
    await page.unroute(dialogScripts);

    await deactivate.click();
    await expect(page.getByText("Promotion successfully deactivated")).toBeVisible(soon);
    expect(await versionOf(database, id)).toBe(2);
  });
}

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
    await expect(page.getByText(noAnswer)).toBeVisible();
    await expect(name).toHaveValue("Sent in the cut");
  });

  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page).toHaveURL(/\/app\/qr-list/, soon);
  const { rows } = await database.query("select from promotions where name = 'Sent in the cut'");
  expect(rows).toHaveLength(1);
});

test("a list without rows that is read in the cut names the port of the server, not that of a proxy", async ({
  signedIn: page,
  visit,
  relay,
}) => {
  const message = `Server is not available. Please check if server is running on port ${relay.target.port}.`;
  for (const [path, button, begin] of [
    ["/app/machines?name=no+machine+is+called+so", "Apply", ""],
    ["/app/qr-list?text=no+code+is+called+so", "Apply", "Failed to fetch promotions: "],
    ["/app/qr-list?text=no+code+is+called+so", "Refresh", "Failed to fetch promotions: "],
  ] as const) {
    await visit(path);
    await cut(relay, page, async () => {
      await page.getByRole("button", { name: button, exact: true }).click();
      await expect(page.getByText(begin + message, { exact: true }).first()).toBeVisible();
    });
  }
});
