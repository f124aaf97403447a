import type { Page } from "playwright/test";
import { inSoak, repetitions } from "../support/repetitions";
import { createGroup, createPromotion, deleteGroups, sampleSerials } from "./arrange";
import {
  expect,
  expectFocusKept,
  expectModalGivesFocusBack,
  garblePosts,
  heldRoute,
  routePosts,
  sidewaysScroll,
  test as base,
  testAlsoBlockedInSoak,
} from "./fixtures";

const assigned = (page: Page) => page.getByRole("region", { name: /Assigned Machines/ });
const available = (page: Page) => page.getByRole("region", { name: /Available Machines/ });
const dialogForm = (page: Page) => page.getByRole("form", { name: "Machines of this code" });
const machinesIn = (list: ReturnType<typeof assigned>) => list.getByRole("listitem");

declare global {
  interface Window {
    scheduledRenders: { hold(): void; release(): void };
  }
}

/** Lets a page hold back the messages by which React's scheduler goes on, as a busy processor does. */
function holdScheduledRenders() {
  const { postMessage } = MessagePort.prototype;
  let held: (() => void)[] | null = null;
  MessagePort.prototype.postMessage = function (...message: [unknown]) {
    const send = () => postMessage.apply(this, message);
    if (held) held.push(send);
    else send();
  };
  window.scheduledRenders = {
    hold: () => (held = []),
    release() {
      const messages = held ?? [];
      held = null;
      for (const send of messages) send();
    },
  };
}

const test = base.extend<{
  /** Creates a promotion and opens its dialog from the list; with scripts it is a modal. */
  openDialogOf: (name: string) => Promise<void>;
}>({
  openDialogOf: async ({ signedIn: page, openListOf, scripts }, use) => {
    await use(async (name) => {
      await openListOf(name);
      await page.getByRole("link", { name: `Machines of ${name}` }).click();
      await expect(page.getByRole("heading", { name: "Manage Machines" })).toBeVisible();
      await expect(available(page)).toBeVisible();
      if (scripts === "running") await expect(page.getByRole("dialog")).toBeVisible();
      else await expect(page).toHaveTitle("Manage Machines - QR List - Promo Console");
    });
  },
});

testAlsoBlockedInSoak(
  test,
  "machines are added, removed with the keyboard and unassigned after a question, and the focus is kept",
  async ({ signedIn: page, openDialogOf, scripts, expectAccessible }) => {
    const name = `Machines ${scripts}`;
    await openDialogOf(name);
    for (const index of [0, 1, 2]) await available(page).getByRole("checkbox").nth(index).check();
    if (scripts === "running") await expect(page.getByText("Selected: 3")).toBeVisible();
    await page.getByRole("button", { name: "Add Selected" }).click();
    await expect(page.getByText("Machines successfully added")).toBeVisible();
    await expect(machinesIn(assigned(page))).toHaveCount(3);
    await expect(page.getByText("Selected: 0")).toBeVisible();
    await expectFocusKept(page);

    const removals = assigned(page).getByRole("button", { name: /^Remove/ });
    const second = await removals.nth(1).getAttribute("value");
    await removals.first().focus();
    await page.keyboard.press("Enter");
    await expect(machinesIn(assigned(page))).toHaveCount(2);
    await expectFocusKept(page);
    if (scripts === "running") {
      await expect(page.locator(`[value="${second}"]`)).toBeFocused();
      // The same words in a new element are announced again.
      const message = page.getByText("Machine successfully removed");
      await message.evaluate((element) => element.setAttribute("data-earlier", ""));
      await page.keyboard.press("Enter");
      await expect(machinesIn(assigned(page))).toHaveCount(1);
      await expect(page.locator("[data-earlier]")).toHaveCount(0);
      await expect(message).toBeVisible();
    }

    const question = page.getByText(
      "Are you sure you want to unassign all machines from this promotion?",
    );
    await page.getByRole("button", { name: "Unassign All" }).click();
    await expect(question).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await expect(question).toBeHidden();
    await page.getByRole("button", { name: "Unassign All" }).click();
    await page.getByRole("button", { name: "Yes, unassign all" }).click();
    await expect(machinesIn(assigned(page))).toHaveCount(0);
    await expect(question).toBeHidden();
    await expectFocusKept(page);
    await page.getByRole("link", { name: "Close" }).last().click();
    await expect(page.getByRole("row").filter({ hasText: name })).toContainText("Not assigned");
  },
);

inSoak(test)(
  "Escape in the question of Unassign All answers it with Cancel, and keeps the dialog with its ticks",
  async ({ signedIn: page, openDialogOf }) => {
    await openDialogOf("Asked");
    await available(page).getByRole("checkbox").first().check();
    await page.getByRole("button", { name: "Add Selected" }).click();
    await expect(machinesIn(assigned(page))).toHaveCount(1);
    const box = available(page).getByRole("checkbox").first();
    await box.check();
    await page.getByRole("button", { name: "Unassign All" }).click();
    await expect(page.getByRole("button", { name: "Cancel", exact: true })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("group", { name: /^Are you sure/ })).toBeHidden();
    await expect(page.getByRole("button", { name: "Unassign All" })).toBeFocused();
    await expect(box).toBeChecked();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  },
);

inSoak(test)(
  "groups are added together with machines, removed, and unassigned with all machines",
  async ({ signedIn: page, openDialogOf, context, database, app, scripts, expectAccessible }) => {
    const name = `Grouped ${scripts}`;
    await createGroup(context, app, `North ${scripts}`, sampleSerials.slice(0, 3));
    await createGroup(context, app, `South ${scripts}`, sampleSerials.slice(2, 6));
    await openDialogOf(name);
    const groupBox = (group: string) => available(page).getByLabel(`${group} ${scripts}`);
    await expect(page.getByText("Assigned to 0 machines")).toBeVisible();
    await groupBox("North").check();
    await groupBox("South").check();
    await available(page).locator(`[value="${sampleSerials[0]}"]`).check();
    if (scripts === "running") await expect(page.getByText("Selected: 3")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Add Selected" }).click();
    await expect(page.getByText("Machines and groups successfully added")).toBeVisible();
    await expect(
      page.getByText("Redeemable at 6 machines: 1 directly, 5 through 2 groups"),
    ).toBeVisible();
    const assignedGroups = assigned(page).getByRole("list", { name: /^Groups/ });
    await expect(assignedGroups.getByRole("listitem")).toHaveCount(2);
    await expect(available(page).getByRole("list", { name: /^Groups/ })).toHaveCount(0);
    await expectFocusKept(page);
    await expectAccessible(page);

    await page.getByRole("button", { name: `Remove the group North ${scripts}` }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByText("Group successfully removed")).toBeVisible();
    await expect(
      page.getByText("Redeemable at 5 machines: 1 directly, 4 through 1 group"),
    ).toBeVisible();
    await expect(groupBox("North")).toBeVisible();
    await expectFocusKept(page);
    await deleteGroups(context, app, database);
  },
);

inSoak(test)(
  "the search ignores case, sorts both lists and keeps the ticks",
  async ({ signedIn: page, openDialogOf }) => {
    const name = "Searched";
    await openDialogOf(name);
    const last = machinesIn(available(page)).last();
    const wanted = await last.getByRole("checkbox").getAttribute("value");
    await available(page).getByRole("checkbox").nth(3).check();
    const search = page.getByLabel("Search machines");
    await search.fill(wanted!.toLowerCase());
    await search.press("Enter");
    await expect(machinesIn(available(page)).first()).toContainText(wanted!);
    await expect(machinesIn(available(page))).toHaveCount(24);
    await expect(page.getByText("Matching: 0 assigned, 1 available.")).toBeVisible();
    await expect(page.getByText("Selected: 1")).toBeVisible();
    await expect(available(page).getByRole("checkbox", { checked: true })).toHaveCount(1);
    await expect(search).toHaveValue(wanted!.toLowerCase());
    await expect(search).toBeFocused();
    await page.getByRole("button", { name: "Add Selected" }).click();
    await expect(page.getByText("Machines successfully added")).toBeVisible();
    await expect(machinesIn(assigned(page))).toHaveCount(1);
    await expect(search).toHaveValue(wanted!.toLowerCase());
  },
);

inSoak(test)(
  "a button that is pressed before the lists are read again takes effect afterwards",
  async ({ signedIn: page, openDialogOf }) => {
    await openDialogOf("Impatient");
    const { hold, release } = heldRoute();
    await page.route("**/machines?**_data**", (route) =>
      route.request().method() === "GET" ? hold(route) : route.continue(),
    );
    await available(page).getByRole("checkbox").first().check();
    await page.getByRole("button", { name: "Add Selected" }).click();
    await expect(page.getByText("Machines successfully added")).toBeVisible();
    await page.getByRole("button", { name: "Unassign All" }).click();
    await page.getByRole("button", { name: "Yes, unassign all" }).click();
    release();
    await expect(page.getByText("All machines successfully unassigned")).toBeVisible();
    await expect(machinesIn(assigned(page))).toHaveCount(0);
  },
);

/** Waits until no answer of a form is on its way, and no list is read again. */
const fetchersAreIdle = (page: Page) =>
  page.waitForFunction(() =>
    [...window.__remixRouter!.state.fetchers.values()].every(({ state }) => state === "idle"),
  );

inSoak(test)(
  "a removal is reported when its row is gone before React renders the answer",
  async ({ signedIn: page, openDialogOf }) => {
    await page.addInitScript(holdScheduledRenders);
    await openDialogOf("Rendered late");
    await available(page).getByRole("checkbox").first().check();
    await page.getByRole("button", { name: "Add Selected" }).click();
    await expect(page.getByText("Machines successfully added")).toBeVisible();
    const remove = assigned(page).getByRole("button", { name: /^Remove/ });
    await expect(remove).toBeVisible();
    await fetchersAreIdle(page);

    await page.evaluate(() => window.scheduledRenders.hold());
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await remove.click();
    await answered;
    await fetchersAreIdle(page);
    await page.evaluate(() => window.scheduledRenders.release());
    await expect(page.getByText("Machine successfully removed")).toBeVisible();
    await expect(machinesIn(assigned(page))).toHaveCount(0);
  },
);

inSoak(test)(
  "adding without a selection asks for one and keeps the lists",
  async ({ signedIn: page, openDialogOf }) => {
    const name = "Unticked";
    await openDialogOf(name);
    await page.getByRole("button", { name: "Add Selected" }).click();
    await expect(page.getByText("Choose at least one machine.")).toBeVisible();
    const [one, other] = [await assigned(page).boundingBox(), await available(page).boundingBox()];
    expect([one!.y, one!.width, one!.height]).toEqual([other!.y, other!.width, other!.height]);
    await expect(machinesIn(available(page))).toHaveCount(24);
    await expectFocusKept(page);
  },
);

test("the dialog never scrolls sideways at 320 px, and Tab reaches every control", async ({
  signedIn: page,
  visit,
  app,
}) => {
  const name = "Sommerferienaktionsgutschein".repeat(3);
  const { id } = await createPromotion(app, name);
  await page.setViewportSize({ width: 320, height: 800 });
  await visit(`/app/qr-list/${id}/machines`);
  await expect(page.getByRole("heading", { name: "Manage Machines" })).toBeVisible();
  expect(await sidewaysScroll(page)).toBe(0);
  const search = page.getByLabel("Search machines");
  await search.focus();
  for (const control of ["Search", "Refresh"]) {
    await page.keyboard.press("Tab");
    await expect(
      dialogForm(page).getByRole("button", { name: control, exact: true }),
    ).toBeFocused();
  }
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip the machine list" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(available(page).getByRole("checkbox").first()).toBeFocused();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Add Selected" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Machines successfully added")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/app/qr-list/${id}/machines`));
});

inSoak(test)(
  "a search that failed is tried again, not the lists without it",
  async ({ signedIn: page, openListOf }) => {
    await openListOf("Searched again");
    await page
      .getByRole("link", { name: /^Machines of / })
      .first()
      .click();
    await expect(available(page)).toBeVisible();
    const isRead = (url: URL) =>
      url.pathname.endsWith("/machines") && url.searchParams.has("_data");
    await page.route(isRead, (route) =>
      route.fulfill({ contentType: "application/json", body: "{" }),
    );
    await dialogForm(page).getByRole("searchbox").fill("VM-10431");
    await dialogForm(page).getByRole("button", { name: "Search" }).click();
    await expect(page.getByText("Failed to load machines")).toBeVisible();
    await page.unroute(isRead);
    const request = page.waitForRequest((sent) => isRead(new URL(sent.url())));
    await page.getByRole("button", { name: "Try again" }).click();
    expect((await request).url()).toContain("=VM-10431");
  },
);

test("the modal says that it can't be read, gives the focus back, shows a change at once, and undoes it with the reason", async ({
  signedIn: page,
  openListOf,
}) => {
  await openListOf("Optimistic");
  const trigger = page.getByRole("link", { name: /^Machines of / }).first();
  await page.route("**/machines?**_data**", (route) =>
    route.fulfill({ contentType: "application/json", body: "{" }),
  );
  await trigger.click();
  await expect(page.getByText("Failed to load machines")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.unroute("**/machines?**_data**");
  const dialog = page.getByRole("dialog", { name: "Manage Machines" });
  await expectModalGivesFocusBack(trigger, repetitions(2, 10), dialog);
  await trigger.click();
  await expect(available(page)).toBeVisible();
  const before = await assigned(page).getByRole("listitem").count();
  const box = available(page).getByRole("checkbox").first();
  const serial = await box.getAttribute("value");
  await box.check();

  const { hold, release } = heldRoute((route) => route.abort());
  await routePosts(page, "**/machines?**_data**", hold);
  await page.getByRole("button", { name: "Add Selected" }).click();
  await expect(assigned(page).getByRole("listitem")).toHaveCount(before + 1);
  await expect(assigned(page).getByText("Adding...")).toBeVisible();
  release();
  await expect(page.getByText(/^No answer from the server\./)).toBeVisible();
  await expect(assigned(page).getByRole("listitem")).toHaveCount(before);
  await expect(available(page).locator(`[value="${serial}"]`)).toBeChecked();
  await expect(page.getByText("Selected: 1")).toBeVisible();
  await page.unroute("**/machines?**_data**");

  await garblePosts(page, "**/machines?**_data**");
  await page.getByRole("button", { name: "Add Selected" }).click();
  await expect(page.getByText("Error adding machines")).toBeVisible();
  await page.unroute("**/machines?**_data**");
  await page.getByRole("button", { name: "Add Selected" }).click();
  await expect(page.getByText("Machines successfully added")).toBeVisible();

  await garblePosts(page, "**/machines?**_data**");
  const removal = assigned(page).locator(`button[value="remove:${serial}"]`);
  await removal.click();
  await expect(page.getByText("Error removing machine")).toBeVisible();
  await expect(removal).toBeVisible();
  await page.getByRole("button", { name: "Unassign All" }).click();
  await page.getByRole("button", { name: "Yes, unassign all" }).click();
  await expect(page.getByText("Error removing all machines")).toBeVisible();
  await expect(removal).toBeVisible();
  await expect(page.getByRole("dialog")).toBeVisible();
});
