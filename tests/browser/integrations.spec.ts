import type { Page } from "playwright/test";
import { expirePasswordCheck, signIn } from "./arrange";
import {
  expect,
  hydrated,
  test,
  testAlsoBlockedInSoak,
  type Scripts,
  type Visit,
} from "./fixtures";

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

testAlsoBlockedInSoak(
  test,
  "a key shows its secret once, redeems with it, and is revoked",
  async ({ signedIn: page, visit, app, scripts, expectAccessible }) => {
    await createIntegration({ page, visit, scripts }, `Platform ${scripts}`);
    await expect(page.getByRole("heading", { name: "No keys yet" })).toBeVisible();
    await page.getByLabel(/^Machine/).fill("vm-10431");
    await page.getByRole("radio", { name: "1 year" }).check();
    await page.getByRole("button", { name: "Create key" }).click();

    await expect(secret(page)).toBeFocused();
    const value = await secret(page).inputValue();
    expect(value).toMatch(/^vqm_[0-9A-Za-z]{49}$/);
    expect(page.url()).not.toContain(value.slice(4));
    await expect(secret(page)).not.toBeEditable();
    await expect(page.getByRole("rowheader")).toHaveText(`vqm_…${value.slice(-4)}`);
    await expect(page.getByLabel(/^Machine/)).toHaveValue("");
    await expectAccessible(page);

    const redeem = () =>
      page.request.post(`${app.origin}/api/redemptions/nothing/rollback`, {
        headers: { Authorization: `Bearer ${value}` },
      });
    expect((await redeem()).status()).toBe(404);

    await page.goto(page.url().split("?")[0]!);
    await expect(page.getByRole("rowheader")).toBeVisible();
    expect(await page.content()).not.toContain(value);
    await hydrated(page, scripts);
    await page.getByRole("link", { name: `Revoke vqm_…${value.slice(-4)}` }).click();
    await expect(page.getByText("can no longer use this key")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Revoke key" }).click();
    await expect(page.getByText("Key successfully revoked")).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: "Revoked" })).toHaveCount(1);
    expect((await redeem()).status()).toBe(401);
  },
);

test("the secret is copied, stays while the page is used, and the form is ready for the next key", async ({
  signedIn: page,
  visit,
  context,
  scripts,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await createIntegration({ page, visit, scripts }, "Copied");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(secret(page)).toBeFocused();
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
});

test.describe("with a session whose password was checked long ago", () => {
  test.use({ hasOwnContext: true });

  test("a form that asks for the password again can show it", async ({
    signedIn: page,
    visit,
    database,
  }) => {
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
  });
});

test("test codes are made one after the other", async ({ signedIn: page, visit, scripts }) => {
  await createIntegration({ page, visit, scripts }, `Tests ${scripts}`);
  await page.getByRole("link", { name: "Test mode" }).click();
  await expect(page.getByRole("heading", { name: "New test code" })).toBeVisible();
  await hydrated(page, scripts);
  const create = page.getByRole("button", { name: "Create test code" });
  const codes = page.getByRole("region", { name: "Test codes" }).getByRole("rowheader");
  await create.click();
  await expect(codes).not.toHaveCount(0);
  const before = await codes.count();
  await create.click();
  await expect(codes).toHaveCount(before + 1);
});
