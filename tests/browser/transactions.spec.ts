import type { Page } from "playwright/test";
import { expect, hydrated, sidewaysScroll, test, unfold, testAlsoBlocked } from "./fixtures";
import { inSoak } from "../support/repetitions";

const rows = (page: Page) => page.getByRole("rowheader");
const active = (page: Page) => page.getByRole("list", { name: "Active filters" });
const apply = (page: Page) => page.getByRole("button", { name: "Apply", exact: true });

inSoak(testAlsoBlocked)(
  test,
  "filters are applied, shared by their address and removed one by one",
  async ({ signedIn: page, visit, scripts, expectAccessible }) => {
    await visit("/app/transactions");
    await expect(rows(page)).toHaveCount(10);
    await page.getByLabel("Code or name").fill("summer");
    await unfold(page, "Status");
    await page.getByLabel("Status").selectOption("Applied");
    await apply(page).click();
    await expect(active(page)).toContainText("Code or name: summer");
    await expect(page.getByRole("cell", { name: "Rolled back" })).toHaveCount(0);
    for (const name of await page.locator('tbody td[data-label="Code"] a').allInnerTexts())
      expect(name.toLowerCase()).toContain("summer");
    await expectAccessible(page);

    const serial = await page.locator('td a[href^="/app/machines/"]').first().innerText();
    await unfold(page, "Machine");
    await page.getByLabel("Serial Number", { exact: true }).fill(serial.toLowerCase());
    await apply(page).click();
    await expect(active(page).getByRole("link", { name: /^Remove/ })).toHaveCount(3);
    for (const machine of await page.locator('tbody td[data-label="Machine"] a').allInnerTexts())
      expect(machine).toBe(serial);
    const shown = await rows(page).allInnerTexts();
    await page.reload();
    expect(await rows(page).allInnerTexts()).toEqual(shown);
    await hydrated(page, scripts);
    await active(page).getByRole("link", { name: "Remove Machine" }).click();
    await expect(page.getByLabel("Serial Number", { exact: true })).toHaveValue("");
    await active(page).getByRole("link", { name: "Clear all" }).click();
    await expect(active(page)).toHaveCount(0);
    await page.goBack();
    await expect(active(page).getByRole("link", { name: /^Remove/ })).toHaveCount(2);
  },
);

inSoak(test)(
  "an empty result says so, and a name needs three characters",
  async ({ signedIn: page, visit, expectAccessible }) => {
    await visit("/app/transactions");
    await unfold(page, "Machine");
    await page.getByLabel("Serial Number", { exact: true }).fill("no such machine");
    await apply(page).click();
    await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Clear filters" }).click();
    await expect(rows(page).first()).toBeVisible();
    await page.getByLabel("Code or name").fill("ab");
    await apply(page).click();
    await expect(page.getByLabel("Code or name")).toHaveValue("ab");
    await expect(page.getByLabel("Code or name")).toHaveAccessibleDescription(
      "Enter a whole code or at least 3 characters of a name",
    );
    await expectAccessible(page);
  },
);

test("each transaction is a card on a phone, and a link skips to the table", async ({
  signedIn: page,
  visit,
}) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await visit("/app/transactions");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the table" })).toBeFocused();
  expect(await sidewaysScroll(page)).toBe(0);
  await expect(page.locator("tbody tr").first()).toContainText("$");
});
