import pg from "pg";
import type { Page } from "playwright/test";
import { sampleMachines } from "../../migrations/seeds/sample-machines.js";
import { embeddedUrl } from "../support/embedded-url";
import type { TestPlatform } from "../support/platform";
import { expect, hydrated, test as base } from "./fixtures";

/** The machines screen and a platform that is not always well-behaved (rulings 4.1, 4.3). */
const test = base.extend<{ platformOf: TestPlatform; mayRefresh: () => Promise<void> }>({
  platformOf: async ({ platform }, use) => {
    Object.assign(platform!, { mode: "ok", body: null, machines: [...sampleMachines] });
    await use(platform!);
  },
  /** Forgets when somebody refreshed last: no test waits for 30 s. */
  mayRefresh: async ({ app }, use) => {
    const client = new pg.Client({ connectionString: embeddedUrl(app.dataDir) });
    await client.connect();
    await use(async () => {
      await client.query("delete from rate_limits where key like 'machines-refresh:%'");
    });
    await client.end();
  },
});
test.use({ hasPlatform: true });

const rows = (page: Page) => page.getByRole("row").filter({ hasText: "VM-" });
const refresh = (page: Page) => page.getByRole("button", { name: "Refresh", exact: true });
const said = (page: Page) => page.getByRole("region", { name: "SmartVend" });
const done = (page: Page) => page.getByText("Data refreshed successfully").last();

async function sidewaysScroll(page: Page): Promise<number> {
  await page.setViewportSize({ width: 320, height: 800 });
  const sideways = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  await page.setViewportSize({ width: 1280, height: 800 });
  return sideways;
}

test("a refresh asks the platform, once in 30 s, and comes back to the same list", async ({
  signedIn: page,
  platformOf,
  mayRefresh,
  scripts,
}) => {
  await mayRefresh();
  await page.goto("/app/machines?serial_number=VM-104&sort=-name");
  await hydrated(page, scripts);
  const shown = await rows(page).count();
  platformOf.machines[0] = { serialNumber: "VM-10431", humanName: `Renamed ${scripts}` };
  await refresh(page).press("Enter");
  await expect(done(page)).toBeVisible();
  await expect(page.getByText(`Renamed ${scripts}`)).toBeVisible();
  await expect(rows(page)).toHaveCount(shown);
  await expect(page).toHaveURL(/\/app\/machines\?serial_number=VM-104&sort=-name/);
  if (scripts === "running") await expect(refresh(page)).toBeFocused();

  await refresh(page).click();
  await expect(
    page.getByText(/^Please wait \d+ seconds before refreshing again\.$/).last(),
  ).toBeVisible();
});

test("without an answer the list stays, and says how old it is and why", async ({
  signedIn: page,
  platformOf,
  mayRefresh,
  scripts,
  expectAccessible,
}) => {
  await mayRefresh();
  await page.goto("/app/machines");
  await hydrated(page, scripts);
  await refresh(page).click();
  await expect(done(page)).toBeVisible();
  await expect(said(page)).toHaveCount(0);
  platformOf.mode = "down";
  await mayRefresh();
  await refresh(page).click();
  await expect(
    page.getByText("Failed to refresh machines list: SmartVend can't be reached.").last(),
  ).toBeVisible();
  await expect(said(page)).toHaveText(
    /^SmartVend can't be reached\. The machines are those of [\d.]+ [\d:]+, less than a minute ago\. No refresh has worked since [\d.]+ [\d:]+\.$/,
  );
  await expect(rows(page)).toHaveCount(24);
  await expectAccessible(page);
  expect(await sidewaysScroll(page)).toBe(0);
});

test("bad items are counted and named, the others are taken", async ({
  signedIn: page,
  platformOf,
  mayRefresh,
  scripts,
  expectAccessible,
}) => {
  platformOf.machines.push({ serialNumber: "X".repeat(120) }, { serialNumber: "<b>\u0007" });
  await mayRefresh();
  await page.goto("/app/machines");
  await hydrated(page, scripts);
  await refresh(page).click();
  await expect(done(page)).toBeVisible();
  await expect(said(page)).toContainText("2 items of SmartVend's list can't be taken as they are:");
  await expect(said(page).getByRole("listitem")).toHaveText([
    `‘${"X".repeat(40)}…’: the serial number is longer than 100 characters`,
    "‘<b>’: the serial number has characters that can't be shown",
  ]);
  await expect(rows(page)).toHaveCount(24);
  await expectAccessible(page);
  expect(await sidewaysScroll(page)).toBe(0);
});

test("a much shorter list changes nothing until an admin has confirmed it", async ({
  signedIn: page,
  platformOf,
  mayRefresh,
  scripts,
  expectAccessible,
}) => {
  platformOf.mode = "deletions";
  await mayRefresh();
  await page.goto("/app/machines?sort=-serial");
  await hydrated(page, scripts);
  await refresh(page).click();
  await expect(done(page)).toBeVisible();
  await expect(said(page)).toContainText(
    "SmartVend lists only 12 machines. The 12 that are missing stay as they are.",
  );
  await expect(rows(page)).toHaveCount(24);

  const look = page.getByRole("link", { name: "Look at the missing machines" });
  const dialog = page.getByRole(scripts === "running" ? "dialog" : "region", {
    name: "Are these machines gone?",
  });
  await look.click();
  await expect(dialog).toBeVisible();
  await expect(dialog).toContainText("Of the 24 machines here, 12 are missing from its list:");
  await expect(dialog.getByRole("listitem")).toHaveCount(12);
  await expectAccessible(page);
  expect(await sidewaysScroll(page)).toBe(0);
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/app\/machines\?sort=-serial$/);
  if (scripts === "running") await expect(look).toBeFocused();

  // What is confirmed is what is asked for once more: without an answer nothing happens.
  await look.click();
  platformOf.mode = "error";
  await dialog.getByRole("button", { name: "Mark 12 machines as deleted" }).click();
  await expect(
    dialog.getByText("SmartVend answers with an error (status 500).").first(),
  ).toBeVisible();
  platformOf.mode = "deletions";
  await dialog.getByRole("button", { name: "Mark 12 machines as deleted" }).press("Enter");
  await expect(
    page.getByText("12 machines are marked ‘Deleted from SmartVend’").last(),
  ).toBeVisible();
  await expect(rows(page)).toHaveCount(12);
  await expect(said(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/app\/machines\?sort=-serial/);

  platformOf.mode = "ok";
  await mayRefresh();
  await refresh(page).click();
  await expect(rows(page)).toHaveCount(24);
});

test("with nothing to confirm the dialog says so", async ({
  signedIn: page,
  mayRefresh,
  platformOf,
}) => {
  expect(platformOf.mode).toBe("ok");
  await mayRefresh();
  await page.goto("/app/machines/confirm");
  await expect(
    page.getByText("There is nothing to confirm: no machine is missing from SmartVend's list."),
  ).toBeVisible();
  await page.getByRole("link", { name: "Close" }).last().click();
  await expect(page).toHaveURL(/\/app\/machines$/);
});
