import { expect, sidewaysScroll, test } from "./fixtures";

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
