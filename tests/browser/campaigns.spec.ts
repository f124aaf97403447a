import { expect, test } from "./fixtures";

test("hours and caps unfold with the keyboard, and hours that were refused are marked until one of them is changed", async ({
  signedIn: page,
  visit,
  expectAccessible,
}) => {
  await visit("/app/qr-generation");
  await page.getByLabel("Name", { exact: true }).fill("Mornings");
  await page.getByLabel("Percentage off").fill("20");
  await page.locator("summary").filter({ hasText: "Start and hours" }).press("Enter");
  const row = page.getByRole("group", { name: "Hours, row 1" });
  await expect(row).toHaveAccessibleDescription(/^Leave all rows empty for any time/);
  await row.getByRole("checkbox", { name: "Mon" }).check();
  await row.getByLabel("from").fill("8x");
  await row.getByLabel("to", { exact: true }).fill("12");
  await page.locator("summary").filter({ hasText: "Caps" }).press("Enter");
  await page.getByLabel("Uses a day", { exact: true }).fill("100");
  await expectAccessible(page);
  const button = page.getByRole("button", { name: "Create code" });
  await button.click();
  await expect(page.getByRole("link", { name: /^Row 1: enter the time from/ })).toBeVisible();
  await expect(row.getByLabel("from")).toHaveAttribute("aria-invalid", "true");
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await row.getByLabel("from").press("End");
  await row.getByLabel("from").press("Backspace");
  await expect(row.getByLabel("from")).toHaveValue("8");
  await expect(row.getByLabel("from")).toBeFocused();
  await expect(row.getByLabel("from")).not.toHaveAttribute("aria-invalid", "true");
  await expect(button).not.toHaveAttribute("aria-disabled", "true");
  await button.click();
  await expect(page.getByRole("heading", { level: 1, name: "Mornings" })).toBeVisible();
  await expect(page.getByText("100 uses a day (0 today)")).toBeVisible();
});

test("a further row of hours appears while the last one is filled in", async ({
  signedIn: page,
  visit,
}) => {
  await visit("/app/qr-generation");
  await page.locator("summary").filter({ hasText: "Start and hours" }).click();
  const rows = page.getByRole("group", { name: /^Hours, row \d/ });
  await expect(rows).toHaveCount(3);
  for (const index of [0, 1, 2, 3])
    await rows.nth(index).getByRole("checkbox", { name: "Mon" }).check();
  await expect(rows).toHaveCount(5);
  await rows.nth(4).getByLabel("from").fill("08:00");
  await expect(rows).toHaveCount(6);
});
