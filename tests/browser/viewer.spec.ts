import type { Page } from "playwright/test";
import { createUser, signIn } from "./arrange";
import { expect, expectNoSidewaysScroll, test } from "./fixtures";
import { inSoak } from "../support/repetitions";

test.use({ hasOwnContext: true });

/** Controls that are left on a page: links and buttons of lists and of the own browser. */
const controls = (page: Page) =>
  page.locator("main").getByRole("button").or(page.locator("main").getByRole("checkbox"));

inSoak(test)(
  "a viewer reads codes masked and has no control that changes anything",
  async ({ page, visit, database, expectAccessible }) => {
    await signIn(page, await createUser(database, "viewer@example.com", "viewer"));
    const menu = page.getByRole("navigation", { name: "Main" });
    await expect(menu.getByRole("link", { name: "QR List" })).toBeVisible();
    await expect(menu.getByRole("link", { name: "QR Generation" })).toHaveCount(0);

    await visit("/app/qr-list");
    await expect(page.getByText("Codes are masked for viewers.")).toBeVisible();
    await expect(page.locator("tbody code").first()).toHaveText(/^••••-••••-\w{4}$/);
    await expect(page.getByRole("checkbox", { name: /Select/ })).toHaveCount(0);
    await expect(page.getByRole("columnheader", { name: "Actions" })).toHaveCount(0);
    await expect(page.getByRole("link", { name: "New code" })).toHaveCount(0);
    await expectAccessible(page, 5);

    const end = (await page.locator("tbody code").first().textContent())!.slice(-4);
    await page.getByPlaceholder("Name or code").fill(end);
    await page.keyboard.press("Enter");
    await expect(page.locator("tbody code")).toHaveText([`••••-••••-${end}`]);
    await page.locator("tbody a").first().click();
    await expect(page).toHaveURL(/qr-list\/\d+/);
    await expect(controls(page).filter({ visible: true, hasNotText: /^Show / })).toHaveCount(0);
    await expect(page.getByRole("img", { name: /QR code/ })).toHaveCount(0);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(page);
  },
);
