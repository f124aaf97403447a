import { readFile } from "node:fs/promises";
import type { Page } from "playwright/test";
import { readCsv } from "../support/read-csv";
import { createPromotion } from "./arrange";
import { downloadFrom, expect, hydrated, test as base, testAlsoBlockedInSoak } from "./fixtures";
import { inSoak } from "../support/repetitions";

const test = base.extend<{
  /**
   * Creates promotions whose names begin alike, and opens the list of these and no other. All but
   * the first have an expiration date.
   */
  openPromotions: (name: string, count: number) => Promise<void>;
}>({
  openPromotions: async ({ app, visit }, use) => {
    await use(async (name, count) => {
      for (let number = 1; number <= count; number++)
        await createPromotion(
          app,
          `${name} ${number}`,
          number > 1 ? { expiresOn: "2098-12-31" } : undefined,
        );
      await visit(`/app/qr-list?text=${encodeURIComponent(name)}`);
    });
  },
});

const bar = (page: Page) => page.getByRole("form", { name: "Selected codes" });

testAlsoBlockedInSoak(
  test,
  "ticked codes are deactivated, counted before and explained after",
  async ({ signedIn: page, openPromotions, scripts, expectAccessible }) => {
    const name = `Bulk ${scripts}`;
    await openPromotions(name, 3);
    await page.getByRole("checkbox", { name: `Select ${name} 1` }).check();
    await page.getByRole("checkbox", { name: `Select ${name} 3` }).check();
    if (scripts === "running") await expect(bar(page).getByRole("status")).toHaveText("2 selected");
    await expectAccessible(page);
    await bar(page).getByRole("button", { name: "Deactivate" }).click();

    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Deactivate 2 codes");
    await expect(page.getByText("Machines will refuse these codes until an admin")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Deactivate 2 codes" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("2 codes deactivated");
    await page.getByRole("link", { name: "Back to the list" }).click();
    await expect(page).toHaveURL(/text=Bulk/);
    await expect(page.getByRole("row").filter({ hasText: "Inactive" })).toHaveCount(2);

    // Two of the matches are inactive already; the result says so for each.
    await hydrated(page, scripts);
    await page.getByRole("checkbox", { name: `Select ${name} 1` }).check();
    await page.getByRole("checkbox", { name: "All 3 that match" }).check();
    await bar(page).getByRole("button", { name: "Deactivate" }).click();
    await expect(
      page.getByRole("listitem").filter({ hasText: "): It is already inactive." }),
    ).toHaveCount(2);
    await page.getByRole("button", { name: "Deactivate 1 code" }).click();
    await expect(page.getByText("Done: 1 code was changed, 2 codes were not.")).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: "It is already inactive." })).toHaveCount(
      2,
    );
    await expectAccessible(page);
  },
);

inSoak(test)(
  "Cancel keeps the selection, and a dialog in the page comes before its bar",
  async ({ signedIn: page, openPromotions }) => {
    const name = "Bulk cancelled";
    await openPromotions(name, 3);
    await expect(bar(page)).toHaveCSS("opacity", "0");
    const rows = ["1", "3"].map((number) => page.getByRole("row", { name: `${name} ${number}` }));
    for (const row of rows) await row.getByRole("checkbox").check();
    await bar(page).getByRole("button", { name: "Deactivate" }).click();
    await page.getByRole("link", { name: "Cancel", exact: true }).click();
    const expectSelected = async () => {
      await expect(bar(page).getByRole("status")).toHaveText("2 selected");
      for (const row of rows) {
        await expect(row.getByRole("checkbox")).toBeChecked();
        await expect(row).toHaveCSS("background-color", "rgb(233, 235, 251)");
      }
    };
    await expectSelected();
    await expect(bar(page)).toHaveCSS("position", "sticky");
    const deletion = page.getByRole("link", { name: `Delete ${name} 1` });
    await page.goto((await deletion.getAttribute("href"))!);
    await expectSelected();
    await expect(page.getByRole("heading", { name: "Confirm deletion" })).toBeFocused();
    await expect(bar(page)).toHaveCSS("position", "relative");
    await page.setViewportSize({ width: 683, height: 800 });
    const clear = bar(page).getByRole("button", { name: "Clear" });
    const status = bar(page).getByRole("status");
    const [end, start] = [await clear.boundingBox(), await status.boundingBox()];
    expect(end!.y).toBeLessThan(start!.y + start!.height);
  },
);

test("the bar of the selection stays in a phone's window, also where no row is ticked", async ({
  signedIn: page,
  openPromotions,
  visit,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openPromotions("Bulk by phone", 1);
  await page.getByRole("checkbox", { name: /Select Bulk/ }).check();
  await visit("/app/qr-list?per_page=10");
  await expect(bar(page).getByRole("status")).toHaveText("1 selected");
  await expect(bar(page)).toBeInViewport({ ratio: 1 });
});

inSoak(test)(
  "the whole page is selected and its expiry extended where there is one",
  async ({ signedIn: page, openPromotions, expectAccessible }) => {
    const name = "Bulk expiry";
    await openPromotions(name, 3);
    await page.getByRole("checkbox", { name: "Select this page" }).click();
    for (const box of await page.getByRole("checkbox", { name: `Select ${name}` }).all())
      await expect(box).toBeChecked();
    await bar(page).getByRole("button", { name: "Extend expiry" }).click();

    await expect(page.getByText("These codes will expire at the end of the day")).toBeVisible();
    await expect(
      page.getByRole("listitem").filter({ hasText: "It has no expiration date." }),
    ).toHaveCount(1);
    await page.getByLabel("Expiration date").fill("01/01/2020");
    await page.getByRole("button", { name: "Extend expiry of 2 codes" }).click();
    const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
    await expect(summary).toContainText("Date cannot be in the past");
    await expect(summary).toBeFocused();
    await expectAccessible(page);
    await page.getByLabel("Expiration date").fill("31/12/2099");
    await page.getByRole("button", { name: "Extend expiry of 2 codes" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Expiry of 2 codes extended");
    await page.getByRole("link", { name: "Back to the list" }).click();
    await expect(page.getByRole("row").filter({ hasText: "31.12.2099" })).toHaveCount(2);
  },
);

inSoak(test)(
  "selected codes get machines, are deleted and are restored",
  async ({ signedIn: page, openPromotions, visit }) => {
    const name = "Bulk machines";
    await openPromotions(name, 2);
    const choose = async (button: string, title: string, more = "") => {
      await visit(`/app/qr-list?text=${encodeURIComponent(name)}${more}`);
      await page.getByRole("checkbox", { name: `Select ${name} 1` }).check();
      await page.getByRole("checkbox", { name: "All 2 that match" }).check();
      if (button === "Restore") await bar(page).getByText("More").click();
      await bar(page).getByRole("button", { name: button, exact: true }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    };
    await choose("Add to machines", "Add 2 codes to machines and groups");
    const available = page.getByRole("region", { name: /Available Machines/ });
    const serial = await available.locator("input[name=machines]").first().getAttribute("value");
    await page.locator(`input[name=machines][value="${serial}"]`).check();
    await page.getByRole("button", { name: "Add 2 codes to machines and groups" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      "2 codes added to machines and groups",
    );
    await page.getByRole("link", { name: "Back to the list" }).click();
    await expect(page.getByRole("row").filter({ hasText: "Active" })).toHaveCount(2);

    await choose("Delete", "Delete 2 codes");
    await page.getByRole("button", { name: "Delete 2 codes" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("2 codes deleted");
    await choose("Restore", "Restore 2 codes", "&deleted=true");
    await page.getByRole("button", { name: "Restore 2 codes" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("2 codes restored");
  },
);

test("an action without a selection asks for one, and the keyboard alone reaches it", async ({
  signedIn: page,
  openPromotions,
  database,
  expectAccessible,
}) => {
  const name = "Bulk keys";
  await openPromotions(name, 1);
  await page.goto(`/app/qr-list/bulk?intent=delete&ticked=1&text=${encodeURIComponent(name)}`);
  await expect(page.getByText("Select at least one code").first()).toBeVisible();
  await expect(page).toHaveURL(/qr-list\?text=Bulk(\+|%20)keys/);

  await page.getByRole("checkbox", { name: `Select ${name} 1` }).focus();
  await page.keyboard.press("Space");
  const wanted = bar(page).getByRole("button", { name: "Deactivate" });
  // The bar comes after the table, so Tab reaches it going forward.
  for (let i = 0; i < 40; i++) {
    if (await wanted.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await expect(wanted).toBeFocused();
  await page.keyboard.press("Enter");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Deactivate 1 code");

  // The action runs elsewhere, which the lock keeps from taking its next chunk; the page follows it.
  const id = /\d+/.exec(page.url().split("/bulk/")[1]!)![0];
  await database.query(
    `update lifecycle_operations set started_at = now() where id = ${id}; commit;
     begin; select from lifecycle_operations where id = ${id} for update`,
  );
  await page.reload();
  await expect(heading).toHaveText("Deactivating 1 code");
  await expectAccessible(page);
  await database.query(`update lifecycle_operations set done_at = now() where id = ${id}; commit`);
  await expect(heading).toHaveText("1 code deactivated");
});

test("the CSV holds the filtered list and the ZIP the images of the ticked codes", async ({
  signedIn: page,
  openPromotions,
}) => {
  const name = "=Export";
  await openPromotions(name, 2);
  const file = await downloadFrom(page.getByRole("link", { name: "Export CSV" }));
  expect(file.suggestedFilename()).toMatch(/^codes-\d{4}-\d\d-\d\d\.csv$/);
  const text = (await readFile(await file.path(), "utf8")).slice(1);
  expect(readCsv(text).map((row) => row[2])).toEqual(["Name", `'${name} 2`, `'${name} 1`]);

  await page.getByRole("checkbox", { name: `Select ${name} 2` }).check();
  await bar(page).getByText("More").click();
  const archive = await downloadFrom(bar(page).getByRole("button", { name: "Download QR codes" }));
  expect(archive.suggestedFilename()).toMatch(/^qr-codes-\d{4}-\d\d-\d\d\.zip$/);
  const bytes = await readFile(await archive.path());
  // The end of the ZIP holds the number of its entries.
  expect(bytes.readUInt16LE(bytes.length - 12)).toBe(1);
});
