import { expect, hydrated, test } from "./fixtures";

const machinesLink = /^Machines of /;

test.beforeEach(async ({ signedIn: page }) => {
  await page.goto("/app/qr-list");
  await hydrated(page, "running");
});

test("the modal gives the focus back, ten times of ten", async ({ signedIn: page }) => {
  const trigger = page.getByRole("link", { name: machinesLink }).first();
  for (let round = 0; round < 10; round++) {
    await trigger.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: "Manage Machines" })).toBeVisible();
    await expect(page.locator("[role=dialog]:focus, [role=dialog] :focus")).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(trigger).toBeFocused();
  }
});

test("a change is shown at once, and undone with the reason when it fails", async ({
  signedIn: page,
}) => {
  await page.getByRole("link", { name: machinesLink }).first().click();
  const available = page.getByRole("region", { name: /Available Machines/ });
  const assigned = page.getByRole("region", { name: /Assigned Machines/ });
  await expect(available).toBeVisible();
  const before = await assigned.getByRole("listitem").count();
  const box = available.getByRole("checkbox").first();
  const serial = await box.getAttribute("value");
  await box.check();

  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/machines?**_data**", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await held;
    await route.abort();
  });
  await page.getByRole("button", { name: "Add Selected" }).click();
  await expect(assigned.getByRole("listitem")).toHaveCount(before + 1);
  await expect(assigned.getByText("Adding...")).toBeVisible();
  release();
  await expect(page.getByText(/^Server is not available\. Please check if server/)).toBeVisible();
  await expect(assigned.getByRole("listitem")).toHaveCount(before);
  await expect(available.locator(`[value="${serial}"]`)).toBeChecked();
  await expect(page.getByText("Selected: 1")).toBeVisible();
  await page.unroute("**/machines?**_data**");

  await page.route("**/machines?**_data**", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ contentType: "application/json", body: "{" })
      : route.continue(),
  );
  await page.getByRole("button", { name: "Add Selected" }).click();
  await expect(page.getByText("Error adding machines")).toBeVisible();
  await page.unroute("**/machines?**_data**");
  await page.getByRole("button", { name: "Add Selected" }).click();
  await expect(page.getByText("Machines successfully added")).toBeVisible();

  await page.route("**/machines?**_data**", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ contentType: "application/json", body: "{" })
      : route.continue(),
  );
  const removal = assigned.locator(`button[value="remove:${serial}"]`);
  await removal.click();
  await expect(page.getByText("Error removing machine")).toBeVisible();
  await expect(removal).toBeVisible();
  await page.getByRole("button", { name: "Unassign All" }).click();
  await page.getByRole("button", { name: "Yes, unassign all" }).click();
  await expect(page.getByText("Error removing all machines")).toBeVisible();
  await expect(removal).toBeVisible();
  await expect(page.getByRole("dialog")).toBeVisible();
});
