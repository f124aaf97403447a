import type { Page, Route } from "playwright/test";
import { createPromotion } from "./arrange";
import { expect, heldRoute, hydrated, test, testAlsoBlockedInSoak } from "./fixtures";
import { noAnswer } from "./lost-answers";
import { inSoak } from "../support/repetitions";

const field = (page: Page) => page.getByRole("textbox", { name: "Code" });
const codeTitle = (page: Page) => page.locator("main h2").first();

/** Types as a hand scanner does: fast, where the focus is, and with Enter at the end. */
async function scan(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text, { delay: 1 });
  await page.keyboard.press("Enter");
}

testAlsoBlockedInSoak(
  test,
  "codes are scanned one after the other without touching anything else",
  async ({ signedIn: page, visit, app, scripts, expectAccessible }) => {
    const [first, second, third] = await Promise.all(
      ["First", "Second", "Third"].map(async (name) => {
        const { code } = await createPromotion(app, `${name} scan`, { machines: ["VM-10431"] });
        return code;
      }),
    );
    await visit("/app/check");
    await expect(field(page)).toBeFocused();
    await scan(page, first!);
    await expect(codeTitle(page)).toHaveText(first!);
    await expect(field(page)).toBeFocused();
    await hydrated(page, scripts);
    await scan(page, second!.replaceAll("-", "").toLowerCase());
    await expect(codeTitle(page)).toHaveText(second!);
    await hydrated(page, scripts);
    await scan(page, `HTTPS://EXAMPLE.COM/R/${third!.replaceAll("-", "")}`);
    await expect(codeTitle(page)).toHaveText(third!);
    await expect(field(page)).toBeFocused();
    await expect(page).toHaveTitle(/^[A-Z0-9-]{14} is active - Check a code/);
    await expectAccessible(page);
  },
);

inSoak(test)(
  "the keyboard alone leads from the sidebar to the promotion of a code",
  async ({ signedIn: page, visit, app }) => {
    const { code } = await createPromotion(app, "Found by keyboard", { machines: ["VM-10431"] });
    await visit("/app/keyboard");
    await page.getByRole("link", { name: "Check a code" }).first().focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Check a code" })).toBeVisible();
    await expect(field(page)).toBeFocused();
    await scan(page, code);
    await expect(codeTitle(page)).toHaveText(code);
    // The stops of Tab are the machine, the button Check and the name of the promotion.
    for (let press = 0; press < 3; press++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/app\/qr-list\/\d+$/);
  },
);

test("a scan replaces the one before it, whose answer is still missing, and Back takes it out of the field", async ({
  signedIn: page,
  visit,
  app,
}) => {
  const { code: first } = await createPromotion(app, "Slow scan");
  const { code: second } = await createPromotion(app, "Quick scan");
  await visit("/app/check");
  await expect(field(page)).toBeFocused();
  const { hold, release } = heldRoute((route) => route.continue().catch(() => undefined));
  await page.route(
    (url) => url.searchParams.has("_data") && url.searchParams.get("code") === first,
    hold,
  );
  await page.keyboard.type(first);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe(first);
  await page.keyboard.type(second);
  release();
  await page.keyboard.press("Enter");
  await expect(codeTitle(page)).toHaveText(second);
  await expect(field(page)).toHaveValue(second);
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(second);
  await page.goBack();
  await expect(field(page)).toHaveValue("");
});

test("a button that mends a refused code is outside the live region of the answer", async ({
  signedIn: page,
  visit,
  app,
}) => {
  const { code } = await createPromotion(app, "Mended");
  await visit(`/app/check?code=${code}`);
  const fix = page.locator("main").getByRole("link", { name: /machines/i });
  await expect(fix.first()).toBeVisible();
  const status = page.locator("main [role=status]").filter({ hasText: "machine" });
  await expect(status).toHaveCount(1);
  await expect(status.locator("a, button, [role=alert]")).toHaveCount(0);
});

inSoak(test)(
  "an answer leaves alone what is typed meanwhile",
  async ({ signedIn: page, visit, app }) => {
    const { code } = await createPromotion(app, "Typed over");
    await visit("/app/check");
    await page.keyboard.type(code);
    await page.keyboard.press("Enter");
    await field(page).fill("ABCD");
    await expect(codeTitle(page)).toHaveText(code);
    await expect(field(page)).toHaveValue("ABCD");
  },
);

inSoak(test)(
  "a button that mends a code keeps page and code without an answer, and when it is refused",
  async ({ signedIn: page, visit, app }) => {
    const { code } = await createPromotion(app, "Mended later");
    await visit(`/app/check?code=${code}&machine=VM-10431`);
    const assign = page.getByRole("button", { name: /^Assign/ });
    const busy = "Too many requests at once from your network. Please try again in a moment.";
    const isPost = (url: URL) => url.searchParams.get("_data") === "routes/app.check";
    const answers: [string, (route: Route) => Promise<void>][] = [
      [noAnswer, (route) => route.abort()],
      [
        busy,
        (route) => route.fulfill({ status: 429, headers: { "X-Remix-Catch": "yes" }, body: busy }),
      ],
    ];
    for (const [message, answer] of answers) {
      await page.route(isPost, (route) =>
        route.request().method() === "POST" ? answer(route) : route.continue(),
      );
      await assign.click();
      await expect(page.locator("main").getByText(message)).toBeVisible();
      await expect(field(page)).toHaveValue(code);
      await page.unroute(isPost);
    }
    await assign.click();
    await expect(page.getByText("Assigned to VM-10431")).toBeVisible();
  },
);
