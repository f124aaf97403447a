import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright/test";
import { signIn } from "./arrange";
import { expect, hydrated, test } from "./fixtures";

// Each journey has browsers of its own.
test.use({ hasOwnContext: true, hasSmtp: true });

const password = "seven grey herons landing";
const another = "nine wild geese in a row";

async function setPassword(page: Page, value: string): Promise<void> {
  await page.getByLabel("New Password", { exact: true }).fill(value);
  await page.getByLabel("Confirm Password").fill(value);
  await page.getByRole("button", { name: "Save Password" }).click();
}

async function submit(page: Page, email: string, value: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(value);
  await page.getByRole("button", { name: "Login" }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.context().clearCookies();
}

test("an invited person sets a password, turns on the second factor, signs in with it, and gets a new password by mail", async ({
  page,
  visit,
  scripts,
  mailedLink,
  expectAccessible,
}) => {
  const email = `invited-${scripts}@example.com`;
  await signIn(page);
  await visit("/app/user/new");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Create user" }).click();
  await expect(page.getByText("Users created")).toBeVisible();
  await signOut(page);

  await page.goto(await mailedLink(email));
  await expect(page).not.toHaveURL(/token/);
  if (scripts === "running") await expectAccessible(page);
  await setPassword(page, password);
  await expect(page.getByText("Your account is ready.")).toBeVisible();
  await submit(page, email, password);
  await expect(page).toHaveURL(/dashboard/);

  await visit("/app/profile/second-factor");
  const key = (await page.locator("p code").first().innerText()).replaceAll(/\s/g, "");
  const totp = new TOTP({ secret: Secret.fromBase32(key) });
  await page.getByLabel("Code").fill(totp.generate());
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.locator("li code")).toHaveCount(10);
  await hydrated(page, scripts);
  await signOut(page);

  await page.goto("/login?returnTo=/app/faq");
  await submit(page, email, password);
  if (scripts === "running") await expectAccessible(page);
  // The code of now turned it on, and each one is taken once.
  const next = totp.generate({ timestamp: Date.now() + 30_000 });
  await page.getByRole("textbox", { name: "Code" }).fill(next);
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(page).toHaveURL(/\/app\/faq$/);
  await signOut(page);

  await page.goto("/login");
  await page.getByRole("link", { name: "Forgot Password?" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send" }).click();
  await page.goto(await mailedLink(email));
  await setPassword(page, another);
  await expect(page.getByText("Password has been updated")).toBeVisible();
  await submit(page, email, password);
  await expect(page.getByRole("alert")).toContainText("Something is wrong");
  await submit(page, email, another);
  await expect(page.getByRole("heading", { name: "Two-step verification" })).toBeVisible();
});
