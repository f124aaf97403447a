import type { Page } from "playwright/test";
import { expect, hydrated, test } from "./fixtures";

type Scripts = "off" | "blocked" | "running";

/** Makes a promotion, leaves the newest first and shows them. */
async function makePromotion(page: Page, name: string, scripts: Scripts): Promise<void> {
  await page.goto("/app/qr-generation");
  await hydrated(page, scripts);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Percentage off").fill("25");
  await page.getByLabel("Expiration date").fill("31/12/2099");
  const machine = page
    .getByRole("region", { name: /Available Machines/ })
    .getByRole("checkbox")
    .first();
  const serial = await machine.getAttribute("value");
  // A ticked machine moves to the other list.
  await page.locator(`input[name=machines][value="${serial}"]`).check();
  await page.getByRole("button", { name: "Create promotion" }).click();
  await expect(page.getByText("Promotion created successfully")).toBeVisible();
  await hydrated(page, scripts);
}

const rowOf = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

/** Never the page as a whole: whoever reads with the keyboard would start over. */
async function expectFocusKept(page: Page): Promise<void> {
  await expect(page.locator(":focus")).toHaveCount(1);
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
}

async function openMassDeletion(page: Page, scripts: Scripts): Promise<{ name: string }> {
  await page.goto("/app/qr-list?type=mass&per_page=10");
  await hydrated(page, scripts);
  const row = page.getByRole("row").filter({ hasText: "Mass Gen" }).first();
  const name = await row.getByRole("rowheader").getByRole("link").innerText();
  await row.getByRole("link", { name: `Delete ${name}` }).click();
  return { name };
}

test("deactivated from the list, reactivated from its own page, all of it in its history", async ({
  signedIn: page,
  scripts,
  expectAccessible,
}) => {
  const name = `Off and on ${scripts}`;
  await makePromotion(page, name, scripts);
  const row = rowOf(page, name);
  await expect(row).toContainText("Active");
  await row.getByRole("button", { name: `Deactivate ${name}` }).click();
  await expect(page.getByText("Promotion successfully deactivated")).toBeVisible();
  await expect(row).toContainText("Inactive");
  await expect(row.getByRole("button", { name: `${name} is inactive already` })).toBeDisabled();
  await expectFocusKept(page);
  await expectAccessible(page);

  await row.getByRole("link", { name, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await hydrated(page, scripts);
  await expect(page.getByText("It was deactivated. Machines refuse it")).toBeVisible();
  await expect(page.getByText("valid until 31.12.2099 23:59 (Europe/Berlin)")).toBeVisible();
  await expect(page.getByRole("img", { name: `QR code for ${name}` })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "Reactivate" }).click();
  await expect(page.getByText("Promotion successfully reactivated")).toBeVisible();
  await expectFocusKept(page);
  const history = page.getByRole("listitem").filter({ hasText: "admin@example.com" });
  await expect(history).toHaveCount(3);
  await expect(history.nth(0)).toContainText("Reactivated");
  await expect(history.nth(0)).toContainText("Active: no → yes");
  await expect(history.nth(1)).toContainText("Deactivated");
  await expect(history.nth(2)).toContainText("Created");
});

test("name and expiration are edited; what is wrong comes back filled", async ({
  signedIn: page,
  scripts,
  expectAccessible,
}) => {
  const name = `Before ${scripts}`;
  await makePromotion(page, name, scripts);
  await rowOf(page, name).getByRole("link", { name, exact: true }).click();
  await expect(page.getByText("Everything else is printed and can't be changed.")).toBeVisible();
  await hydrated(page, scripts);
  await page.getByLabel("Name", { exact: true }).fill(" ");
  await page.getByLabel("Expiration date").fill("01/01/2020");
  await page.getByLabel("Expiration date").press("Tab");
  await page.getByRole("button", { name: "Save changes" }).click();
  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(summary).toContainText("Name is required");
  await expect(summary).toContainText("Date cannot be in the past");
  await expect(summary).toBeFocused();
  await expect(page.getByLabel("Expiration date")).toHaveValue("01/01/2020");
  await expectAccessible(page);

  await hydrated(page, scripts);
  await page.getByLabel("Name", { exact: true }).fill(`After ${scripts}`);
  await page.getByLabel("Expiration date").fill("30/06/2098");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Promotion successfully updated")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: `After ${scripts}` })).toBeVisible();
  await expect(page.getByText("valid until 30.06.2098")).toBeVisible();
  await expect(page.getByText(`Name: ${name} → After ${scripts}`)).toBeVisible();
  await expect(page.getByText("Expiration date: 31.12.2099 → 30.06.2098")).toBeVisible();
  await expectFocusKept(page);
});

test("who saves later sees the current state and keeps what they typed", async ({
  signedIn: page,
  scripts,
  context,
}) => {
  const name = `Two people ${scripts}`;
  await makePromotion(page, name, scripts);
  await rowOf(page, name).getByRole("link", { name, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await hydrated(page, scripts);
  const other = await context.newPage();
  await other.goto(page.url());
  await hydrated(other, scripts);
  await other.getByLabel("Name", { exact: true }).fill(`${name}, first`);
  await other.getByRole("button", { name: "Save changes" }).click();
  await expect(other.getByText("Promotion successfully updated")).toBeVisible();

  await page.getByLabel("Name", { exact: true }).fill(`${name}, second`);
  await page.getByRole("button", { name: "Save changes" }).click();
  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(summary).toContainText("Somebody changed this promotion after you opened it.");
  await expect(page.getByRole("heading", { level: 1, name: `${name}, first` })).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue(`${name}, second`);
  await hydrated(page, scripts);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { level: 1, name: `${name}, second` })).toBeVisible();
});

test("deleted after a question, and restored from its own page", async ({
  signedIn: page,
  scripts,
  expectAccessible,
}) => {
  const name = `Short life ${scripts}`;
  await makePromotion(page, name, scripts);
  await rowOf(page, name)
    .getByRole("link", { name: `Delete ${name}` })
    .click();
  await expect(page.getByRole("heading", { name: "Confirm deletion", exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/^Confirm deletion - QR List/);
  await expectAccessible(page);
  const address = page.url().replace(/\/delete.*/, "");
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: "Confirm deletion" })).toHaveCount(0);
  await rowOf(page, name)
    .getByRole("link", { name: `Delete ${name}` })
    .click();
  await dialogButton(page, "Delete").click();
  await expect(page.getByText("Promotion successfully deleted")).toBeVisible();
  await expect(rowOf(page, name)).toHaveCount(0);
  await expectFocusKept(page);

  await page.goto(address);
  await hydrated(page, scripts);
  await expect(page.getByText("This promotion is deleted. Machines refuse it")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save changes" })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Restore" }).click();
  await expect(page.getByRole("heading", { name: "Restore the promotion?" })).toBeVisible();
  await dialogButton(page, "Restore").click();
  await expect(page.getByText("Promotion successfully restored")).toBeVisible();
  await page.goto(address);
  await expect(page.getByText("Deleted: yes → no")).toBeVisible();
  await expect(page.getByText("The assigned machines accept it.")).toBeVisible();
});

test("one code of a mass generation: the question says that all go, the count is on the button", async ({
  signedIn: page,
  scripts,
  expectAccessible,
}) => {
  const { name } = await openMassDeletion(page, scripts);
  const heading = page.getByRole("heading", { name: "Confirm deletion of mass generation" });
  await expect(heading).toBeVisible();
  await expect(page.getByText("All associated promotions are also marked deleted")).toBeVisible();
  await expectAccessible(page);
  const address = page.url().replace(/\/delete.*/, "");
  await page.getByRole("button", { name: /^Delete [\d,]+ codes?$/ }).click();
  await expect(page.getByText("Mass Generation successfully deleted")).toBeVisible();
  await expect(heading).toHaveCount(0);
  await expectFocusKept(page);

  await page.goto("/app/qr-list?deleted=true&type=mass");
  await hydrated(page, scripts);
  const row = rowOf(page, name).first();
  await expect(row).toContainText("This promotion is deleted");
  await expect(row.getByRole("button", { name: /Deactivate/ })).toHaveCount(0);
  await expectAccessible(page);
  await row.getByRole("link", { name: `Restore ${name}` }).click();
  await expect(
    page.getByRole("heading", { name: "Restore the whole mass generation?" }),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: /^Restore [\d,]+ codes?$/ }).click();
  await expect(page.getByText("Mass Generation successfully restored")).toBeVisible();
  await page.goto(address);
  await expect(page.getByText(/^Restored with its mass generation/).first()).toBeVisible();
});

test("the QR code is offered as PNG and as SVG", async ({
  signedIn: page,
  scripts,
  expectAccessible,
}) => {
  await page.goto("/app/qr-list?per_page=10");
  await hydrated(page, scripts);
  await page
    .getByRole("link", { name: /^Download the QR code of/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { name: "Download Options" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Single QR Code" })).toBeVisible();
  await expectAccessible(page);
  for (const [link, ending] of [
    ["Download PNG", /^\d+\.png$/],
    ["Download SVG", /^\d+\.svg$/],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: link }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(ending);
  }
});

/** The bar for selected rows has buttons of the same names. */
function dialogButton(page: Page, name: string) {
  return page
    .locator("section, [role=dialog], [role=alertdialog]")
    .filter({ has: page.locator("#dialog-title") })
    .getByRole("button", { name, exact: true })
    .last();
}
