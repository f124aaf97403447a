import type { Page } from "playwright/test";
import { sampleMachines } from "../../migrations/seeds/sample-machines.js";
import type { TestPlatform } from "../support/platform";
import { expect, expectNoSidewaysScroll, test as base } from "./fixtures";
import { noAnswer } from "./lost-answers";
import { inSoak } from "../support/repetitions";

const test = base.extend<{
  /** Opens the list and reads it again from the platform. */
  openRefreshed: () => Promise<void>;
  /** A platform that lists the sample machines until a test changes it. */
  platformOf: TestPlatform;
}>({
  openRefreshed: async ({ signedIn: page, visit, allowRefresh }, use) => {
    await use(async () => {
      await allowRefresh();
      await visit("/app/machines");
      await refresh(page).click();
      await expect(refreshed(page)).toBeVisible();
    });
  },

  platformOf: async ({ platform }, use) => {
    await use(platform);
    Object.assign(platform, { mode: "ok", body: null, machines: [...sampleMachines] });
  },
});

const rows = (page: Page) => page.getByRole("row").filter({ hasText: "VM-" });
const refresh = (page: Page) => page.getByRole("button", { name: "Refresh", exact: true });
const notice = (page: Page) => page.getByRole("region", { name: "SmartVend" });
const refreshed = (page: Page) => page.getByText("Data refreshed successfully").last();

test("a refresh asks the platform once in 30 s, comes back to the same list, and keeps it without an answer", async ({
  signedIn: page,
  visit,
  platformOf,
  allowRefresh,
  database,
  expectAccessible,
}) => {
  await allowRefresh();
  await visit("/app/machines?serial_number=VM-104&sort=-name");
  const shown = await rows(page).count();
  platformOf.machines[0] = { serialNumber: "VM-10431", humanName: "Renamed" };
  await refresh(page).press("Enter");
  await expect(refreshed(page)).toBeVisible();
  await expect(page.getByText("Renamed")).toBeVisible();
  await expect(rows(page)).toHaveCount(shown);
  await expect(page).toHaveURL(/\/app\/machines\?serial_number=VM-104&sort=-name/);
  await expect(refresh(page)).toBeFocused();

  await refresh(page).click();
  await expect(
    page.getByText(/^Please wait \d+ seconds before refreshing again\.$/).last(),
  ).toBeVisible();

  await page.route("**/app/machines/refresh*", (route) => route.abort());
  await refresh(page).click();
  await expect(page.getByText("Network error. Using cached data.")).toBeVisible();
  await expect(rows(page)).toHaveCount(shown);
  await expect(refresh(page)).toBeFocused();
  await expectAccessible(page);

  // The button of an alert stands above other rows.
  const alert = [
    "sync_failed",
    "platform",
    "Late.",
    { label: "Again", to: "/app/machines/refresh", isPost: true },
  ];
  await database.query(
    "insert into alerts (kind, subject, message, button, is_mailed) values ($1, $2, $3, $4, true)",
    alert,
  );
  await page.getByRole("link", { name: /^Alerts/ }).click();
  await page.getByRole("button", { name: /^Again/ }).click();
  await expect(page.getByRole("alert").getByText(noAnswer)).toBeVisible();
  await database.query("delete from alerts where kind = 'sync_failed'");
});

inSoak(test)(
  "a much shorter list changes nothing until an admin has confirmed it",
  async ({ signedIn: page, visit, platformOf, allowRefresh, expectAccessible }) => {
    platformOf.mode = "deletions";
    await allowRefresh();
    await visit("/app/machines?sort=-serial");
    await refresh(page).click();
    await expect(refreshed(page)).toBeVisible();
    await expect(notice(page)).toContainText(
      "SmartVend lists only 12 machines. The 12 missing machines are not changed.",
    );
    await expect(rows(page)).toHaveCount(24);

    const look = page.getByRole("link", { name: "Review missing machines" });
    const dialog = page.getByRole("dialog", {
      name: "Are these machines gone?",
    });
    await look.click();
    await expect(dialog).toBeVisible();
    await expect(dialog).toContainText("Of the 24 machines here, 12 are missing from its list:");
    await expect(dialog.getByRole("listitem")).toHaveCount(12);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await dialog.getByRole("link", { name: "Cancel" }).click();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(/\/app\/machines\?sort=-serial$/);
    await expect(look).toBeFocused();

    // Confirming asks the platform once more; without its answer nothing happens.
    await look.click();
    platformOf.mode = "error";
    await dialog.getByRole("button", { name: "Mark 12 machines as deleted" }).click();
    await expect(
      dialog.getByText("SmartVend answers with an error (status 500).").first(),
    ).toBeVisible();
    platformOf.mode = "deletions";
    await dialog.getByRole("button", { name: "Mark 12 machines as deleted" }).press("Enter");
    await expect(
      page.getByText('12 machines are marked "Deleted from SmartVend"').last(),
    ).toBeVisible();
    await expect(rows(page)).toHaveCount(12);
    await expect(notice(page)).toHaveCount(0);
    await expect(page).toHaveURL(/\/app\/machines\?sort=-serial/);

    platformOf.mode = "ok";
    await allowRefresh();
    await refresh(page).click();
    await expect(rows(page)).toHaveCount(24);
  },
);
