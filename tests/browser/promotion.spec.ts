import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright/test";
import { contrast } from "../../styles/contrast";
import { decodeQr } from "../support/decode-qr";
import { inSoak } from "../support/repetitions";
import { createPromotion, sampleSerials, signIn, submitSignIn } from "./arrange";
import {
  downloadFrom,
  expect,
  expectNoSidewaysScroll,
  garblePosts,
  heldRoute,
  hydrated,
  routePosts,
  test,
  testAlsoBlockedInSoak,
} from "./fixtures";

const form = (page: Page) => page.locator("form#single-qr-code");

testAlsoBlockedInSoak(
  test,
  "a promotion is created with machines, shown with its QR code, listed first, and the code scans",
  async ({ signedIn: page, visit, scripts, expectAccessible }) => {
    const name = `Lobby summer ${scripts}`;
    await visit("/app/qr-generation");
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByLabel("Percentage off").fill("25");
    await page.getByLabel("Expiration date").fill("31/12/2099");
    const available = page.getByRole("region", { name: /Available Machines/ });
    const machine = await available.locator("input[name=machines]").first().getAttribute("value");
    await page.locator(`input[name=machines][value="${machine}"]`).check();
    await page.getByRole("button", { name: "Create code" }).click();

    await expect(page).toHaveURL(/\/app\/qr-list\/\d+/);
    await expect(page.getByText("Promotion created successfully")).toBeVisible();
    await expect(page.getByRole("img", { name: `QR code for ${name}` })).toBeInViewport();
    await visit("/app/qr-list");
    const row = page.getByRole("row").filter({ hasText: name });
    await expect(row).toContainText("25%");
    await expect(row).toContainText("31.12.2099");
    await expect(row).toContainText("Active");
    await expect(row).toContainText("new");
    const code = (await row.getByRole("rowheader").innerText()).match(
      /[2-9A-Z]{4}(-[2-9A-Z]{4}){2}/,
    )![0];

    await row.getByRole("link", { name: `Download the QR code of ${name}` }).click();
    await expect(page.getByRole("heading", { name: "Download Options" })).toBeVisible();
    await expect(page.getByRole("img", { name: `QR code for ${name}` })).toBeVisible();
    await expect(page.getByText("Expiration: 31.12.2099")).toBeVisible();
    await expectAccessible(page);
    const download = await downloadFrom(page.getByRole("link", { name: "Download PNG" }));
    expect(download.suggestedFilename()).toBe(`${name} ${code}.png`);
    expect(decodeQr(await readFile(await download.path()))).toBe(code.replaceAll("-", ""));
  },
);

test("a wrong form is refused, and nothing typed is lost", async ({
  signedIn: page,
  visit,
  expectAccessible,
}) => {
  const typed = { promotionName: "A", discount: "0", expiration_date: "31/02/2099" };
  await visit("/app/qr-generation");
  await page.locator("#discount_type-free_drink").check();
  for (const [name, value] of Object.entries(typed)) await page.locator(`#${name}`).fill(value);
  const machine = await machineTicked(page);
  const button = page.getByRole("button", { name: "Create code" });
  // It counts as disabled once a wrong field was left, and leads to the summary all the same.
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await button.click({ force: true });

  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(summary).toContainText("Number of free drinks must be at least 1");
  await expect(summary).toContainText("Invalid date");
  await expect(summary).toBeFocused();
  await expect(page).toHaveTitle(/^Error: QR Generation/);
  await expect(button).toHaveCSS("opacity", "1");
  expect(await contrastOf(button)).toBeGreaterThanOrEqual(4.5);
  for (const [name, value] of Object.entries(typed))
    await expect(page.locator(`#${name}`)).toHaveValue(value);
  await expect(page.locator("#discount_type-free_drink")).toBeChecked();
  await expect(page.locator(`input[name=machines][value="${machine}"]`)).toBeChecked();
  await expect(page).toHaveURL(/qr-generation/);
  await expectAccessible(page);

  await summary
    .getByRole("link", { name: /^Invalid date/ })
    .first()
    .click();
  await expect(page.locator("#expiration_date")).toBeFocused();

  await page.locator("#discount").fill("2");
  await page.locator("#expiration_date").fill("");
  await garblePosts(page, "**/app/qr-generation**");
  await page.getByRole("button", { name: "Create code" }).click();
  await expect(summary).toContainText("Error creating promotion");
});

/** Returns the contrast of a control's text with its background; axe passes over those that are disabled. */
async function contrastOf(control: Locator): Promise<number> {
  const [front, back] = await control.evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element);
    return [color, backgroundColor].map((rgb) =>
      rgb.match(/\d+/g)!.map((channel) => Number(channel).toString(16).padStart(2, "0")),
    );
  });
  return contrast(`#${front!.join("")}`, `#${back!.join("")}`);
}

async function machineTicked(page: Page): Promise<string> {
  const box = page
    .getByRole("region", { name: /Available Machines/ })
    .locator("input[name=machines]")
    .nth(2);
  const serial = (await box.getAttribute("value"))!;
  await page.locator(`input[name=machines][value="${serial}"]`).check();
  return serial;
}

test("Enter in the machine search or at the end of a composition creates nothing, and a form that is sent several times one promotion", async ({
  signedIn: page,
  visit,
  context,
  app,
  database,
}) => {
  const name = "Sent three times";
  const created = async () =>
    (await database.query("select from promotions where name = $1", [name])).rowCount;
  await visit("/app/qr-generation");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Percentage off").fill("10");
  const serial = await machineTicked(page);
  await page
    .getByLabel("Name", { exact: true })
    .dispatchEvent("keydown", { key: "Enter", isComposing: true });
  const search = page.getByLabel("Search machines");
  for (const text of ["lobby", "lobby", ""]) {
    await search.fill(text);
    await search.press("Enter");
    await expect(search).toHaveValue(text);
    await expect(page).toHaveURL(/qr-generation/);
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue(name);
    await expect(page.locator(`input[name=machines][value="${serial}"]`)).toBeChecked();
  }
  expect(await created()).toBe(0);

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
  await page.getByRole("button", { name: "Create code" }).dblclick();
  await expect(page).toHaveURL(/\/app\/qr-list\/\d+/);
  expect(await created()).toBe(1);
});

test("free drinks for one-time use become one drink, and a renewable promotion has no expiration date", async ({
  signedIn: page,
  visit,
}) => {
  const name = "Monthly";
  await visit("/app/qr-generation");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Free drinks", { exact: true }).check();
  await page.getByLabel("Number of free drinks").fill("7");
  await page.getByLabel("One-time use").check();
  await expect(page.getByLabel("Number of free drinks")).toHaveValue("1");
  await page.getByLabel("One-time use").uncheck();
  await page.getByLabel("Number of free drinks").fill("5");
  await page.getByLabel("Expiration date").fill("31/12/2098");
  await page.getByLabel("Renewable").check();
  await expect(page.getByLabel("Expiration date")).toBeHidden();
  await page.getByRole("button", { name: "Create code" }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByText("5 free drinks a month")).toBeVisible();
  await expect(page.getByText(/next on 01\.\d\d\./)).toBeVisible();
  await expect(page.getByText("Not assigned")).toBeVisible();
});

inSoak(test)(
  "a form sent after the session has ended comes back filled",
  async ({ page, visit, context, app }) => {
    const name = "Kept for later";
    await signIn(page);
    await visit("/app/qr-generation");
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByLabel("Percentage off").fill("35");
    await page.getByLabel("One-time use").check();
    const serial = await machineTicked(page);
    await context.clearCookies();
    await page.getByRole("button", { name: "Create code" }).click();

    await expect(page.getByLabel("Password")).toBeVisible();
    await submitSignIn(page);
    await expect(page.getByText("The form comes back, without passwords and files.")).toBeVisible();
    await page.getByRole("button", { name: "Continue" }).click();

    await expect(page).toHaveURL(`${app.origin}/app/qr-generation`);
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue(name);
    await expect(page.getByLabel("Percentage off")).toHaveValue("35");
    await expect(page.getByLabel("One-time use")).toBeChecked();
    await expect(page.locator(`input[name=machines][value="${serial}"]`)).toBeChecked();
    await page.getByRole("button", { name: "Create code" }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  },
);

inSoak(test)(
  "a long name keeps the breadcrumb of a phone on one line, and the main action comes first",
  async ({ signedIn: page, visit, app }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    const name =
      "Compensation for complaints at all stations of the northern region, second printing";
    const { id } = await createPromotion(app, name);
    await visit(`/app/qr-list/${id}`);
    const crumbs = page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("listitem");
    const tops = await crumbs.evaluateAll((items) =>
      items.map((item) => {
        const { top, height } = item.getBoundingClientRect();
        return Math.round(top + height / 2);
      }),
    );
    expect(new Set(tops).size).toBe(1);
    await expect(crumbs.last()).toHaveText(name);
    const height = (await crumbs.first().boundingBox())!.height;
    expect((await crumbs.last().boundingBox())!.height).toBeLessThan(2 * height);

    const main = page.getByRole("link", { name: "Assign machines", exact: true });
    const other = page.getByRole("link", { name: "Download QR", exact: true });
    const [first, second] = [(await main.boundingBox())!, (await other.boundingBox())!];
    expect(first.y).toBeLessThanOrEqual(second.y);
    await main.focus();
    await page.keyboard.press("Tab");
    await expect(other).toBeFocused();
  },
);

inSoak(test)(
  "a search of more machines than a page shows says how many are available and selected",
  async ({ signedIn: page, database, visit }) => {
    await database.query(
      "insert into machines (serial_number, human_name) select 'LOT-' || n, 'Lot ' || n from generate_series(1, 200) n",
    );
    try {
      await visit("/app/qr-generation");
      await page.getByLabel("Search machines").fill("LOT-20");
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await expect(page.getByText("2 available. 0 selected.")).toHaveRole("status");
      await page.getByRole("button", { name: "Select All", exact: true }).click();
      await expect(page.getByText("0 available. 2 selected.")).toHaveRole("status");
    } finally {
      await database.query("delete from machines where serial_number like 'LOT-%'");
    }
  },
);

inSoak(test)(
  "Back to a form selects no machine in the place of the selected one",
  async ({ signedIn: page, visit }) => {
    await visit("/app/qr-generation");
    await page.locator("input[name=machines]").first().click();
    await expect(page.getByText("No machines selected.")).toBeHidden();
    await page.goto("/healthz");
    await page.goBack();
    await hydrated(page, "running");
    await expect(page.getByText("No machines selected.")).toBeVisible();
    await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(0);
  },
);

test("a printed page names the machines that are folded up on the screen", async ({
  signedIn: page,
  app,
  visit,
}) => {
  const { id } = await createPromotion(app, "On paper", { machines: sampleSerials.slice(0, 12) });
  await visit(`/app/qr-list/${id}`);
  const last = page.getByText(sampleSerials[11]!);
  await expect(last).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(last).toBeVisible();
  await expect(page.getByRole("list").filter({ has: last })).toHaveCSS("display", "flex");
});

test("input typed and ticked before the scripts arrive stays", async ({
  signedIn: page,
  context,
}) => {
  const { hold, release } = heldRoute();
  await context.route("**/assets/*.js", hold);
  await page.goto("/app/qr-generation", { waitUntil: "commit" });
  await page.getByLabel("Name", { exact: true }).fill("Early bird");
  await page.getByLabel("Free drinks", { exact: true }).check();
  await page.getByLabel("One-time use").check();
  const box = page
    .getByRole("region", { name: /Available Machines/ })
    .locator("input[name=machines]")
    .first();
  const serial = (await box.getAttribute("value"))!;
  await box.check();
  await page.getByLabel("Search machines").fill("airport");
  release();
  await hydrated(page, "running");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Early bird");
  await expect(page.getByLabel("Free drinks", { exact: true })).toBeChecked();
  await expect(page.getByLabel("One-time use")).toBeChecked();
  await expect(
    page.getByRole("region", { name: /Selected Machines/ }).locator(`[value="${serial}"]`),
  ).toBeChecked();
  const available = page.getByRole("region", { name: /Available Machines/ });
  for (const name of await available.getByRole("listitem").allInnerTexts())
    expect(name).toMatch(/airport/i);
});

test("a list that can't be read says so, and one that was read keeps rows, order and address when sorting fails", async ({
  signedIn: page,
  visit,
}) => {
  const rejectWith = (body: string) =>
    page.route("**/app/qr-list?**_data**", (route) =>
      route.fulfill({ contentType: "application/json", body }),
    );
  await visit("/app/dashboard");
  await rejectWith("{");
  await page.getByRole("link", { name: "QR List", exact: true }).click();
  await expect(page.getByRole("heading", { name: "QR List", level: 1 })).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Failed to fetch promotions: / })).toBeVisible();
  await page.unroute("**/app/qr-list?**_data**");
  await page.getByRole("link", { name: "Try Again" }).click();
  const sorted = page.getByRole("link", { name: "Name", exact: true });
  await expect(page.getByRole("rowheader")).toHaveCount(10);
  const before = await page.getByRole("rowheader").allInnerTexts();
  await page.route("**/app/qr-list?**_data**", (route) => route.abort());
  await sorted.click();
  await expect(page.getByText("No connection. Your page is kept.")).toBeVisible();
  await expect(page.getByText(/Using cached data/)).toHaveCount(0);
  expect(await page.getByRole("rowheader").allInnerTexts()).toEqual(before);
  await expect(page.getByRole("columnheader", { name: /^Created/ })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  await expect(page.getByRole("columnheader", { name: /^Name/ })).not.toHaveAttribute("aria-sort");
  await expect(page).toHaveURL(/\/app\/qr-list$/);
  await page.unroute("**/app/qr-list?**_data**");
  await rejectWith("{");
  await sorted.click();
  await expect(page.getByText(/^Failed to fetch promotions: /)).toBeVisible();
  await page.unroute("**/app/qr-list?**_data**");
  await page.route("**/app/qr-list?**_data**", (route) => route.fulfill({ body: "<html></html>" }));
  await sorted.click();
  await expect(
    page.getByText("Received invalid data format from server. Using cached data if available."),
  ).toBeVisible();
  await expect(page.getByRole("rowheader")).toHaveCount(10);
  await page.unroute("**/app/qr-list?**_data**");
  await sorted.click();
  await expect(page.getByText(/Using cached data/)).toHaveCount(0);
});

test("the page of a promotion copies its code, keeps what a lost connection interrupts, and fits a phone and a sheet", async ({
  signedIn: page,
  app,
  context,
  visit,
  expectAccessible,
}) => {
  const machines = sampleSerials.slice(0, 12);
  const { id, code } = await createPromotion(app, "One sheet", {
    machines,
    expiresOn: "2099-12-31",
  });
  await visit(`/app/qr-list/${id}`);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const message = page.getByText("Copied");
  await page.getByRole("button", { name: "Copy" }).click();
  // The same words in a new element are announced again.
  await message.evaluate((element) => element.setAttribute("data-earlier", ""));
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.locator("[data-earlier]")).toHaveCount(0);
  await expect(message).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.replaceAll("-", "")).toBe(code.replaceAll("-", ""));

  const posted = `**/app/qr-list/${id}**`;
  await routePosts(page, posted, (route) => route.abort());
  await page.getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByText(/^No answer from the server/)).toBeVisible();
  await expect(page.getByText("Redeemable at 12 machines")).toBeVisible();
  await page.unroute(posted);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Promotion successfully deactivated")).toBeVisible();
  await expect(page.getByText("Assigned to 12 machines")).toBeVisible();
  await page.getByText("Show 4 more").click();
  await expectAccessible(page);
  await page.route("**/*.png*", (route) => route.fulfill({ status: 409, body: "no" }));
  await page.getByRole("link", { name: "Download QR", exact: true }).click();
  await expect(page.getByText("Failed to download QR code")).toBeVisible();

  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByText(/^Edit name/).click();
  await expectNoSidewaysScroll(page);
  const sheets = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type \/Page\b/g);
  expect(sheets).toHaveLength(1);
  await page.setViewportSize({ width: 1280, height: 800 });
});

inSoak(test)(
  "the message about a download stays with its code when the history leads to another code",
  async ({ signedIn: page, app, visit }) => {
    const { id } = await createPromotion(app, "Not downloaded");
    await createPromotion(app, "Downloaded");
    await visit(`/app/qr-list/${id}`);
    await page.getByRole("link", { name: "QR List", exact: true }).first().click();
    await page.getByRole("link", { name: "Downloaded", exact: true }).click();
    await downloadFrom(page.getByRole("link", { name: "Download QR", exact: true }));
    const message = page.getByText("QR code downloaded successfully");
    await expect(message).toBeVisible();
    await page.evaluate(() => history.go(-2));
    await expect(page.getByRole("heading", { level: 1, name: "Not downloaded" })).toBeVisible();
    await expect(message).toHaveCount(0);
  },
);
