import type { Page } from "playwright/test";
import { addWebhook, expirePasswordCheck, signIn } from "./arrange";
import { expect, hydrated, test, type Scripts, type Visit } from "./fixtures";
import { noAnswer } from "./lost-answers";
import { inSoak } from "../support/repetitions";

const secret = (page: Page) => page.getByRole("textbox", { name: "Secret" });

async function createIntegration(
  { page, visit, scripts }: { page: Page; visit: Visit; scripts: Scripts },
  name: string,
) {
  await visit("/app/integrations");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Create integration" }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  await expect(page.getByText("Integration successfully created")).toBeVisible();
  await hydrated(page, scripts);
}

test("the secret of a key is copied, stays while the page is used, and the form is ready for the next key", async ({
  signedIn: page,
  visit,
  context,
  scripts,
  expectAccessible,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await createIntegration({ page, visit, scripts }, "Copied");
  await page.getByLabel(/^Machine/).fill("vm-10431");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(secret(page)).toBeFocused();
  await expect(page.getByLabel(/^Machine/)).toHaveValue("");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByText("Copied", { exact: true }).last()).toBeVisible();
  const first = await secret(page).inputValue();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first);
  await page.getByRole("link", { name: "Skip to main content" }).press("Enter");
  await expect(page).toHaveURL(/#main$/);
  await page.getByRole("button", { name: /sidebar/i }).click();
  await expect(page.getByRole("button", { name: /sidebar/i })).toHaveAttribute(
    "aria-expanded",
    "false",
  );
  await page.waitForLoadState("networkidle");
  await expect(secret(page)).toHaveValue(first);

  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("rowheader")).toHaveCount(2);
  await expect(secret(page)).not.toHaveValue(first);
  const second = await secret(page).inputValue();

  await page.getByLabel(/^Machine/).fill("no machine");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "There is a problem" })).toBeFocused();
  await expect(secret(page)).toHaveValue(second);
  await context.setOffline(true);
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText(noAnswer)).toBeVisible();
  await context.setOffline(false);
  await expect(secret(page)).toHaveValue(second);

  await page.getByRole("link", { name: `Revoke vqm_…${first.slice(-4)}` }).click();
  await expect(page.getByText("can no longer use this key")).toBeVisible();
  await expect(page.getByLabel(/^Machine/)).toHaveValue("no machine");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Revoked" })).toHaveCount(1);
});

test.describe("with a session whose password was checked long ago", () => {
  test.use({ hasOwnContext: true });

  inSoak(test)(
    "a form that asks for the password again can show it",
    async ({ signedIn: page, visit, database }) => {
      await page.context().clearCookies();
      await signIn(page);
      await expirePasswordCheck(database);
      await visit("/app/webhooks");
      const field = page.getByLabel("Your password");
      await expect(field).toHaveAttribute("type", "password");
      await page.getByRole("button", { name: "Show password" }).click();
      await expect(field).toHaveAttribute("type", "text");
      await page.getByRole("button", { name: "Hide password" }).click();
      await expect(field).toHaveAttribute("type", "password");
    },
  );
});

inSoak(test)(
  "an edit that somebody else was faster with is refused, also after another button of its page",
  async ({ signedIn: page, visit, database }) => {
    await addWebhook(database);
    await visit("/app/webhooks/1");
    await page.getByLabel("Address").fill("https://example.com/mine");
    await database.query(
      "update webhooks set event_types = '{promotion.created}', version = version + 1 where id = 1",
    );
    await page.getByRole("button", { name: "Enable", exact: true }).click();
    await expect(page.getByText("Webhook successfully enabled")).toBeVisible();
    const save = page.getByRole("button", { name: "Save webhook" });
    await save.click();
    await expect(page.getByText("Someone else changed this webhook").first()).toBeVisible();
    for (const address of ["https://example.com/mine", "https://example.com/hook"]) {
      await page.getByLabel("Address").fill(address);
      await save.click();
      await expect(page.getByRole("heading", { level: 1, name: address })).toBeVisible();
    }
    await database.query("delete from webhooks");
  },
);

test("a button that acts at once and the field of a search keep the focus", async ({
  signedIn: page,
  visit,
  database,
}) => {
  await addWebhook(database);
  await visit("/app/webhooks/1");
  await page.getByRole("button", { name: "Enable", exact: true }).press("Enter");
  const disable = page.getByRole("button", { name: "Disable", exact: true });
  await expect(disable).toBeFocused();
  await disable.press("Enter");
  await expect(page.getByRole("button", { name: "Enable", exact: true })).toBeFocused();

  await visit("/app/search");
  const field = page.getByRole("main").getByRole("searchbox");
  await field.fill("Nothing has this name");
  await field.press("Enter");
  await expect(page).toHaveURL(/q=Nothing/);
  await expect(page).toHaveTitle(/Nothing has this name/);
  await expect(field).toBeFocused();
});

inSoak(test)(
  "the answer of a test call takes the focus, also that of the same call",
  async ({ signedIn: page, visit, scripts }) => {
    await createIntegration({ page, visit, scripts }, `Calls ${scripts}`);
    await page.getByRole("link", { name: "Test mode" }).click();
    await page.getByRole("button", { name: "Create test code" }).click();
    const send = page.getByRole("button", { name: "Send call" });
    await expect(send).toBeVisible();
    await hydrated(page, scripts);
    const answer = page.getByRole("group", { name: "Answer: HTTP 201" });
    await send.click();
    await expect(answer).toBeFocused();
    await expect(answer).toBeInViewport();
    await send.click();
    await expect(answer).toBeFocused();
  },
);
