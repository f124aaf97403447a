import { readFile } from "node:fs/promises";
import type { Page } from "playwright/test";
import { decodeQr } from "../support/decode-qr";
import { admin, expect, hydrated, test } from "./fixtures";

const form = (page: Page) => page.locator("form#single-qr-code");

async function openForm(page: Page, scripts: "off" | "blocked" | "running") {
  await page.goto("/app/qr-generation");
  await hydrated(page, scripts);
}

test("a promotion is made with machines, listed, and its QR code scans", async ({
  signedIn: page,
  scripts,
  expectAccessible,
}) => {
  const name = `Lobby summer ${scripts}`;
  await openForm(page, scripts);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Percentage off").fill("25");
  await page.getByLabel("Expiration date").fill("31/12/2099");
  const available = page.getByRole("region", { name: /Available Machines/ });
  const machine = await available.getByRole("checkbox").first().getAttribute("value");
  await page.locator(`input[name=machines][value="${machine}"]`).check();
  await page.getByRole("button", { name: "Create promotion" }).click();

  await expect(page).toHaveURL(/\/app\/qr-list/);
  await expect(page.getByText("Promotion created successfully")).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("25%");
  await expect(row).toContainText("31.12.2099");
  await expect(row).toContainText("Active");
  await expect(row).toContainText("new");
  await expectAccessible(page);
  const code = (await row.getByRole("rowheader").innerText()).match(
    /[2-9A-Z]{4}(-[2-9A-Z]{4}){2}/,
  )![0];

  await row.getByRole("link", { name: `Download the QR code of ${name}` }).click();
  await expect(page.getByRole("heading", { name: "Download Options" })).toBeVisible();
  await expect(page.getByRole("img", { name: `QR code for ${name}` })).toBeVisible();
  await expect(page.getByText("valid until 31.12.2099 23:59 (Europe/Berlin)")).toBeVisible();
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download PNG" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^\d+\.png$/);
  expect(decodeQr(await readFile(await download.path()))).toBe(code.replaceAll("-", ""));
});

const refusals: { why: string; fill: Record<string, string>; tick?: string[]; sentence: string }[] =
  [
    { why: "no name", fill: { discount: "5" }, sentence: "Name is required" },
    {
      why: "blank name",
      fill: { promotionName: "   ", discount: "5" },
      sentence: "Name is required",
    },
    {
      why: "a name that is too long",
      fill: { promotionName: "x".repeat(201), discount: "5" },
      sentence: "Name cannot exceed 200 characters",
    },
    {
      why: "no discount",
      fill: { promotionName: "A" },
      sentence: "Percentage must be at least 1%",
    },
    {
      why: "zero percent",
      fill: { promotionName: "A", discount: "0" },
      sentence: "Percentage must be at least 1%",
    },
    {
      why: "more than everything",
      fill: { promotionName: "A", discount: "101" },
      sentence: "Percentage cannot exceed 100%",
    },
    {
      why: "half a percent",
      fill: { promotionName: "A", discount: "2.5" },
      sentence: "Percentage must be a whole number",
    },
    {
      why: "no drinks",
      fill: { promotionName: "A", discount: "0" },
      tick: ["discount_type-free_drink"],
      sentence: "Number of free drinks must be at least 1",
    },
    {
      why: "a day that no calendar has",
      fill: { promotionName: "A", discount: "5", expiration_date: "31/02/2099" },
      sentence: "Invalid date",
    },
    {
      why: "yesterday's century",
      fill: { promotionName: "A", discount: "5", expiration_date: "01/01/2020" },
      sentence: "Date cannot be in the past",
    },
  ];

for (const { why, fill, tick = [], sentence } of refusals) {
  test(`${why}: '${sentence}', nothing typed is lost`, async ({
    signedIn: page,
    scripts,
    expectAccessible,
  }) => {
    await openForm(page, scripts);
    for (const id of tick) await page.locator(`#${id}`).check();
    for (const [name, value] of Object.entries(fill)) await page.locator(`#${name}`).fill(value);
    const before = await machineTicked(page);
    await page.getByRole("button", { name: "Create promotion" }).click();

    const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
    await expect(summary).toContainText(sentence);
    await expect(summary).toBeFocused();
    if (scripts !== "running") await expect(page).toHaveTitle(/^Error: QR Generation/);
    for (const [name, value] of Object.entries(fill))
      await expect(page.locator(`#${name}`)).toHaveValue(value);
    for (const id of tick) await expect(page.locator(`#${id}`)).toBeChecked();
    await expect(page.locator(`input[name=machines][value="${before}"]`)).toBeChecked();
    await expect(page).toHaveURL(/qr-generation/);
    await expectAccessible(page);

    await summary.getByRole("link", { name: sentence }).first().click();
    await expect(form(page).locator(":focus")).toHaveCount(1);
  });
}

async function machineTicked(page: Page): Promise<string> {
  const box = page
    .getByRole("region", { name: /Available Machines/ })
    .getByRole("checkbox")
    .nth(2);
  const serial = (await box.getAttribute("value"))!;
  await page.locator(`input[name=machines][value="${serial}"]`).check();
  return serial;
}

test("Enter in the machine search never creates, and loses nothing", async ({
  signedIn: page,
  scripts,
}) => {
  await openForm(page, scripts);
  await page.getByLabel("Name", { exact: true }).fill("Not yet");
  await page.getByLabel("Percentage off").fill("10");
  const serial = await machineTicked(page);
  const search = page.getByLabel("Search machines");
  for (const text of ["lobby", "lobby", ""]) {
    await search.fill(text);
    await search.press("Enter");
    await expect(search).toHaveValue(text);
    await expect(page).toHaveURL(/qr-generation/);
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Not yet");
    await expect(page.locator(`input[name=machines][value="${serial}"]`)).toBeChecked();
  }
  await page.goto("/app/qr-list");
  await expect(page.getByRole("rowheader", { name: /Not yet/ })).toHaveCount(0);
});

test("Select All and Unselect All move every machine, the search narrows them", async ({
  signedIn: page,
  scripts,
}) => {
  await openForm(page, scripts);
  const available = page.getByRole("region", { name: /Available Machines/ });
  const selected = page.getByRole("region", { name: /Selected Machines/ });
  const all = await available.getByRole("checkbox").count();
  expect(all).toBe(24);

  await page.getByRole("button", { name: "Select All", exact: true }).click();
  await expect(selected.getByRole("checkbox", { checked: true })).toHaveCount(all);
  await expect(available.getByRole("checkbox")).toHaveCount(0);
  await page.getByRole("button", { name: "Unselect All" }).click();
  await expect(selected.getByRole("checkbox")).toHaveCount(0);
  await expect(available.getByRole("checkbox")).toHaveCount(all);

  const serial = (await available.getByRole("checkbox").first().getAttribute("value"))!;
  await page.getByLabel("Search machines").fill(serial.toLowerCase());
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(available.getByRole("checkbox")).toHaveCount(1);
  await page.getByRole("button", { name: "Select All", exact: true }).click();
  await expect(selected.getByRole("checkbox")).toHaveCount(1);
});

test("a double press creates once", async ({ signedIn: page, scripts, context, app }) => {
  const name = `Once ${scripts}`;
  await openForm(page, scripts);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Percentage off").fill("10");
  const posted = await form(page).evaluate((element) => [
    ...new FormData(element as HTMLFormElement).entries(),
  ]);
  const body = new URLSearchParams([...(posted as [string, string][]), ["intent", "create"]]);
  const [cookie] = await context.cookies();
  const send = () =>
    fetch(`${app.origin}/app/qr-generation`, {
      method: "POST",
      redirect: "manual",
      headers: { Cookie: `sid=${cookie!.value}`, Origin: app.origin },
      body,
    });
  const answers = await Promise.all([send(), send(), send()]);
  for (const answer of answers) expect(answer.status).toBeGreaterThanOrEqual(302);
  await page.getByRole("button", { name: "Create promotion" }).dblclick();
  await expect(page).toHaveURL(/\/app\/qr-list/);
  await expect(page.getByRole("rowheader", { name: new RegExp(name) })).toHaveCount(1);
});

test("renewable hides the date, and what was in it is not used", async ({
  signedIn: page,
  scripts,
}) => {
  const name = `Monthly ${scripts}`;
  await openForm(page, scripts);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Free drinks", { exact: true }).check();
  await page.getByLabel("Number of free drinks").fill("5");
  await page.getByLabel("Expiration date").fill("31/12/2098");
  await page.getByLabel("Renewable").check();
  await expect(page.getByLabel("Expiration date")).toBeHidden();
  await page.getByRole("button", { name: "Create promotion" }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("None");
  await expect(row).toContainText("5 drinks");
  await expect(row).toContainText(/Yes, 01\.\d\d\./);
  await expect(row).toContainText("Not assigned");
});

test("a form sent after the session has ended comes back filled", async ({
  page,
  context,
  app,
  scripts,
}) => {
  const name = `Kept ${scripts}`;
  await signIn(page);
  await openForm(page, scripts);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Percentage off").fill("35");
  await page.getByLabel("One-time use").check();
  const serial = await machineTicked(page);
  await context.clearCookies();
  await page.getByRole("button", { name: "Create promotion" }).click();

  await expect(page.getByLabel("Password")).toBeVisible();
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password").fill(admin.password);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByText("Nothing you typed was lost.")).toBeVisible();
  await page.getByRole("button", { name: "Continue" }).click();

  await expect(page).toHaveURL(`${app.origin}/app/qr-generation`);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue(name);
  await expect(page.getByLabel("Percentage off")).toHaveValue("35");
  await expect(page.getByLabel("One-time use")).toBeChecked();
  await expect(page.locator(`input[name=machines][value="${serial}"]`)).toBeChecked();
  await hydrated(page, scripts);
  await page.getByRole("button", { name: "Create promotion" }).click();
  await expect(page.getByRole("rowheader", { name: new RegExp(name) })).toHaveCount(1);
});

async function signIn(page: Page): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password").fill(admin.password);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(/dashboard/);
}
