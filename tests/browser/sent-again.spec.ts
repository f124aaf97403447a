import type { Page } from "playwright/test";
import { expect, test } from "./fixtures";
import { createIntegration } from "./lost-answers";
import { createGeneration } from "./lost-forms/promotions";

/** Presses a button whose form is accepted: not refused as a repeated attempt or an older version. */
async function send(page: Page, label: string): Promise<void> {
  const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
  await page.getByRole("button", { name: label, exact: true }).click();
  expect((await answered).ok()).toBe(true);
}

test("a form whose answer leads back to its page is a new attempt each time that it is sent", async ({
  signedIn: page,
  visit,
  context,
  app,
  database,
}) => {
  const tools = { page, visit, context, app, database };
  await test.step("the settings", async () => {
    await visit("/app/settings");
    for (const days of ["41", "42"]) {
      await page.getByLabel(/^Sent mails/).fill(days);
      await send(page, "Save settings");
      await expect(page.getByText("Settings saved").first()).toBeVisible();
    }
  });
  await test.step("the name of a mass generation", async () => {
    await visit(await createGeneration(tools, "Edited"));
    for (const name of ["Edited once", "Edited twice"]) {
      await page.getByText(/^Edit name/).click();
      await page.getByLabel("Name", { exact: true }).fill(name);
      await send(page, "Save changes");
      await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    }
  });
  await test.step("a mail with a code, whose form is emptied", async () => {
    await visit("/app/qr-list/1/share");
    for (const email of ["first@example.com", "second@example.com"]) {
      await page.getByLabel("Email address of the customer").fill(email);
      await send(page, "Send mail");
      await expect(page.getByText(`The code is being mailed to ${email}`).first()).toBeVisible();
    }
  });
  await test.step("test codes", async () => {
    await visit(`${await createIntegration(tools, "Tests")}/test-mode`);
    const codes = page.getByRole("region", { name: "Test codes" }).getByRole("rowheader");
    const existing = await codes.count();
    for (const added of [1, 2]) {
      await send(page, "Create test code");
      await expect(codes).toHaveCount(existing + added);
    }
  });
});
