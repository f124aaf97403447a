import { readFile } from "node:fs/promises";
import type { Download, Page } from "playwright/test";
import { readZip } from "../support/read-zip";
import { admin, expect, hydrated, test, type BrowserOptions } from "./fixtures";
import { deleteGroups, makeGroup, sampleSerials } from "./groups-by-hand";

type Scripts = BrowserOptions["scripts"];

async function openForm(page: Page, scripts: Scripts) {
  await page.goto("/app/qr-generation/mass");
  await hydrated(page, scripts);
}

const button = (page: Page) => page.getByRole("button", { name: "Generate codes" });

/** Fills the form and sends it off; where scripts run, the archive that comes by itself. */
async function generate(
  page: Page,
  scripts: Scripts,
  fields: { name: string; num_codes: string },
): Promise<Download | null> {
  await openForm(page, scripts);
  await page.locator("#name").fill(fields.name);
  await page.locator("#num_codes").fill(fields.num_codes);
  await page.locator("#discount_value").fill("25");
  const saved = scripts === "running" ? page.waitForEvent("download") : null;
  await button(page).click();
  await expect(page).toHaveURL(/\/app\/qr-generation\/\d+\?/);
  return saved;
}

async function fileNames(download: Download): Promise<string[]> {
  expect(download.suggestedFilename()).toMatch(/^mass_generation_\d+\.zip$/);
  const { entries } = await readZip(await readFile(await download.path()));
  return entries.map(({ fileName }) => fileName);
}

async function codesShown(page: Page): Promise<string[]> {
  const table = page.getByRole("table", { name: /^Codes of/ });
  return (await table.getByRole("rowheader").allInnerTexts()).map((code) =>
    code.trim().replaceAll("-", ""),
  );
}

test("thirty codes are made with the keyboard alone, and their archive is saved", async ({
  signedIn: page,
  scripts,
  expectAccessible,
}) => {
  const name = `Festival ${scripts}`;
  await page.goto("/app/qr-generation");
  await hydrated(page, scripts);
  await page.getByRole("link", { name: "Mass Generation", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/app\/qr-generation\/mass$/);
  await hydrated(page, scripts);
  await expect(page.getByText("A whole number from 1 to 100,000.")).toBeVisible();
  await expectAccessible(page);

  await page.locator("#name").focus();
  await page.keyboard.type(name);
  await page.keyboard.press("Tab");
  await page.keyboard.type("30");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Percentage", { exact: true })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.type("25");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("31/12/2099");
  const available = page.getByRole("region", { name: /Available Machines/ });
  const serial = await available.getByRole("checkbox").first().getAttribute("value");
  await available.getByRole("checkbox").first().focus();
  await page.keyboard.press("Space");
  await button(page).focus();
  const saved = scripts === "running" ? page.waitForEvent("download") : null;
  await page.keyboard.press("Enter");

  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByText("QR codes generated successfully")).toBeVisible();
  await expect(page.getByText("valid until 31.12.2099 23:59 (Europe/Berlin)")).toBeVisible();
  await expect(page.getByText("30 active")).toBeVisible();
  await expect(page.getByText(new RegExp(`^${serial} `))).toBeVisible();
  await expect(page.getByText("Created (30 codes)")).toBeVisible();

  if (saved) {
    expect(await fileNames(await saved)).toHaveLength(31);
    await expect(page.getByText("Archive downloaded successfully")).toBeVisible();
  }
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: /^Download archive, about \d+ KB$/ }).click(),
  ]);
  const files = await fileNames(download);
  expect(files).toContain("codes.csv");
  await expectAccessible(page);

  const codes = await codesShown(page);
  expect(codes).toHaveLength(25);
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText("26–30 of 30")).toBeVisible();
  codes.push(...(await codesShown(page)));
  expect(new Set(codes).size).toBe(30);
  for (const code of codes) expect(files).toContain(`${code}.png`);
  await page.getByRole("link", { name: "Previous" }).click();
  await expect(page.getByText("1–25 of 30")).toBeVisible();

  await page.getByRole("row").nth(1).getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByText("Mass Gen, one of 30 codes")).toBeVisible();
  await page.getByRole("link", { name: "30 codes" }).click();
  await expect(page.getByRole("table", { name: /^Codes of/ })).toBeVisible();
});

test("another like it begins with its values, and all are listed", async ({
  signedIn: page,
  scripts,
  expectAccessible,
}) => {
  const name = `Pattern ${scripts}`;
  await generate(page, scripts, { name, num_codes: "3" });
  await page.getByRole("link", { name: "Make another like this" }).click();
  await expect(page.getByText(`A copy of the mass generation ${name} (3 codes)`)).toBeVisible();
  await hydrated(page, scripts);
  await expect(page.locator("#name")).toHaveValue("");
  await expect(page.locator("#num_codes")).toHaveValue("3");
  await expect(page.locator("#discount_value")).toHaveValue("25");
  await page.locator("#name").fill(`${name} again`);
  const saved = scripts === "running" ? page.waitForEvent("download") : null;
  await button(page).click();
  await expect(page.getByText("QR codes generated successfully")).toBeVisible();
  await saved;

  await page.goto("/app/qr-generation");
  await page.getByRole("link", { name: "All generations" }).click();
  await expect(page.getByRole("heading", { name: "All generations" })).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: `${name} again` });
  await expect(row).toContainText("0 of 3 (0%)");
  await expect(row).toContainText("admin@example.com");
  await expect(row).toContainText("Not assigned");
  await expectAccessible(page);
  await hydrated(page, scripts);
  await page.getByRole("link", { name: "Codes", exact: true }).click();
  await expect(page).toHaveURL(/sort=-codes/);
  await expect(page.getByRole("rowheader").first()).toHaveText("Summer campaign flyers");
  await page.getByRole("link", { name: `${name} again` }).click();
  await expect(page.getByRole("heading", { level: 1, name: `${name} again` })).toBeVisible();
});

test("Download Options of one of its codes offer the archive", async ({
  signedIn: page,
  scripts,
  expectAccessible,
}) => {
  const name = `Options ${scripts}`;
  await generate(page, scripts, { name, num_codes: "2" });
  await page.getByRole("link", { name: "Show in the QR List" }).click();
  await expect(page.getByRole("rowheader", { name: new RegExp(name) })).toHaveCount(2);
  await hydrated(page, scripts);
  await page
    .getByRole("link", { name: `Download the QR code of ${name}` })
    .first()
    .click();
  await expect(page.getByRole("heading", { name: "Download Options" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Single QR Code" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Download Archive" })).toBeVisible();
  await expectAccessible(page);
  const [archive] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download Archive" }).click(),
  ]);
  expect(await fileNames(archive)).toHaveLength(3);
  const [image] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download PNG" }).click(),
  ]);
  expect(image.suggestedFilename()).toMatch(/^\d+\.png$/);
  if (scripts === "running") {
    await expect(page.getByText("Archive downloaded successfully")).toBeVisible();
    await expect(page.getByText("QR code downloaded successfully")).toBeVisible();
  }
});

test("it is deleted and restored, and says so", async ({
  signedIn: page,
  scripts,
  expectAccessible,
}) => {
  const name = `Wrong ${scripts}`;
  await generate(page, scripts, { name, num_codes: "2" });
  await hydrated(page, scripts);
  await page.getByRole("link", { name: "Delete" }).click();
  await expect(
    page.getByRole("heading", { name: "Confirm deletion of mass generation" }),
  ).toBeVisible();
  await expect(page.getByText("All associated promotions are also marked deleted")).toBeVisible();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/\/app\/qr-generation\/\d+(\?|$)/);
  await page.getByRole("link", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete 2 codes" }).click();
  await expect(page.getByText("Mass Generation successfully deleted")).toBeVisible();
  await expect(page.getByText("This mass generation is deleted.")).toBeVisible();
  await expect(page.getByText("2 deleted")).toBeVisible();
  await expect(page.getByRole("link", { name: /^Download archive/ })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Labels" })).toHaveCount(0);
  await expectAccessible(page);

  await page.getByRole("link", { name: "Restore" }).click();
  await page.getByRole("button", { name: "Restore 2 codes" }).click();
  await expect(page.getByText("Mass Generation successfully restored")).toBeVisible();
  await expect(page.getByText("2 not assigned")).toBeVisible();
  await expect(page.getByText("Restored (2 codes)")).toBeVisible();
});

test("machines and groups are assigned to all its codes later", async ({
  signedIn: page,
  app,
  scripts,
  expectAccessible,
}) => {
  const name = `Later ${scripts}`;
  const serials = await sampleSerials(page.context(), app);
  await makeGroup(page.context(), app, `Fair ${scripts}`, serials.slice(0, 4));
  await generate(page, scripts, { name, num_codes: "3" });
  await expect(page.getByText("3 not assigned")).toBeVisible();
  await hydrated(page, scripts);
  await page.getByRole("link", { name: "Machines and groups" }).click();
  await expect(page.getByRole("heading", { name: "Machines and groups" })).toBeVisible();
  if (scripts === "running") await expect(page.getByRole("dialog")).toBeVisible();
  else await expect(page).toHaveTitle("Machines and groups - QR Generation - Promo Console");
  await expect(page.getByText("A change here is for all its codes.")).toBeVisible();
  const available = page.getByRole("region", { name: /Available Machines/ });
  await available.getByLabel(`Fair ${scripts}`).check();
  await available.locator(`[value="${serials[9]}"]`).check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add Selected" }).click();
  await expect(page.getByText("Machines and groups successfully added")).toBeVisible();
  const sentence = "5 machines accept it: 1 by itself, 4 through 1 group.";
  await expect(page.getByText(sentence).first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Close" }).last().click();
  await expect(page.getByRole("button", { name: "Add Selected" })).toHaveCount(0);
  await expect(page.getByText("3 active")).toBeVisible();
  await expect(page.getByText(sentence)).toBeVisible();
  await expect(
    page.getByText(new RegExp(`^${serials[0]} .* through Fair ${scripts}$`)),
  ).toBeVisible();
  await expect(page.getByText("Machines and groups added (3 codes)")).toBeVisible();
  if (scripts === "running") await expect(page.locator("#generation-machines")).toBeFocused();

  await page.getByRole("link", { name: "Make another like this" }).click();
  await expect(
    page.getByRole("group", { name: "Machine groups" }).getByLabel(`Fair ${scripts}`),
  ).toBeChecked();
  await deleteGroups(page.context(), app);
});

const refusals: { why: string; num_codes: string; sentence: string }[] = [
  { why: "no number", num_codes: "", sentence: "Number of codes must be at least 1" },
  { why: "a fraction", num_codes: "2.5", sentence: "Number of codes must be a whole number" },
  { why: "too many", num_codes: "100001", sentence: "Number of codes cannot exceed 100,000" },
];

for (const { why, num_codes, sentence } of refusals) {
  test(`${why}: '${sentence}', nothing typed is lost`, async ({
    signedIn: page,
    scripts,
    expectAccessible,
  }) => {
    await openForm(page, scripts);
    await page.locator("#name").fill("Kept");
    await page.locator("#num_codes").fill(num_codes);
    await page.locator("#discount_value").fill("10");
    await page.getByLabel("One-time use").check();
    await button(page).click();
    const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
    await expect(summary).toContainText(sentence);
    await expect(summary).toBeFocused();
    await expect(page.locator("#name")).toHaveValue("Kept");
    await expect(page.locator("#num_codes")).toHaveValue(num_codes);
    await expect(page.getByLabel("One-time use")).toBeChecked();
    await expectAccessible(page);
    await summary.getByRole("link", { name: sentence }).click();
    await expect(page.locator("#num_codes")).toBeFocused();
  });
}

test("Enter in the machine search never generates", async ({ signedIn: page, scripts }) => {
  await openForm(page, scripts);
  await page.locator("#name").fill("Not yet");
  await page.locator("#num_codes").fill("5");
  await page.locator("#discount_value").fill("10");
  const search = page.getByLabel("Search machines");
  await search.fill("lobby");
  await search.press("Enter");
  await expect(search).toHaveValue("lobby");
  await expect(page).toHaveURL(/qr-generation\/mass/);
  await expect(page.locator("#num_codes")).toHaveValue("5");
  await page.goto("/app/qr-generation/all");
  await expect(page.getByRole("link", { name: "Not yet" })).toHaveCount(0);
});

test("a form sent after the session has ended comes back filled", async ({
  signedIn: page,
  context,
  app,
  scripts,
}) => {
  // A session of its own: the others need theirs.
  await context.clearCookies();
  await signIn(page);
  await openForm(page, scripts);
  await page.locator("#name").fill(`Patience ${scripts}`);
  await page.locator("#num_codes").fill("4");
  await page.locator("#discount_value").fill("35");
  await context.clearCookies();
  await button(page).click();
  await expect(page.getByLabel("Password")).toBeVisible();
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password").fill(admin.password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(`${app.origin}/app/qr-generation/mass`);
  await expect(page.locator("#num_codes")).toHaveValue("4");
  await expect(page.locator("#discount_value")).toHaveValue("35");
  await hydrated(page, scripts);
  await button(page).click();
  await expect(page.getByText("QR codes generated successfully")).toBeVisible();
});

async function signIn(page: Page): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password").fill(admin.password);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(/dashboard/);
}
