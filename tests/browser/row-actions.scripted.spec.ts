import { expect, hydrated, test } from "./fixtures";

test.beforeEach(async ({ signedIn: page }) => {
  await page.goto("/app/qr-list?per_page=10&status=active");
  await hydrated(page, "running");
});

test("a refused deactivation is shown at once, then undone with the reason", async ({
  signedIn: page,
}) => {
  const button = page.getByRole("button", { name: /^Deactivate / }).first();
  const id = (await button.getAttribute("id"))!;
  const pressed = page.locator(`#${id}`);
  const line = page.getByRole("row").filter({ has: pressed });
  await expect(line).toContainText("Active");
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/deactivate?**", async (route) => {
    await asked;
    await route.fulfill({ status: 429, body: "not now" });
  });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(line).toContainText("Inactive");
  await expect(pressed).toHaveAttribute("aria-disabled", "true");
  await expect(pressed).toBeFocused();
  answer();
  await expect(line.getByRole("alert")).toHaveText("Error deactivating promotion");
  await expect(line).toContainText("Active");
  await expect(pressed).toBeFocused();

  await page.unroute("**/deactivate?**");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Promotion successfully deactivated")).toBeVisible();
});

test("a deletion that fails leaves the dialog open, and a second press asks nothing", async ({
  signedIn: page,
}) => {
  await page
    .getByRole("link", { name: /^Delete / })
    .first()
    .click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog.getByRole("link", { name: "Cancel" })).toBeFocused();
  let requests = 0;
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/delete?**", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    requests += 1;
    await asked;
    await route.fulfill({ status: 429, body: "not now" });
  });
  const button = dialog.getByRole("button", { name: /^Delet/ });
  await button.click();
  await expect(button).toHaveText("Deleting...");
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await button.click({ force: true });
  answer();
  await expect(dialog.getByRole("alert")).toHaveText(
    /^Error deleting (promotion|mass generation)$/,
  );
  await expect(dialog).toBeVisible();
  await expect(button).toBeFocused();
  expect(requests).toBe(1);
});

test("a dialog over the list opens without a request and gives the focus back", async ({
  signedIn: page,
}) => {
  for (const kind of ["delete", "download"]) {
    const trigger = page.locator(`a[id^=${kind}-]`).first();
    const open = async () => {
      await trigger.focus();
      await page.keyboard.press("Enter");
      await expect(page.getByRole(/^delete/.test(kind) ? "alertdialog" : "dialog")).toBeVisible();
    };
    const close = async () => {
      await page.keyboard.press("Escape");
      await expect(page.locator("[role=dialog],[role=alertdialog]")).toHaveCount(0);
      await expect(trigger).toBeFocused();
    };
    await open();
    await close();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    for (let round = 0; round < 10; round++) {
      await open();
      await close();
    }
    expect(requests.filter((url) => !/(favicon\.svg|qr\.png)$/.test(url))).toEqual([]);
    page.removeAllListeners("request");
  }
});
