import type { Page } from "playwright/test";
import { createPromotion } from "./arrange";
import { expect, hydrated, test, testAlsoBlockedInSoak } from "./fixtures";
import { inSoak } from "../support/repetitions";

const field = (page: Page) => page.getByRole("textbox", { name: "Code" });
const codeTitle = (page: Page) => page.locator("main h2").first();

/** The first code of the sample data under that name, as the list shows it. */
async function codeOf(page: Page, name: string): Promise<string> {
  await page.goto(`/app/qr-list?text=${encodeURIComponent(name)}`);
  return page.locator("tbody th code").first().innerText();
}

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

testAlsoBlockedInSoak(
  test,
  "a complaint about a machine ends with the machine assigned, in four steps",
  async ({ signedIn: page, visit, app, expectAccessible }) => {
    const { code } = await createPromotion(app, "Complaint", { machines: ["VM-10431"] });
    await visit("/app/dashboard");
    await page.getByRole("link", { name: "Check a code" }).click();
    await field(page).fill(code);
    await page.getByRole("combobox", { name: "Machine" }).fill("hospital, lob");
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await expect(page.getByText("Would be refused at VM-")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Assign City Hospital, Lobby" }).click();
    await expect(page.getByText("Would be accepted at VM-")).toBeVisible();
    await expect(page.getByText("Assigned to VM-").first()).toBeVisible();
  },
);

inSoak(test)(
  "the machine stays chosen and accepts one code and refuses another with the reason",
  async ({ signedIn: page, visit, expectAccessible }) => {
    const code = await codeOf(page, "Complaint 4718");
    const used = await codeOf(page, "Complaint 4711");
    await visit("/app/check");
    await scan(page, code);
    await expect(codeTitle(page)).toHaveText(code);
    const assigned = await page.locator("dd li").first().innerText();
    const serial = /VM-\d+/.exec(assigned)![0];

    await page.getByRole("combobox", { name: /^Machine/ }).fill(serial);
    await field(page).fill(code);
    await page.keyboard.press("Enter");
    await expect(page.getByText(`Would be accepted at ${serial} now`)).toBeVisible();
    await expectAccessible(page);

    await visit(`/app/check?machine=${serial}`);
    await scan(page, used);
    await expect(
      page.getByText(`Would be refused at ${serial} now: this code is used up.`),
    ).toBeVisible();
    await expect(page.getByRole("combobox", { name: /^Machine/ })).toHaveValue(serial);
    await expectAccessible(page);
    await page.getByRole("link", { name: "All transactions" }).click();
    await expect(page.getByRole("rowheader")).not.toHaveCount(0);
    await expect(page.getByRole("list", { name: "Active filters" })).toContainText(used);
  },
);

test("text that is no code is explained, with the code that was probably meant", async ({
  signedIn: page,
  visit,
  app,
  expectAccessible,
}) => {
  const { code } = await createPromotion(app, "Misread");
  await visit("/app/check");
  await scan(page, "ABC");
  await expect(page.getByText("This one has 3:")).toBeVisible();
  await field(page).fill(`${code.slice(0, -1)}O`);
  await page.keyboard.press("Enter");
  await expect(page.getByText("This one has O:")).toBeVisible();
  await expect(page.getByText(/never have 0, O, 1, I or L/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: code, exact: true }).click();
  await expect(codeTitle(page)).toHaveText(code);
});

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

test("a scan replaces the one before it, whose answer is still missing", async ({
  signedIn: page,
  visit,
  app,
}) => {
  const { code: first } = await createPromotion(app, "Slow scan");
  const { code: second } = await createPromotion(app, "Quick scan");
  await visit("/app/check");
  await expect(field(page)).toBeFocused();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(
    (url) => url.searchParams.has("_data") && url.searchParams.get("code") === first,
    async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    },
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
