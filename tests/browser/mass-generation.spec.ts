import { readFile } from "node:fs/promises";
import type { Download, Page } from "playwright/test";
import { readZip } from "../support/read-zip";
import { sampleSerials } from "./arrange";
import {
  downloadFrom,
  expect,
  garblePosts,
  heldRoute,
  hydrated,
  test as base,
  testAlsoBlockedInSoak,
} from "./fixtures";
import { inSoak } from "../support/repetitions";

const button = (page: Page) => page.getByRole("button", { name: "Generate codes" });

const test = base.extend<{
  /** Fills the form and sends it; with scripts, returns the archive that is downloaded at once. */
  generate: (name: string, numCodes: number) => Promise<Download | null>;
  /** Fills the form without sending it. */
  prefillForm: (name: string) => Promise<void>;
}>({
  generate: async ({ signedIn: page, visit, scripts }, use) => {
    await use(async (name, numCodes) => {
      await visit("/app/qr-generation/mass");
      await fillForm(page, { name, num_codes: String(numCodes), discount_value: "25" });
      await tickMachine(page);
      const saved = scripts === "running" ? page.waitForEvent("download") : null;
      await button(page).click();
      await expect(page).toHaveURL(/\/app\/qr-generation\/\d+\?/);
      await hydrated(page, scripts);
      return saved;
    });
  },

  prefillForm: async ({ signedIn: page, visit }, use) => {
    await use(async (name) => {
      await visit("/app/qr-generation/mass");
      await fillForm(page, { name, num_codes: "3", discount_value: "10" });
      await tickMachine(page);
    });
  },
});

async function tickMachine(page: Page): Promise<void> {
  await page.locator(`input[name=machines][value="${sampleSerials[0]}"]`).check();
}

async function fillForm(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [id, value] of Object.entries(fields)) await page.locator(`#${id}`).fill(value);
}

async function fromMore(page: Page, name: string): Promise<void> {
  await page.locator("summary", { hasText: /^More/ }).click();
  await page.getByRole("link", { name }).click();
}

async function fileNames(download: Download): Promise<string[]> {
  expect(download.suggestedFilename()).toMatch(/^mass_generation_\d+\.zip$/);
  const { entries } = await readZip(await readFile(await download.path()));
  return entries.map(({ fileName }) => fileName);
}

testAlsoBlockedInSoak(
  test,
  "codes are generated with the keyboard alone, and their archive is saved",
  async ({ signedIn: page, visit, scripts, expectAccessible }) => {
    const name = `Festival ${scripts}`;
    await visit("/app/qr-generation");
    await page.getByLabel("Name", { exact: true }).focus();
    await page.keyboard.type(name);
    const other =
      scripts === "running"
        ? page.getByRole("link", { name: "Mass Generation", exact: true })
        : page.getByRole("button", { name: "Continue as mass generation" });
    await other.focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/app\/qr-generation\/mass$/);
    await hydrated(page, scripts);
    await expectAccessible(page);

    await expect(page.locator("#name")).toHaveValue(name);
    await page.locator("#name").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.type("3");
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
    await available.locator("input[name=machines]").first().focus();
    await page.keyboard.press("Space");
    await button(page).focus();
    const saved = scripts === "running" ? page.waitForEvent("download") : null;
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(page.getByText("valid until 31.12.2099 23:59 (Europe/Berlin)")).toBeVisible();
    await expect(page.getByText("3 active")).toBeVisible();
    if (!saved) return;
    expect(await fileNames(await saved)).toHaveLength(4);
    await expect(page.getByText("Archive downloaded successfully")).toBeVisible();
  },
);

inSoak(test)(
  "the download options of one code offer the archive of its generation",
  async ({ signedIn: page, generate, scripts, expectAccessible }) => {
    const name = "Options";
    await generate(name, 2);
    await fromMore(page, "Show in the QR List");
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
    const archive = await downloadFrom(page.getByRole("link", { name: "Download Archive" }));
    expect(await fileNames(archive)).toHaveLength(3);
    const image = await downloadFrom(page.getByRole("link", { name: "Download PNG" }));
    expect(image.suggestedFilename()).toMatch(/^[^/]+ [2-9A-Z-]{14}\.png$/);
    await expect(page.getByText("Archive downloaded successfully")).toBeVisible();
    await expect(page.getByText("QR code downloaded successfully")).toBeVisible();
  },
);

test("the archive is downloaded at once, but not again by a reload or by going back", async ({
  signedIn: page,
  prefillForm,
}) => {
  let downloads = 0;
  page.on("download", () => (downloads += 1));
  await prefillForm("Once only");
  const posted = "**/app/qr-generation/mass**";
  await garblePosts(page, posted);
  await button(page).click();
  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(summary).toContainText("Error generating QR codes");
  await page.unroute(posted);
  const first = page.waitForEvent("download");
  await page.locator("#num_codes").press("Enter");
  await first;
  await expect(page.getByText("Archive downloaded successfully")).toBeVisible();
  await expect(page.getByText("QR codes generated successfully")).toBeVisible();
  await expect(page).not.toHaveURL(/download=/);

  await page.reload();
  await hydrated(page, "running");
  await fromMore(page, "Duplicate");
  await expect(page).toHaveURL(/mass\?from=/);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Once only" })).toBeVisible();
  // A second download would have begun by then.
  await page.waitForLoadState("networkidle");
  expect(downloads).toBe(1);
});

inSoak(test)("a large archive is left to the browser", async ({ signedIn: page, visit }) => {
  await visit("/app/qr-generation/1");
  await page.route("**/archive.zip", (route) =>
    route.fulfill({
      body: Buffer.alloc(9_000_000),
      headers: {
        "Content-Type": "application/zip",
        "Content-Disposition": 'attachment; filename="mass_generation_1.zip"',
      },
    }),
  );
  await page.getByRole("link", { name: /^Download archive/ }).click();
  await expect(page.getByText("The download has started.")).toBeVisible();
});

inSoak(test)(
  "the page of a generation explains a failed download and deletion, and its dialog gives the focus back",
  async ({ signedIn: page, visit }) => {
    await visit("/app/qr-generation/1?page=2");
    await page.route("**/archive.zip", (route) => route.fulfill({ status: 409, body: "no" }));
    const link = page.getByRole("link", { name: /^Download archive/ });
    await link.click();
    await expect(page.getByRole("alert").getByText("Error downloading archive")).toBeVisible();
    await page.unroute("**/archive.zip");
    await page.route("**/archive.zip", (route) => route.abort());
    await link.click();
    await expect(
      page.getByRole("alert").getByText("No answer from the server. Try again."),
    ).toBeVisible();
    await expect(link).toBeFocused();

    const more = page.locator("summary", { hasText: /^More/ });
    await more.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Delete" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("alertdialog");
    await expect(dialog).toBeVisible();
    await expect(page.getByRole("link", { name: "Cancel" })).toBeFocused();
    await garblePosts(page, "**/app/**");
    await dialog.getByRole("button", { name: /^Delete all/ }).click();
    await expect(dialog.getByText("Error deleting mass generation")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(more).toBeFocused();
    await expect(page.getByText("26–50 of 60", { exact: true })).toBeVisible();
  },
);

inSoak(test)(
  "Back brings what was entered in a form, but not what was sent",
  async ({ signedIn: page, scripts }) => {
    const name = page.locator("#name");
    const start = page.locator("#starts_at");
    const rows = page.locator("fieldset", { has: page.locator("[name=hours_to]") });
    const freeDrinks = page.getByRole("radio", { name: "Free drinks" });
    const machine = page.locator(`input[name=machines][value="${sampleSerials[0]}"]`);
    const { hold, release } = heldRoute();
    await page.route("**/assets/*.js", hold);
    await page.goto("/app/qr-generation/mass", { waitUntil: "commit" });
    await name.fill("Filled in before scripts run");
    release();
    await hydrated(page, scripts);
    await fillForm(page, { num_codes: "2", discount_value: "3" });
    await freeDrinks.check();
    await machine.check();
    await page.getByText("Start and hours", { exact: true }).click();
    await start.fill("01/06/2030");
    const count = await rows.count();
    // A row more appears once the last one is used.
    for (const row of [count - 1, count]) {
      await rows.nth(row).getByRole("checkbox").nth(row).check();
      await rows.nth(row).getByLabel("from").fill("09:00");
      await rows.nth(row).getByLabel("to", { exact: true }).fill("18:00");
    }
    await page.getByRole("link", { name: "Machines", exact: true }).click();
    await expect(page).toHaveURL(/machines$/);
    await hydrated(page, scripts);
    await page.goBack();

    await expect(name).toHaveValue("Filled in before scripts run");
    await expect(freeDrinks).toBeChecked();
    await expect(page.locator("#discount_value")).toHaveValue("3");
    await expect(page.getByRole("region", { name: /Selected/ }).locator(machine)).toBeChecked();
    await expect(start).toBeVisible();
    await expect(start).toHaveValue("01/06/2030");
    await expect(rows.nth(count).getByRole("checkbox").nth(count)).toBeChecked();
    await expect(rows.nth(count).getByLabel("to", { exact: true })).toHaveValue("18:00");

    await start.fill("");
    // Back is pressed before the page of the codes is rendered.
    await page.evaluate(() => {
      const pushState = history.pushState.bind(history);
      history.pushState = (...entry) => {
        pushState(...entry);
        history.back();
      };
    });
    const posted = page.waitForResponse((response) => response.request().method() === "POST");
    await button(page).click();
    await posted;
    await expect(name).toHaveValue("");
  },
);
