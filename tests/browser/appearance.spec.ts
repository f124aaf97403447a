import type { Locator } from "playwright/test";
import { expect, sidewaysScroll, test } from "./fixtures";

const laptop = { width: 1366, height: 768 };

const backgroundOf = (element: Locator) =>
  element.evaluate((node) => getComputedStyle(node).backgroundColor);

/** Fails unless the current one of several links looks unlike the first of the others. */
async function expectCurrentMarked(links: Locator): Promise<void> {
  const current = await backgroundOf(links.and(links.page().locator("[aria-current]")).first());
  const other = links.and(links.page().locator(":not([aria-current])")).first();
  expect(current).not.toBe(await backgroundOf(other));
}

test("the current menu entry, tab and chip are marked in forced colours", async ({
  signedIn: page,
  visit,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  await visit("/app/qr-list?created=7d");
  await expectCurrentMarked(page.getByRole("navigation", { name: "Main" }).getByRole("link"));
  await expectCurrentMarked(page.getByRole("navigation", { name: "Views" }).getByRole("link"));
  await page.locator("#filters summary").filter({ hasText: "Created" }).click();
  await expectCurrentMarked(page.getByRole("list", { name: "Created" }).getByRole("link"));
  await page.emulateMedia({ forcedColors: null });
});

test("boxes of the dark mode are dark", async ({ signedIn: page, visit }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await visit("/app/qr-generation");
  const box = page.getByRole("checkbox", { name: "Renewable" });
  const surface = await page
    .locator("main form")
    .first()
    .evaluate((form) => getComputedStyle(form).getPropertyValue("--surface"));
  await expect(box).toHaveCSS("appearance", "none");
  expect(surface).toBe("#191F28");
  expect(await backgroundOf(box)).toBe("rgb(25, 31, 40)");
  await page.emulateMedia({ colorScheme: null });
});

/** Returns the values of rows that the window cuts off, and by how much tables scroll sideways. */
function cutValues(): string[] {
  const values = [...document.querySelectorAll<HTMLElement>("tbody tr > *")];
  return values
    .filter((value) => {
      const { left, right, width } = value.getBoundingClientRect();
      return width > 0 && (left < 0 || right > innerWidth || value.scrollWidth > Math.ceil(width));
    })
    .map((value) => value.innerText);
}

// A laptop at 200 % has the width of 683 px.
for (const [address, width] of [
  ["/app/transactions", 768],
  ["/app/transactions", 683],
  ["/app/machines", 683],
  ["/app/qr-list", 683],
] as const)
  test(`rows of ${address} are whole at ${width} px`, async ({ signedIn: page, visit }) => {
    await page.setViewportSize({ width, height: 512 });
    await visit(address);
    await expect(page.getByRole("row").nth(1)).toBeVisible();
    expect(await page.evaluate(cutValues)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
  });

test("the page of machines does not scroll sideways with text of twice the size", async ({
  signedIn: page,
  visit,
}) => {
  await page.setViewportSize(laptop);
  await visit("/app/machines");
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  expect(await sidewaysScroll(page)).toBe(0);
});

test("the theme button lies over no content and no menu entry, and the menu fits a laptop", async ({
  signedIn: page,
}) => {
  const theme = page.locator("summary").filter({ hasText: "Theme" });
  const boxOf = async (element: Locator) => (await element.boundingBox())!;
  const overlaps = async (other: Locator) => {
    const [one, two] = [await boxOf(theme), await boxOf(other)];
    const isBeside = one.x >= two.x + two.width || two.x >= one.x + one.width;
    return !isBeside && one.y < two.y + two.height && two.y < one.y + one.height;
  };
  for (const size of [laptop, { width: 1366, height: 480 }, { width: 360, height: 740 }]) {
    await page.setViewportSize(size);
    await page.goto("/app/check");
    expect(await overlaps(page.locator("main"))).toBe(false);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    expect(await overlaps(page.locator("main"))).toBe(false);
    if (size.width < 900) continue;
    const last = page.getByRole("navigation", { name: "Main" }).getByRole("link").last();
    if (size === laptop) await expect(last).toBeInViewport({ ratio: 1 });
    await last.scrollIntoViewIfNeeded();
    expect(await overlaps(last)).toBe(false);
  }
});

test("the view of campaigns is paged", async ({ signedIn: page, visit }) => {
  await visit("/app/qr-list?view=campaigns&per_page=10");
  await expect(page.getByText(/^1–10 of \d+$/)).toBeVisible();
  const first = await page.getByRole("rowheader").first().innerText();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText(/^11–20 of \d+$/)).toBeVisible();
  await expect(page).toHaveURL(/view=campaigns/);
  await expect(page.getByRole("rowheader").first()).not.toHaveText(first, { useInnerText: true });
  await page.goBack();
  await expect(page.getByRole("rowheader").first()).toHaveText(first, { useInnerText: true });
});
