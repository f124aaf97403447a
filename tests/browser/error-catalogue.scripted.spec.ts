import type { Page } from "playwright/test";
import { createPromotion, sampleSerials } from "./arrange";
import { expect, routePosts, test } from "./fixtures";

/** Messages for answers of the server that give no reason, each where it can appear. */
const posts: { message: string; path: string; send: (page: Page) => Promise<void> }[] = [
  {
    message: "Error creating promotion",
    path: "/app/qr-generation",
    async send(page) {
      await page.getByLabel("Name", { exact: true }).fill("Kept");
      await page.getByLabel("Percentage off").fill("25");
      await page.getByRole("button", { name: "Create code" }).click();
    },
  },
  {
    message: "Failed to update profile",
    path: "/app/user/edit",
    send: (page) => page.getByRole("button", { name: "Save", exact: true }).click(),
  },
  {
    message: "Failed to update avatar",
    path: "/app/profile/avatar",
    send: (page) => page.getByRole("button", { name: "Save avatar" }).click(),
  },
  {
    message: "Error deleting promotion",
    path: "/app/qr-list/{id}/delete",
    send: (page) => page.getByRole("button", { name: /^Delete/ }).click(),
  },
  {
    message: "Error deleting mass generation",
    path: "/app/qr-generation/1/delete",
    send: (page) => page.getByRole("button", { name: /^Delete/ }).click(),
  },
];

for (const { message, path, send } of posts)
  test(`says '${message}' when the server gives no reason`, async ({
    signedIn: page,
    visit,
    app,
  }) => {
    const { id } = await createPromotion(app, "Failing", { expiresOn: "2099-12-31" });
    await visit(path.replace("{id}", id));
    await routePosts(page, "**/app/**", (route) =>
      route.fulfill({ contentType: "application/json", body: "{" }),
    );
    await send(page);
    await expect(page.getByRole("alert").filter({ hasText: message }).first()).toBeVisible();
  });

test("says 'Failed to download QR code' when the image is refused", async ({
  signedIn: page,
  visit,
  app,
}) => {
  const { id } = await createPromotion(app, "No image", { expiresOn: "2099-12-31" });
  await visit(`/app/qr-list/${id}`);
  await page.route("**/*.png*", (route) => route.fulfill({ status: 409, body: "no" }));
  await page.getByRole("link", { name: "Download QR", exact: true }).click();
  await expect(page.getByText("Failed to download QR code")).toBeVisible();
});

test("says 'Failed to load machines' when the machines of the dialog can't be read", async ({
  signedIn: page,
  visit,
  app,
}) => {
  const machines = sampleSerials.slice(0, 1);
  const { id } = await createPromotion(app, "No machines", { machines });
  await visit("/app/qr-list?text=No+machines");
  await page.route("**/machines?**_data**", (route) =>
    route.fulfill({ contentType: "application/json", body: "{" }),
  );
  await page.locator(`a[href*="/app/qr-list/${id}/machines"]`).first().click();
  await expect(page.getByText("Failed to load machines")).toBeVisible();
});

test("says 'Failed to fetch promotions: ' when the list can't be read again", async ({
  signedIn: page,
  visit,
}) => {
  await visit("/app/qr-list?per_page=10");
  await page.route("**/app/qr-list?**_data**", (route) =>
    route.fulfill({ contentType: "application/json", body: "{" }),
  );
  await page.getByRole("link", { name: "Name", exact: true }).click();
  await expect(page.getByText(/^Failed to fetch promotions: /)).toBeVisible();
});

test("says 'Failed to fetch promotions: ' when the list was never read, and reads it when asked again", async ({
  signedIn: page,
  visit,
}) => {
  await visit("/app/dashboard");
  await page.route("**/app/qr-list?**_data**", (route) =>
    route.fulfill({ contentType: "application/json", body: "{" }),
  );
  await page.getByRole("link", { name: "QR List", exact: true }).click();
  await expect(page.getByRole("heading", { name: "QR List", level: 1 })).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Failed to fetch promotions: / })).toBeVisible();
  await page.unroute("**/app/qr-list?**_data**");
  await page.getByRole("link", { name: "Try Again" }).click();
  await expect(page.getByRole("table")).toBeVisible();
});
