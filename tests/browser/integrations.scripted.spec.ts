import { expect, hydrated, test } from "./fixtures";

test("the secret is copied, and the key's form is ready for the next one", async ({
  signedIn: page,
  context,
  scripts,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/app/integrations");
  await hydrated(page, scripts);
  await page.getByLabel("Name", { exact: true }).fill("Copied");
  await page.getByRole("button", { name: "Create integration" }).click();
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = page.getByRole("textbox", { name: "Secret" });
  await expect(secret).toBeFocused();
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByText("Copied", { exact: true }).last()).toBeVisible();
  const first = await secret.inputValue();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first);

  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("rowheader")).toHaveCount(2);
  await expect(secret).not.toHaveValue(first);
});
