import type { Page } from "playwright/test";
import { inSoak, isSoak } from "../support/repetitions";
import { expect, hydrated, sidewaysScroll, test, unfold } from "./fixtures";

const networkError = "Network error. Using cached data.";
const fetchFailed = "Failed to fetch promotions: The server could not answer";

const rows = (page: Page) => page.getByRole("rowheader");
const active = (page: Page) => page.getByRole("list", { name: "Active filters" });

test("an invalid date has the focus, filters are removed one by one, and Back restores them", async ({
  signedIn: page,
  visit,
  expectAccessible,
}) => {
  await visit("/app/qr-list");
  await unfold(page, "Created");
  const [after, before] = [page.getByLabel("Created After"), page.getByLabel("Created Before")];
  await after.fill("31/02/2026");
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await expect(after).toHaveValue("31/02/2026");
  await expect(after).toHaveAccessibleDescription(/^Invalid date/);
  await expect(after).toBeFocused();
  await expect(rows(page).first()).toBeVisible();
  await after.fill("10/11/2026");
  await before.fill("09/11/2026");
  await before.press("Enter");
  await expect(before).toHaveAccessibleDescription(
    "Created Before cannot be earlier than Created After, 10.11.2026",
  );
  await expectAccessible(page);

  await after.fill("01/01/2020");
  await before.fill("");
  await unfold(page, "More filters");
  await page.getByRole("combobox", { name: "Type", exact: true }).selectOption("Single");
  await page.getByLabel("Name or code").fill("a");
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await expect(active(page)).toContainText("Created after: 01.01.2020");
  await active(page).getByRole("link", { name: "Remove Name or code: a" }).click();
  await expect(page.getByLabel("Name or code")).toHaveValue("");
  await expect(active(page).getByRole("link", { name: /^Remove/ })).toHaveCount(2);
  await active(page).getByRole("link", { name: "Clear all" }).click();
  await expect(active(page)).toHaveCount(0);
  await expect(after).toHaveValue("");
  await page.goBack();
  await expect(active(page).getByRole("link", { name: /^Remove/ })).toHaveCount(2);
  await expect(after).toHaveValue("01/01/2020");
});

test.describe("without scripts", () => {
  test.use({ scripts: "off" });
  inSoak(test)(
    "Back shows the filter of its address, not the one that was applied after it",
    async ({ signedIn: page, visit }) => {
      await visit("/app/qr-list");
      await unfold(page, "More filters");
      const type = page.getByRole("combobox", { name: "Type", exact: true });
      await type.selectOption("Single");
      await page.getByRole("button", { name: "Apply", exact: true }).click();
      await expect(active(page)).toContainText("Type: Single");
      await page.goBack();
      await expect(active(page)).toHaveCount(0);
      await expect(page.locator("select[name=type]")).toHaveValue("");
    },
  );
});

test("a status says which rows another page, order or filter shows, and that there are none", async ({
  signedIn: page,
  visit,
}) => {
  await visit("/app/qr-list?per_page=10");
  const status = page.getByRole("status").filter({ hasText: /^1–10 of [\d,]+\+? codes$/ });
  // Words are announced only in a region that was there before them.
  const region = (await status.elementHandle())!;
  const text = () => region.textContent();
  const perPage = page.getByLabel("Rows", { exact: true });
  await perPage.selectOption("50");
  await page.getByRole("link", { name: "Next" }).click();
  await expect.poll(text).toMatch(/^11–20 of/);
  // The choice was not applied.
  await expect(perPage).toHaveValue("10");

  const words = (await region.$("span"))!;
  await page.getByRole("link", { name: "Name", exact: true }).click();
  await expect.poll(text).toMatch(/^1–10 of/);
  expect(await words.evaluate((element) => element.isConnected)).toBe(false);

  const search = page.getByLabel("Name or code");
  await search.fill("no code is called so");
  await search.press("Enter");
  await expect.poll(text).toBe("0 codes");
  await expect(search).toBeFocused();
  await page.goBack();
  await expect.poll(text).toMatch(/^1–10 of/);
});

test("the choice of columns closes, and shows those of the list, also after Back", async ({
  signedIn: page,
  visit,
}) => {
  await visit("/app/qr-list?hide=used");
  const column = page.getByRole("columnheader", { name: "Used", exact: true });
  const box = page.locator("input[name=columns][value=used]");
  await expect(column).toHaveCount(0);
  await page.getByText("Columns", { exact: true }).click();
  await box.check();
  await page.getByRole("button", { name: "Apply columns" }).click();
  await expect(column).toBeVisible();
  await expect(box).toBeHidden();
  await expect(page.locator("#columns")).toBeFocused();
  await page.goBack();
  await expect(column).toHaveCount(0);
  await expect(box).not.toBeChecked();
});

inSoak(test)(
  "columns are chosen in a panel, and rows per page with a button, not with each arrow key",
  async ({ signedIn: page, visit, expectAccessible }) => {
    await page.setViewportSize({ width: 1680, height: 900 });
    await visit("/app/qr-list");
    await page.getByText("Columns", { exact: true }).click();
    await page.getByRole("checkbox", { name: "Renewable" }).uncheck();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Apply columns" }).click();
    await expect(page.getByRole("columnheader", { name: "Renewable" })).toHaveCount(0);
    const entries = await page.evaluate(() => history.length);
    await page.getByLabel("Rows", { exact: true }).selectOption("50");
    await page.getByLabel("Rows", { exact: true }).selectOption("25");
    await page.getByRole("button", { name: "Go", exact: true }).click();
    await expect(rows(page)).toHaveCount(25);
    expect(await page.evaluate(() => history.length)).toBe(entries + 1);
  },
);

inSoak(test)(
  "a row is pressed once while a long panel of columns is open, although the page moves when it closes",
  async ({ signedIn: page, visit, openListOf }) => {
    await openListOf("Behind a panel");
    await visit("/app/qr-list?text=Behind+a+panel");
    await page.setViewportSize({ width: 1280, height: 600 });
    const panel = page.getByRole("group", { name: "Visible columns" });
    await page.getByText("Columns", { exact: true }).click();
    await page.evaluate(() => scrollTo(0, 100));
    await page.getByRole("link", { name: /^Download the QR code/ }).click();
    await expect(page.getByRole("link", { name: "Download PNG" })).toBeVisible();
    await expect(panel).toBeHidden();

    await page.goBack();
    await page.getByText("Columns", { exact: true }).click();
    await page.getByRole("button", { name: "Apply columns" }).focus();
    await page.keyboard.press("Tab");
    await expect(panel).toBeHidden();
  },
);

test.describe("a refresh that", () => {
  test.use({ answersErrors: true });
  const faults = [
    { fault: "is answered 500", method: "POST", status: 500, message: fetchFailed },
    { fault: "is posted, and its rows get no answer", method: "GET", message: networkError },
  ];
  const soakFaults = [
    { fault: "gets no answer", method: "POST", message: networkError },
    { fault: "is answered 503", method: "POST", status: 503, message: fetchFailed },
    { fault: "gets rows of 500", method: "GET", status: 500, message: fetchFailed },
  ];
  inSoak(test)(
    "fails tells that alone, and keeps rows, filters and order",
    async ({ signedIn: page, visit }) => {
      await visit("/app/qr-list?type=single&sort=name");
      const before = await rows(page).allInnerTexts();
      const refresh = page.getByRole("button", { name: "Refresh" });
      const isList = (url: URL) => url.searchParams.get("_data") === "routes/app.qr-list";
      for (const { fault, method, status, message } of [...faults, ...(isSoak ? soakFaults : [])])
        await test.step(fault, async () => {
          await page.route(isList, (route) => {
            if (route.request().method() !== method) return route.continue();
            return status ? route.fulfill({ status, body: "no" }) : route.abort();
          });
          for (let round = 0; round < 2; round++) {
            await refresh.click();
            await expect(page.getByRole("alert").filter({ hasText: /./ })).toHaveText([message]);
            await expect(page.getByText("Data refreshed successfully")).toHaveCount(0);
            await expect(page.getByText(/^No (answer|connection)/)).toHaveCount(0);
          }
          expect(await rows(page).allInnerTexts()).toEqual(before);
          await expect(page).toHaveURL(/type=single&sort=name/);
          await expect(active(page)).toContainText("Type: Single");
          await page.unroute(isList);
          await refresh.click();
          await expect(page.getByText("Data refreshed successfully")).toBeVisible();
          await expect(page.getByText(message)).toHaveCount(0);
          await expect(refresh).toBeFocused();
        });
      await visit("/app/qr-list?text=no+code+is+called+so");
      await page.route(isList, (route) => route.abort());
      await page.getByRole("button", { name: "Apply", exact: true }).click();
      await expect(page.getByRole("alert").filter({ hasText: /./ })).toHaveText([
        /^Failed to fetch promotions: Server is not available\. Please check if server is running on port \d+\.$/,
      ]);
    },
  );
});

test("the filters are folded, one group at a time is open on a phone, and nothing scrolls sideways", async ({
  signedIn: page,
  visit,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await visit("/app/qr-list?created=2m&text=a+very+long+text+that+finds+nothing");
  await expect(page.getByLabel("Serial Number", { exact: true })).toBeHidden();
  await unfold(page, "Machine");
  await expect(page.getByLabel("Serial Number", { exact: true })).toBeVisible();
  await unfold(page, "More filters");
  await expect(page.getByLabel("Serial Number", { exact: true })).toBeHidden();
  expect(await sidewaysScroll(page)).toBe(0);
});

test("a selection stays over pages and Back, and Clear ends it", async ({
  signedIn: page,
  visit,
}) => {
  await visit("/app/qr-list?per_page=10");
  const status = page.getByRole("form", { name: "Selected codes" }).getByRole("status");
  await page.locator("input[name=ids]").first().check();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(status).toHaveText("1 selected");
  await page.locator("input[name=ids][form=bulk]").nth(1).check();
  await expect(status).toHaveText("2 selected");
  await page.getByRole("button", { name: "Deactivate", exact: true }).click();
  await expect(page.getByRole("heading", { name: /^Deactivate \d+ codes?$/ })).toBeVisible();
  await page.goBack();
  await expect(status).toHaveText("2 selected");
  await page.goBack();
  await expect(page.locator("input[name=ids]").first()).toBeChecked();
  const all = page.locator("input[name=all]");
  await all.check();
  await page.getByRole("button", { name: "Clear", exact: true }).press("Enter");
  await expect(status).toHaveText("0 selected");
  await expect(page.locator("input[name=ids]").first()).not.toBeChecked();
  await expect(all).not.toBeChecked();
  await expect(page.getByRole("form", { name: "Selected codes" })).toBeFocused();

  await page.locator("input[name=ids]").first().check();
  await all.check();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(all).toBeChecked();
  await page.getByRole("link", { name: "Campaigns", exact: true }).click();
  await expect(all).toHaveAccessibleName(/campaigns/);
  await expect(all).not.toBeChecked();
});

inSoak(test)(
  "a selection ends at 1,000 codes, says so, and reaches its confirmation",
  async ({ signedIn: page, visit }) => {
    await visit("/app/qr-list");
    await page.evaluate(() => {
      const campaigns = Array.from({ length: 999 }, (_, index) => `g${1_000_000 + index}`);
      sessionStorage.setItem("selected-codes-1", campaigns.join(" "));
    });
    await page.reload();
    await hydrated(page, "running");
    const status = page.getByRole("form", { name: "Selected codes" }).getByRole("status");
    await expect(status).toHaveText("999 selected");
    const boxes = page.locator("tbody input");
    await boxes.nth(0).check();
    await expect(status).toHaveText("1,000 selected (maximum)");
    await boxes.nth(1).click();
    await expect(boxes.nth(1)).not.toBeChecked();
    await page.getByRole("button", { name: "Deactivate", exact: true }).click();
    await expect(page.getByRole("heading", { name: /^Deactivate( 1 code)?$/ })).toBeVisible();
  },
);

/** Counts the whole rows above the bar for the selection where it sticks to the window. */
function countWholeRows(): number {
  const bar = document.querySelector("#bulk")!;
  const isStuck = getComputedStyle(bar).position === "sticky";
  const bottom = isStuck ? bar.getBoundingClientRect().top : innerHeight;
  const rows = [...document.querySelectorAll("tbody tr")];
  return rows.filter((row) => row.getBoundingClientRect().bottom <= bottom).length;
}

inSoak(test)(
  "a laptop shows eight whole rows with all their actions, and six beside chips and a selection",
  async ({ signedIn: page, visit }) => {
    await page.setViewportSize({ width: 1366, height: 768 });
    for (const view of ["page=1", "view=campaigns"]) {
      await visit(`/app/qr-list?${view}`);
      expect(await page.evaluate(countWholeRows), view).toBeGreaterThanOrEqual(8);
      for (const action of await page.getByRole("toolbar").first().locator("a, button").all())
        await expect(action).toBeInViewport({ ratio: 1 });
      await visit(`/app/qr-list?${view}&created=2m&type=single`);
      await rows(page).first().waitFor();
      await page.locator("tbody input").first().check();
      expect(await page.evaluate(countWholeRows), `${view}, chips`).toBeGreaterThanOrEqual(6);
      await page.getByRole("button", { name: "Clear", exact: true }).click();
    }
  },
);

test("Tab reaches the actions of a row within twelve stops, arrow keys move among them, and b leads to the bar", async ({
  signedIn: page,
  visit,
}) => {
  await page.setViewportSize({ width: 1366, height: 768 });
  await visit("/app/qr-list");
  const tabStops: string[] = [];
  while (tabStops.length < 12 && !tabStops.at(-1)?.startsWith("Machines of ")) {
    await page.keyboard.press("Tab");
    tabStops.push(
      await page.locator(":focus").evaluate((element: HTMLElement) => {
        const { ariaLabel, title, innerText } = element;
        return ariaLabel ?? (title || innerText);
      }),
    );
    if (tabStops.at(-1) === "Skip to the table") await page.keyboard.press("Enter");
  }
  expect(tabStops.at(-1)).toMatch(/^Machines of /);
  const stops = page
    .locator("tbody")
    .locator(
      "a[href], button:not(:disabled), input:not([type=hidden]), select, summary, [tabindex='0']",
    );
  const reachable = await stops.evaluateAll(
    (elements) =>
      elements.filter(
        (element) => element.checkVisibility() && (element as HTMLElement).tabIndex >= 0,
      ).length,
  );
  // Each of 10 rows has three: its checkbox, its name and its actions.
  expect(reachable).toBe(10 * 3);
  const toolbar = page.getByRole("toolbar").first();
  await toolbar.getByRole("link").first().focus();
  await page.keyboard.press("ArrowRight");
  await expect(toolbar.getByRole("link").nth(1)).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(toolbar.getByRole("link").last()).toBeFocused();
  // Back of the browser, which this one has no key for.
  await page.keyboard.press("Alt+ArrowLeft");
  await expect(toolbar.getByRole("link").last()).toBeFocused();
  await page.getByRole("columnheader").getByRole("link", { name: "Name" }).focus();
  await page.keyboard.press("ArrowRight");
  const byType = page.getByRole("columnheader").getByRole("link", { name: "Type" });
  await expect(byType).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(byType).toHaveAttribute("aria-current", "true");
  await expect(rows(page).first()).toContainText("Mass Gen");
  for (const name of ["One-time", "Renewable", "Created"]) {
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("columnheader").getByRole("link", { name })).toBeFocused();
  }

  await page.locator("tbody input").first().focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("b");
  await expect(page.getByRole("form", { name: "Selected codes" })).toBeFocused();
});

test("the name of a view has the focus once it is refused", async ({ signedIn: page, visit }) => {
  await visit("/app/qr-list/views");
  await page.getByRole("button", { name: "Save view" }).click();
  await expect(page.getByText("Name is required")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
});

inSoak(test)(
  "without single keys, a link leads from a ticked row to the bar",
  async ({ signedIn: page, context, app, visit }) => {
    await context.addCookies([{ name: "shortcuts", value: "off", url: app.origin }]);
    await visit("/app/qr-list");
    await page.locator("tbody input").first().focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "To the selection" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("form", { name: "Selected codes" })).toBeFocused();
  },
);

test("a view's name that is being typed outlives 'Use as default' and 'Share with colleagues'", async ({
  signedIn: page,
  context,
  database,
  visit,
}) => {
  await visit("/app/qr-list?type=single");
  await page.getByRole("link", { name: "Save this view" }).click();
  const name = page.getByRole("dialog").getByLabel("Name", { exact: true });
  await name.fill("Singles");
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByRole("link", { name: "Edit view" }).click();
  await name.fill("Only singles");
  await page.getByRole("button", { name: "Use as default" }).click();
  await expect(page.getByRole("button", { name: "Don't use as default" })).toBeFocused();
  await page.getByRole("button", { name: "Share with colleagues" }).click();
  await expect(page.getByRole("button", { name: "Stop sharing" })).toBeFocused();
  await expect(name).toHaveValue("Only singles");

  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByLabel("Name", { exact: true }).fill("One of a kind");
  await other.getByRole("button", { name: "Rename view" }).click();
  await expect(other.getByText("View successfully renamed").first()).toBeVisible();
  await page.getByRole("button", { name: "Stop sharing" }).click();
  await expect(page.getByRole("button", { name: "Share with colleagues" })).toBeVisible();
  await page.getByRole("button", { name: "Rename view" }).click();
  await expect(page.getByRole("dialog")).toContainText("Someone else changed this view");
  await expect(page.getByRole("dialog")).toContainText("One of a kind");
  await expect(name).toHaveValue("Only singles");
  await page.getByRole("button", { name: "Rename view" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByText("View successfully renamed")).toBeVisible();
  // Other tests open the list without a view of their own.
  await database.query("delete from saved_views");
});
