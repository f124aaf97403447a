import type { Page } from "playwright/test";
import { expect, sidewaysScroll, test } from "./fixtures";
import { inSoak } from "../support/repetitions";

const region = (page: Page) => page.getByRole("region", { name: "Machines", exact: true });

test("machines are sorted with the keyboard, which keeps its place", async ({
  signedIn: page,
  visit,
  expectAccessible,
}) => {
  await visit("/app/machines?serial_number=VM-104");
  await expectAccessible(page);
  const byName = page.getByRole("link", { name: "Name", exact: true });
  await byName.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("columnheader", { name: "Name" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  await expect(byName).toBeFocused();
});

inSoak(test)(
  "the page of a machine shows its redemptions as a picture and as a table",
  async ({ signedIn: page, visit, expectAccessible }) => {
    await visit("/app/machines");
    await page.getByRole("link", { name: "VM-10501", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      "University Library, Reading Room",
    );
    await page.getByRole("link", { name: "Last 90 days" }).click();
    await expect(page).toHaveURL(/period=90/);
    await expect(page.getByRole("link", { name: "Last 90 days" })).toHaveAttribute(
      "aria-current",
      "page",
    );
    const picture = page.getByRole("img", { name: "Redemptions per day" });
    await expect(picture).toHaveCount(1);
    await expect(picture).toBeVisible();
    // The facts stand beside the picture.
    const facts = (await page.getByRole("region", { name: "Details" }).boundingBox())!;
    const drawn = (await picture.boundingBox())!;
    expect(facts.x).toBeGreaterThan(drawn.x + drawn.width);
    expect(facts.y).toBeLessThan(drawn.y);
    await page.getByText("Show as a table").first().click();
    const days = page.getByRole("table", { name: "Redemptions in the last 90 days" });
    await expect(days.getByRole("rowheader")).toHaveCount(90);
    await expect(page.getByRole("table", { name: "Recent transactions" })).toContainText("Applied");
    await expectAccessible(page);

    await page.setViewportSize({ width: 320, height: 800 });
    expect(await sidewaysScroll(page)).toBe(0);
    // A second picture is drawn for this width.
    await expect(picture).toHaveCount(1);
    await expect(picture).toBeVisible();
  },
);

inSoak(test)(
  "each machine is a card with labelled values on a phone",
  async ({ signedIn: page, visit }) => {
    await page.setViewportSize({ width: 320, height: 800 });
    await visit("/app/machines");
    expect(await sidewaysScroll(page)).toBe(0);
    const first = region(page).getByRole("row").nth(1);
    const labels = await first
      .locator("td")
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, "::before").content));
    expect(labels).toEqual([
      '"Name "',
      '"Last active "',
      '"Redeemed "',
      '"Refused "',
      '"Active promos "',
      '" "',
    ]);
    const [name, active] = await Promise.all(
      [0, 1].map(async (at) => (await first.locator("td").nth(at).boundingBox())!),
    );
    expect(name!.y + name!.height).toBeLessThanOrEqual(active!.y);
  },
);
