import type { Client } from "pg";
import type { Locator, Page } from "playwright/test";
import { expect, test, testAlsoBlockedInSoak } from "./fixtures";

/** Lets the job of alerts run until one of them says something. @returns its row */
async function findAlert(page: Page, database: Client, message: string): Promise<Locator> {
  const alert = page.getByRole("row").filter({ hasText: message });
  await expect(async () => {
    await database.query(
      "update jobs set next_attempt_at = now() where kind = 'alerts' and not is_running",
    );
    await page.goto("/app/alerts");
    await expect(alert).toBeVisible({ timeout: 1_000 });
  }).toPass();
  return alert;
}

testAlsoBlockedInSoak(
  test,
  "a campaign starts later, opens at hours and ends at its caps, and an alert asks for its machines",
  async ({ signedIn: page, visit, database, expectAccessible }) => {
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

    const alert = await findAlert(page, database, "‘Lunch’ is assigned to no machine");
    await alert.getByRole("button", { name: /^Mute for a week/ }).press("Enter");
    await expect(alert).toHaveCount(0);
    await page.getByRole("link", { name: "Dismissed and muted" }).press("Enter");
    await expect(alert).toBeVisible();
  },
);

testAlsoBlockedInSoak(
  test,
  "printed codes are checked row by row, imported and undone",
  async ({ signedIn: page, visit, expectAccessible }) => {
    const upload = async (file: string) => {
      await visit("/app/imports/new");
      await page.getByLabel("Content").selectOption({ label: "Printed codes" });
      await page
        .getByLabel("CSV file")
        .setInputFiles({ name: "codes.csv", mimeType: "text/csv", buffer: Buffer.from(file) });
      await page.getByRole("button", { name: "Upload and check" }).press("Enter");
    };
    const head = "code,name,discount,uses,machines";
    await upload(`${head}\nPRINTED0001,Poster,20%,single,NOWHERE`);
    await expect(page.getByRole("heading", { name: "Rows that can't be imported" })).toBeVisible();
    await expect(page.getByRole("button", { name: /^Import / })).toHaveCount(0);
    await expectAccessible(page);

    await upload(`${head}\nPRINTED0001,Poster,20%,single,\nPRINTED0002,Poster,20%,single,`);
    await page.getByRole("button", { name: "Import 2 rows" }).press("Enter");
    await expect(page.getByText("Imported: 1 mass generation with 2 codes.")).toBeVisible();
    await page.getByRole("link", { name: "Poster" }).press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "Poster" })).toBeVisible();
    await page.goBack();
    await page.getByRole("button", { name: "Undo the import" }).press("Enter");
    await expect(page.getByText("Undone. The imported codes are deleted")).toBeVisible();
  },
);
