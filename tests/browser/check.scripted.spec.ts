import { expect, hydrated, test } from "./fixtures";

test("a scan that begins before the answer is there replaces the one before", async ({
  signedIn: page,
  scripts,
}) => {
  await page.goto("/app/qr-list?status=active&per_page=10");
  const [first, second] = await page.locator("tbody th > span").allInnerTexts();
  await page.goto("/app/check");
  await hydrated(page, scripts);
  await expect(page.locator("#code")).toBeFocused();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(
    (url) => url.searchParams.has("_data") && url.searchParams.get("code") === first,
    async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    },
  );
  await page.keyboard.type(first!);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe(first!);
  await page.keyboard.type(second!);
  release();
  await page.keyboard.press("Enter");
  await expect(page.locator("main h2").first()).toHaveText(second!);
  await expect(page.locator("#code")).toHaveValue(second!);
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(second);
});

test("what is typed while the answer comes is never touched", async ({
  signedIn: page,
  scripts,
}) => {
  await page.goto("/app/qr-list?status=active&per_page=10");
  const [first] = await page.locator("tbody th > span").allInnerTexts();
  await page.goto("/app/check");
  await hydrated(page, scripts);
  await page.keyboard.type(first!);
  await page.keyboard.press("Enter");
  await page.locator("#code").fill("ABCD");
  await expect(page.locator("main h2").first()).toHaveText(first!);
  await expect(page.locator("#code")).toHaveValue("ABCD");
});
