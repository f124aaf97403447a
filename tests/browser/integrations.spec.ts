import type { Page } from "playwright/test";
import { expect, hydrated, test, type BrowserOptions } from "./fixtures";

const secret = (page: Page) => page.getByRole("textbox", { name: "Secret" });

async function makeIntegration(page: Page, scripts: BrowserOptions["scripts"], name: string) {
  await page.goto("/app/integrations");
  await hydrated(page, scripts);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Create integration" }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  await expect(page.getByText("Integration successfully created")).toBeVisible();
  await hydrated(page, scripts);
}

test("a key is made, its secret shown once, and revoked", async ({
  signedIn: page,
  app,
  scripts,
  expectAccessible,
}) => {
  const name = `Platform ${scripts}`;
  await makeIntegration(page, scripts, name);
  await expect(page.getByRole("heading", { name: "No keys yet" })).toBeVisible();
  await expectAccessible(page);
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
  await expect(page.getByText("can't redeem codes at VM-10431 with it any more")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByText("Key successfully revoked")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Revoked" })).toHaveCount(1);
  expect((await redeem()).status()).toBe(401);
});

test("a form that is refused keeps what was typed", async ({
  signedIn: page,
  scripts,
  expectAccessible,
}) => {
  await makeIntegration(page, scripts, `Refused ${scripts}`);
  await page.getByLabel(/^Machine/).fill("VM-999");
  await page.getByRole("radio", { name: "180 days" }).check();
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("alert").getByText("There is no such machine")).toBeVisible();
  await expect(page.getByLabel(/^Machine/)).toHaveValue("VM-999");
  await expect(page.getByRole("radio", { name: "180 days" })).toBeChecked();
  await expectAccessible(page);

  await page.goto("/app/integrations");
  await hydrated(page, scripts);
  await page.getByRole("button", { name: "Create integration" }).click();
  await expect(page.getByRole("link", { name: "Name is required" })).toBeVisible();
  await expectAccessible(page);
});
