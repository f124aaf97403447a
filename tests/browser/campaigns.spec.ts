import { expect, test, testAlsoBlockedInSoak } from "./fixtures";

testAlsoBlockedInSoak(
  test,
  "a campaign starts later, opens at hours and ends at its caps",
  async ({ signedIn: page, visit, expectAccessible }) => {
    await visit("/app/qr-generation");
    await page.getByLabel("Name", { exact: true }).fill("Lunch");
    await page.getByLabel("Percentage off").fill("20");
    await page.locator("summary").filter({ hasText: "Start and hours" }).press("Enter");
    await page.getByLabel("Start", { exact: true }).fill("01/12/2098 08:00");
    const row = page.getByRole("group", { name: "Row 1" });
    for (const day of ["Mon", "Tue"]) await row.getByRole("checkbox", { name: day }).check();
    await row.getByLabel("from").fill("11");
    await row.getByLabel("to", { exact: true }).fill("14:30");
    await page.locator("summary").filter({ hasText: "Caps" }).press("Enter");
    await page.getByLabel("Uses a day", { exact: true }).fill("100");
    await page.getByLabel("Highest discount").fill("1,50");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Create code" }).press("Enter");

    await expect(page.getByRole("heading", { level: 1, name: "Lunch" })).toBeVisible();
    const main = page.locator("main");
    await expect(main).toContainText("Mon–Tue 11:00–14:30");
    await expect(main).toContainText("01.12.2098 08:00 (Europe/Berlin)");
    await expect(main).toContainText("100 uses a day (0 today)");
    await page.locator("summary").filter({ hasText: "More" }).press("Enter");
    await page.getByRole("link", { name: "Change caps" }).press("Enter");
    await page.getByLabel("Uses a day", { exact: true }).fill("none");
    await page.getByRole("button", { name: "Save caps" }).press("Enter");
    await expect(page.getByRole("link", { name: /^Uses a day must be/ })).toBeVisible();
    await page.getByLabel("Uses a day", { exact: true }).fill("200");
    await page.getByRole("button", { name: "Save caps" }).press("Enter");
    await expect(page.getByText("Caps successfully updated")).toBeVisible();
    await expect(main).toContainText("200 uses a day (0 today)");
  },
);

test("hours that were refused are marked and unfolded until one of them is changed", async ({
  signedIn: page,
  visit,
}) => {
  await visit("/app/qr-generation");
  await page.getByLabel("Name", { exact: true }).fill("Mornings");
  await page.getByLabel("Percentage off").fill("20");
  await page.locator("summary").filter({ hasText: "Start and hours" }).click();
  const row = page.getByRole("group", { name: "Row 1" });
  await row.getByRole("checkbox", { name: "Mon" }).check();
  await row.getByLabel("from").fill("8x");
  await row.getByLabel("to", { exact: true }).fill("12");
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
});
