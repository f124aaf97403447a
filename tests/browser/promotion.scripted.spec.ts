import type { Page } from "playwright/test";
import { expect, hydrated, test } from "./fixtures";

/** What scripts add to making and showing a promotion. */
async function openForm(page: Page) {
  await page.goto("/app/qr-generation");
  await hydrated(page, "running");
}

test("slashes come by themselves and never fight Backspace", async ({ signedIn: page }) => {
  await openForm(page);
  const date = page.getByLabel("Expiration date");
  await date.pressSequentially("31122099");
  await expect(date).toHaveValue("31/12/2099");
  for (let press = 0; press < 5; press++) await date.press("Backspace");
  await expect(date).toHaveValue("31/12");
  await date.fill("");
  await date.pressSequentially("010230");
  await expect(date).toHaveValue("01/02/30");
  await date.blur();
  await expect(date).toHaveValue("01/02/2030");
});

test("free drinks with one-time use become one drink", async ({ signedIn: page }) => {
  await openForm(page);
  await page.getByLabel("Free drinks", { exact: true }).check();
  await page.getByLabel("Number of free drinks").fill("7");
  await page.getByLabel("One-time use").check();
  await expect(page.getByLabel("Number of free drinks")).toHaveValue("1");
});

test("ticking machines by keyboard keeps the place in the list", async ({ signedIn: page }) => {
  await openForm(page);
  const available = page.getByRole("region", { name: /Available Machines/ });
  const boxes = available.getByRole("checkbox");
  const second = await boxes.nth(1).getAttribute("value");
  await boxes.first().focus();
  await page.keyboard.press("Space");
  await expect(page.locator(":focus")).toHaveAttribute("value", second!);
  await page.keyboard.press("Space");
  await expect(
    page.getByRole("region", { name: /Selected Machines/ }).getByRole("checkbox"),
  ).toHaveCount(2);
  await expect(available.locator(":focus")).toHaveCount(1);
});

test("a server that can't be reached costs nothing that was typed", async ({ signedIn: page }) => {
  await openForm(page);
  await page.getByLabel("Name", { exact: true }).fill("Still here");
  await page.getByLabel("Percentage off").fill("15");
  await page.route("**/app/qr-generation**", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await page.getByRole("button", { name: "Create promotion" }).click();
  const { port } = new URL(page.url());
  await expect(page.getByRole("alert").filter({ hasText: "There is a problem" })).toContainText(
    `Server is not available. Please check if server is running on port ${port}.`,
  );
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Still here");
  await page.unroute("**/app/qr-generation**");
  await page.getByRole("button", { name: "Create promotion" }).click();
  await expect(page).toHaveURL(/\/app\/qr-list/);
});

test("what is typed and ticked before the scripts arrive stays", async ({
  signedIn: page,
  context,
}) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await context.route("**/assets/*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/app/qr-generation", { waitUntil: "commit" });
  await page.getByLabel("Name", { exact: true }).fill("Early bird");
  await page.getByLabel("Free drinks", { exact: true }).check();
  await page.getByLabel("One-time use").check();
  const box = page
    .getByRole("region", { name: /Available Machines/ })
    .getByRole("checkbox")
    .first();
  const serial = (await box.getAttribute("value"))!;
  await box.check();
  await page.getByLabel("Search machines").fill("airport");
  release();
  await hydrated(page, "running");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Early bird");
  await expect(page.getByLabel("Free drinks", { exact: true })).toBeChecked();
  await expect(page.getByLabel("One-time use")).toBeChecked();
  await expect(
    page.getByRole("region", { name: /Selected Machines/ }).locator(`[value="${serial}"]`),
  ).toBeChecked();
  const available = page.getByRole("region", { name: /Available Machines/ });
  for (const name of await available.getByRole("listitem").allInnerTexts())
    expect(name).toMatch(/airport/i);
});

test("the QR dialog is a modal that gives the focus back", async ({ signedIn: page }) => {
  await page.goto("/app/qr-list");
  await hydrated(page, "running");
  const trigger = page.getByRole("link", { name: /^Download the QR code of/ }).first();
  for (let round = 0; round < 3; round++) {
    await trigger.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    await expect(page.locator("[role=dialog]:focus, [role=dialog] :focus")).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(trigger).toBeFocused();
  }
});

test("the list keeps its rows when a refresh gets no answer, and says so", async ({
  signedIn: page,
}) => {
  await page.goto("/app/qr-list?per_page=10");
  await hydrated(page, "running");
  const sorted = page.getByRole("link", { name: "Name", exact: true });
  await page.route("**/app/qr-list?**_data**", (route) => route.abort());
  await sorted.click();
  await expect(page.getByText("Network error. Using cached data.")).toBeVisible();
  await expect(page.getByRole("rowheader")).toHaveCount(10);
  await page.unroute("**/app/qr-list?**_data**");
  await page.route("**/app/qr-list?**_data**", (route) => route.fulfill({ body: "<html></html>" }));
  await sorted.click();
  await expect(
    page.getByText("Received invalid data format from server. Using cached data if available."),
  ).toBeVisible();
  await expect(page.getByRole("rowheader")).toHaveCount(10);
  await page.unroute("**/app/qr-list?**_data**");
  await sorted.click();
  await expect(page.getByText(/Using cached data/)).toHaveCount(0);
});
