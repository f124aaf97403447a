import { createPromotion } from "./arrange";
import { expect, test } from "./fixtures";
import { inSoak } from "../support/repetitions";

test("an edit that somebody else was faster with is saved by the next press, as its message says", async ({
  signedIn: page,
  visit,
  app,
  database,
}) => {
  const { id } = await createPromotion(app, "Shared");
  await visit(`/app/qr-list/${id}`);
  await page.getByText(/^Edit name/).click();
  await page.getByLabel("Name", { exact: true }).fill("Mine");
  const rename = "update promotions set name = $1, version = version + 1 where id = $2";
  await database.query(rename, ["Theirs", id]);
  const save = page.getByRole("button", { name: "Save changes" });
  await save.click();
  await expect(page.getByText("Someone else changed this code").first()).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Theirs" })).toBeVisible();
  await save.click();
  await expect(page.getByRole("heading", { level: 1, name: "Mine" })).toBeVisible();
  await expect(save).toBeHidden();
  await expect(page.locator("summary", { hasText: "Edit name" })).toBeFocused();
});

test("a button that the page has no longer, because somebody else was faster, says why nothing was done", async ({
  signedIn: page,
  visit,
  app,
  database,
}) => {
  const { id } = await createPromotion(app, "Deleted meanwhile");
  await visit(`/app/qr-list/${id}`);
  await database.query(
    "update promotions set is_deleted = true, deleted_at = now() where id = $1",
    [id],
  );
  const deactivate = page.getByRole("button", { name: "Deactivate" });
  await deactivate.click();
  await expect(deactivate).toHaveCount(0);
  await expect(page.getByRole("alert").filter({ hasText: "This code is deleted" })).toBeVisible();
  await page.goBack();
  await expect(page.getByText("This code is deleted")).toBeHidden();
});

inSoak(test)(
  "a code is named as it is now in the question before its deletion, also after the list was read",
  async ({ signedIn: page, app, visit }) => {
    await createPromotion(app, "Listed as");
    await visit("/app/qr-list?text=Listed as");
    await page.getByRole("link", { name: "Listed as", exact: true }).click();
    await page.getByText(/^Edit name/).click();
    await page.getByLabel("Name", { exact: true }).fill("Renamed to");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.locator("summary", { hasText: "More" }).click();
    await page.getByRole("link", { name: "Delete", exact: true }).click();
    await expect(page.getByText('Delete "Renamed to"?')).toBeVisible();
  },
);
