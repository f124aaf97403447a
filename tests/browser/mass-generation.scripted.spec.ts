import type { Page } from "playwright/test";
import { expect, hydrated, test } from "./fixtures";

/** What scripts add to mass generations. */
async function prefillForm(page: Page, name: string) {
  await page.goto("/app/qr-generation/mass");
  await hydrated(page, "running");
  await page.locator("#name").fill(name);
  await page.locator("#num_codes").fill("3");
  await page.locator("#discount_value").fill("10");
}

const button = (page: Page) => page.getByRole("button", { name: "Generate codes" });

test("the archive comes by itself once, and by no reload and no way back", async ({
  signedIn: page,
}) => {
  let downloads = 0;
  page.on("download", () => (downloads += 1));
  await prefillForm(page, "Once only");
  const first = page.waitForEvent("download");
  await page.locator("#num_codes").press("Enter");
  await first;
  await expect(page.getByText("Archive downloaded successfully")).toBeVisible();
  await expect(page.getByText("QR codes generated successfully")).toBeVisible();
  await expect(page).not.toHaveURL(/download=/);

  await page.reload();
  await hydrated(page, "running");
  await page.getByRole("link", { name: "Make another like this" }).click();
  await expect(page).toHaveURL(/mass\?from=/);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Once only" })).toBeVisible();
  // Whatever the page asked for is here by then.
  await page.waitForLoadState("networkidle");
  expect(downloads).toBe(1);
});

test("a large archive is left to the browser", async ({ signedIn: page }) => {
  await page.goto("/app/qr-generation/1");
  await hydrated(page, "running");
  await page.route("**/archive.zip", (route) =>
    route.fulfill({
      body: Buffer.alloc(9_000_000),
      headers: {
        "Content-Type": "application/zip",
        "Content-Disposition": 'attachment; filename="mass_generation_1.zip"',
      },
    }),
  );
  await page.getByRole("link", { name: /^Download archive/ }).click();
  await expect(page.getByText("The download has begun.")).toBeVisible();
});

test("an archive that does not come says so", async ({ signedIn: page }) => {
  await page.goto("/app/qr-generation/1");
  await hydrated(page, "running");
  await page.route("**/archive.zip", (route) => route.fulfill({ status: 409, body: "no" }));
  const link = page.getByRole("link", { name: /^Download archive/ });
  await link.click();
  await expect(page.getByRole("alert").getByText("Error downloading archive")).toBeVisible();
  await page.unroute("**/archive.zip");
  await page.route("**/archive.zip", (route) => route.abort());
  await link.click();
  await expect(page.getByRole("alert").getByText(/^Server is not available\./)).toBeVisible();
  await expect(link).toBeFocused();
});

test("a request without an answer costs nothing that was typed", async ({ signedIn: page }) => {
  await prefillForm(page, "Still here");
  const posted = "**/app/qr-generation/mass**";
  await page.route(posted, (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ contentType: "application/json", body: "{" })
      : route.continue(),
  );
  await button(page).click();
  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(summary).toContainText("Error generating QR codes");
  await page.unroute(posted);
  await page.route(posted, (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await button(page).click();
  await expect(summary).toContainText("Server is not available.");
  await expect(page.locator("#name")).toHaveValue("Still here");
  await page.unroute(posted);
  await button(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Still here" })).toBeVisible();
});

test("the dialog over a generation's page is a modal that gives the focus back", async ({
  signedIn: page,
}) => {
  await page.goto("/app/qr-generation/1?page=2");
  await hydrated(page, "running");
  const trigger = page.getByRole("link", { name: "Delete" });
  await trigger.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toBeVisible();
  await expect(page.getByRole("link", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(trigger).toBeFocused();
  await expect(page.getByText("26–50 of 60")).toBeVisible();
});
