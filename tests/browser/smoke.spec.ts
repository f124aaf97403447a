import { submitSignIn } from "./arrange";
import { downloadFrom, expect, test } from "./fixtures";

// An app with a database of its own is started by first-steps.spec.ts.
test.use({ scripts: "off" });

test("a promotion is created, found, deleted and its QR code downloaded without scripts", async ({
  page,
}) => {
  const name = "Smoke test";
  await page.goto("/app/qr-generation");
  await submitSignIn(page);
  await expect(page.getByRole("heading", { level: 1, name: "QR Generation" })).toBeVisible();

  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Percentage off").fill("25");
  await page.getByLabel("Search machines").fill("lobby");
  await page.getByLabel("Search machines").press("Enter");
  const available = page.getByRole("region", { name: /Available Machines/ });
  await expect(available.getByRole("listitem")).toHaveCount(1);
  await available.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Create code" }).click();
  await expect(page.getByText("Promotion created successfully")).toBeVisible();

  await page.getByRole("link", { name: "QR List" }).first().click();
  await page.getByLabel("Name or code").fill(name);
  await page.getByLabel("Name or code").press("Enter");
  await expect(page.getByRole("rowheader")).toHaveCount(1);
  await page.getByRole("link", { name: `Download the QR code of ${name}` }).click();
  const download = await downloadFrom(page.getByRole("link", { name: "Download PNG" }));
  expect(download.suggestedFilename()).toMatch(/^[^/]+ [2-9A-Z-]{14}\.png$/);

  await page.getByRole("link", { name: "Close" }).last().click();
  await page.getByRole("link", { name: `Delete ${name}` }).click();
  await expect(page.getByRole("heading", { name: "Confirm deletion", exact: true })).toBeVisible();
  const question = page.getByRole("region", { name: "Confirm deletion" });
  await question.getByRole("button", { name: /^Delete/ }).click();
  await expect(page.getByText("Promotion successfully deleted")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
});
