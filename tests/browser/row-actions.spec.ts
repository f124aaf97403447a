import type { Page } from "playwright/test";
import { inSoak, repetitions } from "../support/repetitions";
import { createPromotion, sampleSerials, signIn, submitSignIn } from "./arrange";
import {
  expect,
  expectFocusKept,
  garblePosts,
  heldRoute,
  hydrated,
  routeLoaded,
  test,
  testAlsoBlockedInSoak,
} from "./fixtures";

/** Options of a promotion that one machine accepts. */
const assigned = { machines: sampleSerials.slice(0, 1), expiresOn: "2099-12-31" };

const rowOf = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

testAlsoBlockedInSoak(
  test,
  "a promotion is deactivated in the list, by Undo reactivated, and its own page is read again without its form",
  async ({ signedIn: page, openListOf, database, scripts, expectAccessible }) => {
    const name = `Off and on ${scripts}`;
    const { id } = await openListOf(name, assigned);
    const row = rowOf(page, name);
    await expect(row).toContainText("Active");
    await row.getByRole("button", { name: `Deactivate ${name}` }).click();
    await expect(page.getByText("Promotion successfully deactivated")).toBeVisible();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(page.getByText("Code successfully reactivated")).toBeVisible();
    await expect(row).toContainText("Active");
    await expectFocusKept(page);
    await row.getByRole("button", { name: `Deactivate ${name}` }).click();
    await expect(row).toContainText("Inactive");
    await expect(row.getByRole("button", { name: "is already inactive" })).toBeDisabled();
    await expectFocusKept(page);
    // The row changes before the answer, with which the message comes.
    await expect(page.getByText("Promotion successfully deactivated").last()).toBeVisible();
    await expectAccessible(page);

    await row.getByRole("link", { name, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await hydrated(page, scripts);
    await page.getByRole("button", { name: "Reactivate" }).click();
    await expect(page.getByText("Code successfully reactivated")).toBeVisible();
    await expectFocusKept(page);
    if (scripts !== "running") return;

    const rename = "update promotions set name = $1, version = version + 1 where id = $2";
    await database.query(rename, ["Somebody else's", id]);
    const entries = await page.evaluate(() => history.length);
    await page.getByRole("button", { name: /sidebar/i }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Somebody else's" })).toBeVisible();
    expect(await page.evaluate(() => history.length)).toBe(entries);
    await page.getByText(/^Edit name/).click();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue(name);
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(
      page.getByText("Someone else changed this code after you opened it.").first(),
    ).toBeVisible();
  },
);

testAlsoBlockedInSoak(
  test,
  "a deletion that fails says so in its question, and one that is done keeps the focus",
  async ({ signedIn: page, openListOf, scripts, expectAccessible }) => {
    const name = `Short life ${scripts}`;
    await openListOf(name, assigned);
    await rowOf(page, name)
      .getByRole("link", { name: `Delete ${name}` })
      .click();
    await expect(page).toHaveTitle(/^Confirm deletion - QR List/);
    await expectAccessible(page);
    if (scripts === "running") {
      const dialog = page.getByRole("alertdialog");
      await expect(dialog).toHaveAccessibleDescription(
        /^Delete "Short life.*"\? ?Machines will refuse/,
      );
      await garblePosts(page, "**/app/**");
      await dialogButton(page, "Delete code").click();
      await expect(page.getByRole("alert").getByText("Error deleting promotion")).toBeVisible();
      await page.unroute("**/app/**");
    }
    await dialogButton(page, "Delete code").click();
    await expect(page.getByText("Promotion successfully deleted")).toBeVisible();
    await expect(rowOf(page, name)).toHaveCount(0);
    await expectFocusKept(page);

    // Each dialog over the list has a key of its own.
    await openListOf(`Another ${name}`, assigned);
    await rowOf(page, `Another ${name}`).getByRole("link", { name: "Delete Another" }).click();
    await dialogButton(page, "Delete code").click();
    await expect(rowOf(page, `Another ${name}`)).toHaveCount(0);
  },
);

test("a refused deactivation is shown at once, then undone with the reason", async ({
  signedIn: page,
  openListOf,
}) => {
  await openListOf("Refused", assigned);
  const line = page.getByRole("row", { name: /^Select Refused/ });
  const pressed = line.getByRole("toolbar").getByRole("button");
  await expect(line).toContainText("Active");

  await test.step("an icon says what it does while the keyboard is on it", async () => {
    const machines = line.getByRole("link", { name: /^Machines of/ });
    const label = () => machines.evaluate((icon) => getComputedStyle(icon, "::after").content);
    expect(await label()).toBe("none");
    await line.getByRole("checkbox").focus();
    for (let press = 0; press < 2; press++) await page.keyboard.press("Tab");
    await expect(machines).toBeFocused();
    expect(await label()).toMatch(/^"Machines of Refused/);
  });

  const busy = "Too many requests at once from your network. Please try again in a moment.";
  const { hold, release } = heldRoute((route) =>
    route.fulfill({ status: 429, headers: { "X-Remix-Catch": "yes" }, body: busy }),
  );
  await page.route("**/deactivate?**", hold);
  await pressed.focus();
  await page.keyboard.press("Enter");
  await expect(line).toContainText("Inactive");
  await expect(pressed).toHaveAttribute("aria-disabled", "true");
  await expect(pressed).toBeFocused();
  release();
  await expect(line.getByRole("alert")).toHaveText(busy);
  // It leaves the columns of the table, or the icons of a card, where they are.
  for (const width of [1366, 360]) {
    await page.setViewportSize({ width, height: 740 });
    const icons = line.getByRole("cell").last().locator("a, button");
    const [first, last] = [await icons.first().boundingBox(), await icons.last().boundingBox()];
    expect(last!.x - first!.x).toBeLessThan(130);
    expect(last!.y).toBe(first!.y);
    await expect(line.getByText("Active", { exact: true })).toBeInViewport();
  }
  await expect(line).toContainText("Active");
  await expect(pressed).toBeFocused();

  await page.unroute("**/deactivate?**");
  await garblePosts(page, "**/deactivate?**");
  await page.keyboard.press("Enter");
  await expect(line.getByRole("alert")).toHaveText("Error deactivating promotion");
  await page.unroute("**/deactivate?**");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Promotion successfully deactivated")).toBeVisible();
});

test("a row says why its code can't be deactivated, to the keyboard too", async ({
  signedIn: page,
  openListOf,
}) => {
  await openListOf("Not deactivated", { ...assigned, machines: [] });
  const row = rowOf(page, "Not deactivated");
  const icon = row.getByRole("button", { name: "its status is Not assigned" });
  await icon.focus();
  await page.keyboard.press("Shift");
  await expect(icon).toBeFocused();
  const label = await icon.evaluate((button) => getComputedStyle(button, "::after").content);
  expect(label).toContain("can't be deactivated: its status is Not assigned");
  await expect(row.getByRole("alert")).toHaveCount(0);
  await icon.click({ force: true });
  await expect(row.getByRole("alert")).toContainText("its status is Not assigned");
});

test("the tooltip of a focused icon is within its row on a phone", async ({
  signedIn: page,
  openListOf,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openListOf("A name for a long tooltip", { ...assigned, machines: [] });
  const row = rowOf(page, "A name for a long tooltip");
  await page.keyboard.press("Tab");
  for (const icon of await row.getByRole("toolbar").getByRole("link").all()) {
    await icon.focus();
    // Measures how far its edges lie within those of the actions, in which it is placed.
    const distances = await icon.evaluate((link: HTMLElement) => {
      const { left, right } = getComputedStyle(link, "::after");
      return link.offsetParent?.role === "toolbar" ? [left, right].map(parseFloat) : [];
    });
    expect(distances).toHaveLength(2);
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(0);
  }
});

inSoak(test)(
  "a code that is deactivated after the session has ended leads to the sign-in page and back",
  async ({ page, openListOf, context }) => {
    await signIn(page);
    await openListOf("Too late", assigned);
    await context.clearCookies();
    await page.getByRole("button", { name: "Deactivate Too late" }).click();
    await expect(page.getByText("Your session has ended.")).toBeVisible();
    await submitSignIn(page);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page).toHaveURL(/\/app\/qr-list/);
    await expect(page.getByText("You were signed out, so nothing was done.")).toBeVisible();
    await expect(rowOf(page, "Too late")).toContainText("Active");
  },
);

test("a dialog over the list opens without a request, gives the focus back and leaves no entry to go back to", async ({
  signedIn: page,
  visit,
  app,
}) => {
  await createPromotion(app, "Given back", assigned);
  await visit("/app/dashboard");
  await page.getByRole("link", { name: "QR List", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "QR List" })).toBeVisible();
  // The scripts of dialogs are loaded while the browser is idle.
  const route = "routes/app.qr-list.$promotionId.delete";
  await routeLoaded(page, route);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  for (const kind of ["Delete", "Download"]) {
    const trigger = page.locator(`tbody a[title^=${kind}]`).first();
    const open = async () => {
      await trigger.focus();
      await page.keyboard.press("Enter");
      const role = kind === "Delete" ? "alertdialog" : "dialog";
      await expect(page.getByRole(role)).toBeVisible();
      await expect(page.locator(`[role=${role}]:focus, [role=${role}] :focus`)).toHaveCount(1);
      // A shortcut of the page is none of the dialog.
      await page.keyboard.press("d");
    };
    const close = async (round: number) => {
      if (round % 2 === 0) await page.keyboard.press("Escape");
      else await page.getByRole("link", { name: /^(Cancel|Close)$/ }).click();
      await expect(page.locator("[role=dialog],[role=alertdialog]")).toHaveCount(0);
      await expect(trigger).toBeFocused();
    };
    for (let round = 0; round < repetitions(2, 10); round++) {
      await open();
      await close(round);
    }
  }
  expect(requests.filter((url) => !/(favicon\.svg|qr\.png)$/.test(url))).toEqual([]);
  await page.goBack();
  await expect(page).toHaveURL(/\/app\/dashboard$/);
});

inSoak(test)(
  "a dialog opens without a request after a message, too, and Cancel goes back to it",
  async ({ signedIn: page, openListOf }) => {
    await openListOf("With a message", assigned);
    await routeLoaded(page, "routes/app.qr-list.$promotionId.delete");
    const row = rowOf(page, "With a message");
    await row.getByRole("button", { name: /^Deactivate/ }).click();
    await expect(page.getByText("Promotion successfully deactivated")).toBeVisible();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await row.getByRole("link", { name: /^Delete/ }).click();
    const dialog = page.getByRole("alertdialog");
    await expect(dialog).toBeVisible();
    await dialog.getByRole("link", { name: "Cancel" }).click();
    await expect(dialog).toHaveCount(0);
    expect(requests.filter((url) => url.includes("_data"))).toEqual([]);
    await expect(page).toHaveURL(/flash=/);
    await page.goBack();
    await expect(page).not.toHaveURL(/flash=/);
  },
);

test("the focus moves to the next row when the row of the pressed control disappears", async ({
  signedIn: page,
  app,
  visit,
}) => {
  for (const name of ["Leaving last", "Leaving first"]) await createPromotion(app, name, assigned);
  await visit("/app/qr-list?status=active&text=Leaving");
  const icon = rowOf(page, "Leaving first").getByRole("button", { name: /^Deactivate/ });
  await icon.focus();
  await page.keyboard.press("Enter");
  await expect(rowOf(page, "Leaving first")).toHaveCount(0);
  // No control of it: a second press would act on it.
  await expect(rowOf(page, "Leaving last")).toBeFocused();
});

/** Finds a button of the dialog: the bar for selected rows has buttons of the same names. */
function dialogButton(page: Page, name: string) {
  return page
    .locator("section, [role=dialog], [role=alertdialog]")
    .filter({ has: page.locator("#dialog-title") })
    .getByRole("button", { name, exact: true })
    .last();
}
