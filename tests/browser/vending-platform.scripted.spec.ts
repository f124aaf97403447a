import { expect, hydrated, test } from "./fixtures";

test("a refresh that gets no answer from the server says so, and the rows stay", async ({
  signedIn: page,
  scripts,
  expectAccessible,
}) => {
  await page.goto("/app/machines");
  await hydrated(page, scripts);
  const rows = page.getByRole("row").filter({ hasText: "VM-" });
  await expect(rows).toHaveCount(24);
  await page.route("**/app/machines/refresh*", (route) => route.abort());
  const refresh = page.getByRole("button", { name: "Refresh", exact: true });
  await refresh.click();
  const { port } = new URL(page.url());
  await expect(
    page.getByText(`Server is not available. Please check if server is running on port ${port}.`),
  ).toBeVisible();
  await expect(rows).toHaveCount(24);
  await expect(refresh).toBeFocused();
  await expectAccessible(page);
});
