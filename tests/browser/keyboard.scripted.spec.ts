import { expect, hydrated, test } from "./fixtures";

test("single keys lead to the screens, not while something is typed, and can be switched off", async ({
  signedIn: page,
}) => {
  await page.goto("/app/profile");
  await hydrated(page, "running");
  await page.keyboard.press("?");
  await expect(page.getByRole("heading", { level: 1, name: "Keyboard" })).toBeFocused();
  await page.keyboard.press("n");
  await expect(page.getByRole("heading", { level: 1, name: "QR Generation" })).toBeFocused();
  await page.getByLabel("Name", { exact: true }).pressSequentially("mild");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("mild");
  await expect(page).toHaveURL(/qr-generation/);

  await page.goto("/app/keyboard");
  await page.getByRole("button", { name: "Switch single keys off" }).click();
  await expect(page.getByRole("button", { name: "Switch single keys on" })).toBeFocused();
  await hydrated(page, "running");
  await page.keyboard.press("l");
  await page.keyboard.press("?");
  await expect(page).toHaveURL(/app\/keyboard/);
});
