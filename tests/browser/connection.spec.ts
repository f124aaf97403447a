import type { Page } from "playwright/test";
import { createPromotion, postForm, sampleSerials } from "./arrange";
import { expect, fileOfZeros, heldRoute, hydrated, routePosts, test } from "./fixtures";
import { inSoak } from "../support/repetitions";

const banner = "No connection. Your page is kept.";
const noAnswer = "No answer from the server. What you entered is kept, and trying again is safe.";

/** Fills the form of a promotion. */
async function fillPromotion(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Percentage off").fill("15");
}

/** Loses the script of a route, which stays failed in the document. */
async function loseScriptOf(page: Page, route: string, options = {}): Promise<void> {
  const script = await page.evaluate((id) => window.__remixManifest.routes[id]!.module, route);
  await page.route(`**${script}`, (request) => request.abort(), options);
}

test("a secret that is shown once stays after a link that is followed without a connection", async ({
  signedIn: page,
  visit,
  context,
  app,
}) => {
  await postForm(context, app, "/app/integrations", { name: "Secret kept" });
  await visit("/app/integrations");
  await page.getByRole("link", { name: "Secret kept" }).click();
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = page.getByText(/The key was created/);
  await expect(secret).toBeVisible();
  await context.setOffline(true);
  await page.getByRole("link", { name: "FAQ", exact: true }).click();
  await expect(page.getByText(banner)).toBeVisible();
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL(/\/app\/integrations\/\d+$/);
  await expect(secret).toBeVisible();
  // The banner goes when the browser comes online, without a press.
  await context.setOffline(false);
  await expect(page.getByText(banner)).toHaveCount(0);
  await expect(secret).toBeVisible();
});

inSoak(test)(
  "the banner gives the focus to the heading where nothing had it",
  async ({ signedIn: page, visit, context }) => {
    await visit("/app/qr-list");
    await context.setOffline(true);
    await page.keyboard.press("m");
    await page.getByRole("button", { name: "Try again" }).press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "QR List" })).toBeFocused();
  },
);

test("a file whose upload found no connection can be uploaded once there is one", async ({
  signedIn: page,
  visit,
  context,
}) => {
  await visit("/app/imports/new");
  const buffer = Buffer.from("nonsense\n1\n");
  await page.getByLabel("CSV file").setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer });
  await context.setOffline(true);
  const upload = page.getByRole("button", { name: "Upload and check" });
  await upload.click();
  await expect(page.getByText(banner)).toBeVisible();
  await expect(upload).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(banner)).toHaveCount(0);
  await upload.click();
  await expect(page.getByText(/^Columns are missing/).last()).toBeVisible();
});

test("a dialog leaves the banner and 'Try again' in reach when a link in it is followed without a connection", async ({
  signedIn: page,
  visit,
  context,
}) => {
  await visit("/app/machines?sort=-promotions");
  await page.locator('tbody a[href*="/promotions"]').first().click();
  const dialog = page.getByRole("dialog", { name: "Machine Promotions" });
  const code = dialog.locator("tbody a").first();
  await expect(code).toBeVisible();
  await context.setOffline(true);
  await code.click();
  await expect(page.getByRole("alert").getByText(banner)).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).focus();
  await expect(page.getByRole("button", { name: "Try again" })).toBeFocused();
  await expect(dialog).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(banner)).toHaveCount(0);
});

test("a link whose script is lost opens its document, and Back leads to the page before", async ({
  signedIn: page,
  visit,
}) => {
  await visit("/app/profile");
  await loseScriptOf(page, "routes/app.qr-generation");
  const entries = await page.evaluate(() => history.length);
  await page.getByRole("link", { name: "QR Generation", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "QR Generation" })).toBeVisible();
  expect(await page.evaluate(() => history.length)).toBe(entries + 1);
  await page.goBack();
  await expect(page).toHaveURL(/\/app\/profile$/);
});

inSoak(test)(
  "Back to a page whose script is lost opens its document, and Forward leads on",
  async ({ signedIn: page, visit }) => {
    await visit("/app/profile");
    await page.getByRole("link", { name: "QR Generation", exact: true }).click();
    await expect(page).toHaveURL(/\/app\/qr-generation$/);
    await page.reload();
    await hydrated(page, "running");
    await loseScriptOf(page, "routes/app.profile", { times: 1 });
    const entries = await page.evaluate(() => history.length);
    await page.evaluate(() => history.back());
    await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
    await expect(page).toHaveURL(/\/app\/profile$/);
    expect(await page.evaluate(() => history.length)).toBe(entries);
    await hydrated(page, "running");
    await page.goForward();
    await expect(page.getByRole("heading", { level: 1, name: "QR Generation" })).toBeVisible();
  },
);

test("a form whose script is lost is posted once, as a document", async ({
  signedIn: page,
  visit,
}) => {
  await visit("/app/profile");
  await loseScriptOf(page, "routes/preferences");
  let posts = 0;
  page.on("request", (request) => (posts += Number(request.method() === "POST")));
  await page.locator("summary", { hasText: "Theme" }).click();
  const documents = page.waitForEvent("load");
  await page.getByRole("complementary").getByRole("radio", { name: "Light" }).click();
  await documents;
  await expect(page.locator("html")).toHaveClass(/mode-light/);
  expect(posts).toBe(1);
});

inSoak(test)(
  "a calendar that can't be loaded leaves the text field",
  async ({ signedIn: page, visit, context }) => {
    await visit("/app/qr-generation");
    await context.setOffline(true);
    await page.getByRole("button", { name: "Choose from a calendar" }).click();
    await expect(page.getByText("No connection. Type the date instead.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Choose from a calendar" })).toHaveCount(0);
    await expect(page.locator("main input:focus")).toHaveCount(1);
  },
);

test("Back without a connection keeps the page, its address and the way back", async ({
  signedIn: page,
  visit,
  context,
}) => {
  await visit("/app/dashboard");
  await page.getByRole("link", { name: "QR Generation", exact: true }).click();
  await expect(page).toHaveURL(/\/app\/qr-generation$/);
  await fillPromotion(page, "Still here");
  await context.setOffline(true);
  await page.evaluate(() => history.back());
  await expect(page.getByText(banner)).toBeVisible();
  await expect(page).toHaveURL(/\/app\/qr-generation$/);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Still here");
  await context.setOffline(false);
  await page.goBack();
  await expect(page).toHaveURL(/\/app\/dashboard$/);
});

test("a question can't be closed while it is answered, tells a lost answer, and isn't opened again by Back", async ({
  signedIn: page,
  visit,
  app,
}) => {
  const { id } = await createPromotion(app, "Delete me slowly");
  await visit("/app/dashboard");
  await page.getByRole("link", { name: "QR List", exact: true }).click();
  const { hold, release } = heldRoute((route) => route.abort());
  await routePosts(page, `**/app/qr-list/${id}/delete**`, hold);
  await page.getByRole("link", { name: /^Delete Delete me slowly/ }).click();
  const dialog = page.getByRole("alertdialog");
  // Esc in the same task comes before React has rendered that the form is being sent.
  await dialog.getByRole("button", { name: "Delete code" }).evaluate((button) => {
    (button as HTMLButtonElement).click();
    const escape = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
    document.activeElement!.dispatchEvent(escape);
  });
  await expect(dialog.getByRole("button", { name: "Deleting..." })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await dialog.getByRole("link", { name: "Cancel" }).click({ force: true });
  await expect(dialog).toBeVisible();
  release();
  await expect(dialog.getByText(noAnswer)).toBeVisible();
  await page.unroute(`**/app/qr-list/${id}/delete**`);
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Promotion successfully deleted")).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/app\/qr-list$/);
  await expect(dialog).toHaveCount(0);
});

inSoak(test)(
  "a form that is left by Back is sent all the same, and the page behind tells its outcome",
  async ({ signedIn: page, openListOf }) => {
    const { id } = await openListOf("Left by Back");
    const { hold, release } = heldRoute();
    await routePosts(page, `**/app/qr-list/${id}/delete**`, hold);
    await page.getByRole("link", { name: /^Delete Left by Back/ }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: "Delete code" }).click();
    await expect(dialog.getByRole("button", { name: "Deleting..." })).toBeVisible();
    await page.goBack();
    await expect(dialog).toHaveCount(0);
    release();
    await expect(page.getByText("Promotion successfully deleted")).toBeVisible();
  },
);

test("the first dialog and the first action of a row keep the page without a connection, and work with one", async ({
  signedIn: page,
  openListOf,
  context,
  database,
}) => {
  // The browser had no time to load them.
  await page.route("**/assets/dialogs-*.js", (route) => route.abort());
  const { id } = await openListOf("First offline", { machines: [sampleSerials[0]!] });
  await context.setOffline(true);
  await page.getByRole("link", { name: "Delete First offline" }).click();
  await expect(page.getByText(banner)).toBeVisible();
  await expect(page).toHaveURL(/\/app\/qr-list$/);
  const row = page.getByRole("row", { name: "First offline" });
  const deactivate = row.getByRole("button", { name: "Deactivate" });
  await deactivate.click();
  // It is given up: a connection that returns later finds nothing to run.
  await expect(deactivate).toBeEnabled();
  await expect(deactivate).not.toHaveAttribute("aria-disabled", "true");
  await expect(page.getByText(banner)).toBeVisible();
  await expect(row).toContainText("Active");

  await page.unroute("**/assets/dialogs-*.js");
  await context.setOffline(false);
  await deactivate.click();
  await expect(page.getByText("Promotion successfully deactivated")).toBeVisible();
  await page.getByRole("link", { name: "Delete First offline" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  const { rows } = await database.query("select is_active, version from promotions where id = $1", [
    id,
  ]);
  expect(rows).toEqual([{ is_active: false, version: 2 }]);
});

test.describe("with a clock of its own", () => {
  test.use({ hasOwnContext: true });

  test("a form that is not answered within 30 seconds says so in the window", async ({
    signedIn: page,
    visit,
    context,
  }) => {
    await context.clock.install();
    await visit("/app/qr-generation");
    // The field stands far above the button and the message.
    await page.setViewportSize({ width: 1050, height: 600 });
    await fillPromotion(page, "Too slow");
    await routePosts(page, "**/app/qr-generation**", async () => {});
    const sent = page.waitForRequest((request) => request.method() === "POST");
    const name = page.getByLabel("Name", { exact: true });
    await name.press("Enter");
    await sent;
    await context.clock.runFor(31_000);
    await expect(page.getByText(noAnswer)).toBeInViewport({ ratio: 1 });
    await expect(name).toHaveValue("Too slow");
  });

  inSoak(test)(
    "a picture of the largest size has the time that it takes on a slow line",
    async ({ signedIn: page, visit, context }, testInfo) => {
      await context.clock.install();
      await visit("/app/user/edit/profile");
      await page
        .getByLabel("Photo", { exact: true })
        .setInputFiles(fileOfZeros(testInfo, "large.png", 2 * 1024 * 1024));
      await routePosts(page, "**/app/user/edit/profile**", async () => {});
      const sent = page.waitForRequest((request) => request.method() === "POST");
      await page.getByRole("button", { name: "Upload an image" }).click();
      await sent;
      await context.clock.runFor(100_000);
      await expect(page.getByRole("button", { name: "Uploading..." })).toBeVisible();
      await context.clock.runFor(40_000);
      await expect(page.getByText(noAnswer)).toBeVisible();
    },
  );

  inSoak(test)(
    "the banner keeps what was pressed in the window, and follows the link again",
    async ({ signedIn: page, visit, context }) => {
      await page.setViewportSize({ width: 1366, height: 400 });
      await visit("/app/qr-list");
      // Nothing asks meanwhile whether the server answers.
      await context.clock.install();
      await context.clock.pauseAt(Date.now() + 60_000);
      await page.route("**/*", (route) => route.abort());
      const link = page.getByRole("navigation", { name: "Pages" }).getByRole("link").last();
      await link.evaluate((element) => element.scrollIntoView({ block: "end" }));
      await link.click();
      await expect(page.getByText(banner)).toBeVisible();
      await expect(link).toBeInViewport({ ratio: 1 });
      await page.unroute("**/*");
      await page.getByRole("button", { name: "Try again" }).click();
      await expect(page).toHaveURL(/page=2/);
      await expect(page.getByText(banner)).toHaveCount(0);
    },
  );

  inSoak(test)(
    "the banner gives the focus back to what was pressed, when it is tried again and when it goes by itself",
    async ({ signedIn: page, visit, context }) => {
      await visit("/app/qr-list");
      await context.clock.install();
      await context.clock.pauseAt(Date.now() + 60_000);
      await page.route("**/*", (route) => route.abort());
      const link = page.getByRole("navigation", { name: "Pages" }).getByRole("link").last();
      await link.press("Enter");
      const tryAgain = page.getByRole("button", { name: "Try again" });
      await expect(tryAgain).toBeVisible();

      const { hold, release: lose } = heldRoute((route) => route.abort());
      await page.route("**/app/qr-list?**", hold);
      await tryAgain.press("Enter");
      // It comes back as new words, which are announced.
      await expect(page.getByText(banner)).toHaveCount(0);
      await expect(link).toBeFocused();
      lose();
      await expect(page.getByText(banner)).toBeVisible();
      await expect(link).toBeFocused();

      await tryAgain.focus();
      await page.unrouteAll({ behavior: "wait" });
      await context.clock.runFor(2_000);
      await expect(page.getByText(banner)).toHaveCount(0);
      await expect(link).toBeFocused();
      await expect(page).not.toHaveURL(/page=2/);
    },
  );

  inSoak(test)(
    "the banner opens again the document that was not reached, and sends no form instead",
    async ({ signedIn: page, visit, context }) => {
      await visit("/app/profile");
      await page.getByRole("link", { name: "FAQ", exact: true }).click();
      await expect(page).toHaveURL(/faq/);
      await context.clock.install();
      await context.clock.pauseAt(Date.now() + 60_000);
      let posts = 0;
      page.on("request", (request) => (posts += Number(request.method() === "POST")));
      await page.route("**/*", (route) => route.abort());
      await page.getByRole("link", { name: "Dashboard", exact: true }).click();
      await expect(page.getByText(banner)).toBeVisible();
      await page.getByRole("link", { name: "API docs" }).click();
      await expect(page.getByText(banner)).toBeVisible();
      await page.unroute("**/*");
      await page.getByRole("button", { name: "Try again" }).click();
      await expect(page).toHaveURL(/docs/);
      expect(posts).toBe(0);
    },
  );

  inSoak(test)(
    "a message on the page of a code says why its 'Undo' failed, and is not read again as a whole",
    async ({ signedIn: page, visit, app }) => {
      const { id } = await createPromotion(app, "Undone in vain", {
        machines: sampleSerials.slice(0, 1),
      });
      await visit(`/app/qr-list/${id}`);
      await page.getByRole("button", { name: "Deactivate", exact: true }).click();
      const messages = page.getByLabel("Messages");
      const undo = messages.getByRole("button", { name: "Undo", exact: true });
      await expect(undo).toBeVisible();
      await routePosts(page, "**/app/**", (route) => route.abort());
      await undo.click();
      await expect(messages.getByText(noAnswer)).toBeVisible();
      await expect(messages.getByRole("status")).toHaveAttribute("aria-atomic", "false");
      await expect(messages.getByRole("status").getByRole("alert")).toHaveCount(0);
    },
  );

  test("a message stays while it has the focus, and once its 'Undo' failed", async ({
    signedIn: page,
    openListOf,
  }) => {
    await page.clock.install();
    await openListOf("Kept message", { machines: sampleSerials.slice(0, 1) });
    await page.getByRole("button", { name: "Deactivate Kept message" }).click();
    const undo = page.getByRole("button", { name: "Undo", exact: true });
    await undo.focus();
    await undo.hover();
    await page.mouse.move(0, 0);
    await page.clock.fastForward(10_000);
    await expect(undo).toBeFocused();

    await routePosts(page, "**/app/**", (route) => route.abort());
    await page.keyboard.press("Enter");
    const error = page.getByLabel("Messages").getByText(noAnswer);
    await expect(error).toBeVisible();
    await undo.blur();
    await page.clock.fastForward(10_000);
    await expect(error).toBeVisible();
    await page.unroute("**/app/**");
    await undo.click();
    await expect(page.getByText("Code successfully reactivated")).toBeVisible();
    await expect(error).toHaveCount(0);
  });

  test("a page that takes longer than 5 seconds says that it is still working", async ({
    signedIn: page,
    visit,
  }) => {
    await page.clock.install();
    await visit("/app/dashboard");
    const { hold, release: answer } = heldRoute();
    await page.route("**/app/machines?**", hold);
    await page.getByRole("link", { name: "Machines", exact: true }).click();
    await page.clock.fastForward(1_000);
    await expect(page.getByText("Loading...")).toBeVisible();
    await page.clock.fastForward(5_000);
    await expect(page.getByText("Still working")).toBeVisible();
    answer();
    await expect(page.getByRole("heading", { level: 1, name: "Machines" })).toBeVisible();
    await expect(page.getByText("Still working")).toHaveCount(0);
  });
});
