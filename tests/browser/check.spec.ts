import type { Page } from "playwright/test";
import { expect, hydrated, test, type BrowserOptions } from "./fixtures";

const field = (page: Page) => page.getByRole("textbox", { name: "Code" });
const codeTitle = (page: Page) => page.locator("main h2").first();

/** Codes of the sample data, by the status that the list shows. */
async function codesOf(page: Page, query: string): Promise<string[]> {
  await page.goto(`/app/qr-list?${query}`);
  return page.locator("tbody th > span").allInnerTexts();
}

/** Like a hand scanner: it types fast where the focus is, and presses Enter. */
async function scan(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text, { delay: 1 });
  await page.keyboard.press("Enter");
}

async function open(page: Page, scripts: BrowserOptions["scripts"], address = "/app/check") {
  await page.goto(address);
  await hydrated(page, scripts);
}

test("one scan after the other, without touching anything else", async ({
  signedIn: page,
  scripts,
  expectAccessible,
}) => {
  const [first, second, third] = await codesOf(page, "status=active&per_page=10");
  await open(page, scripts);
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
});

test("at a machine: accepted, refused and why, and the machine stays chosen", async ({
  signedIn: page,
  scripts,
  expectAccessible,
}) => {
  const [code] = await codesOf(page, "text=Complaint+4718");
  await open(page, scripts);
  await scan(page, code!);
  await expect(codeTitle(page)).toHaveText(code!);
  const assigned = await page.locator("dd li").first().innerText();
  const serial = /^VM-\d+/.exec(assigned)![0];

  await hydrated(page, scripts);
  await page.getByRole("combobox", { name: /^Machine/ }).fill(serial.toLowerCase());
  await field(page).fill(code!);
  await page.keyboard.press("Enter");
  await expect(page.getByText(`Would be accepted at ${serial} now`)).toBeVisible();
  await expectAccessible(page);

  const [used] = await codesOf(page, "text=Complaint+4711");
  await open(page, scripts, `/app/check?machine=${serial}`);
  await scan(page, used!);
  await expect(
    page.getByText(`Would be refused at ${serial} now: This code is used up.`),
  ).toBeVisible();
  await expect(page.getByRole("combobox", { name: /^Machine/ })).toHaveValue(serial);
  await expectAccessible(page);
  await page.getByRole("link", { name: "All transactions of this code" }).click();
  await expect(page.getByRole("rowheader")).not.toHaveCount(0);
  await expect(page.getByRole("list", { name: "Active filters" })).toContainText(used!);
});

test("what is no code is said, with what it may have been", async ({
  signedIn: page,
  scripts,
  expectAccessible,
}) => {
  const [code] = await codesOf(page, "status=active&per_page=10");
  await open(page, scripts);
  await scan(page, "ABC");
  await expect(page.getByText("This has 3.")).toBeVisible();
  await expectAccessible(page);
  await hydrated(page, scripts);
  await field(page).fill(`${code!.slice(0, -1)}O`);
  await page.keyboard.press("Enter");
  await expect(page.getByText("This has O in it.")).toBeVisible();
  await page.getByRole("link", { name: code!, exact: true }).click();
  await expect(codeTitle(page)).toHaveText(code!);
});

test("by keyboard alone, from the sidebar to the promotion", async ({
  signedIn: page,
  scripts,
}) => {
  const [code] = await codesOf(page, "status=active&per_page=10");
  await open(page, scripts, "/app/keyboard");
  await page.getByRole("link", { name: "Check a code" }).first().focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Check a code" })).toBeVisible();
  await expect(field(page)).toBeFocused();
  await hydrated(page, scripts);
  await scan(page, code!);
  await expect(codeTitle(page)).toHaveText(code!);
  await hydrated(page, scripts);
  // Machine, Check, the promotion's name.
  for (let press = 0; press < 3; press++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/app\/qr-list\/\d+$/);
});
