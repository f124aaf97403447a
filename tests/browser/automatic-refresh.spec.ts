import type { Page } from "playwright/test";
import { createPromotion } from "./arrange";
import { expect, heldRoute, test as base } from "./fixtures";
import { inSoak, repetitions } from "../support/repetitions";

const test = base.extend<{
  /** Opens the list with a clock that the test moves; returns how often it is read from then on. */
  openMachines: (address?: string) => Promise<{ count: number }>;
  /** Gives a machine another name without the page knowing; its own name returns after the test. */
  rename: (name: string) => Promise<void>;
}>({
  openMachines: async ({ signedIn: page, visit }, use) => {
    await use(async (address = "/app/machines") => {
      await page.clock.install();
      await visit(address);
      await expect(pause(page).or(resume(page))).toBeVisible();
      return countReads(page);
    });
  },

  rename: async ({ database }, use) => {
    const rename = async (name: string) => {
      await database.query("update machines set human_name = $1 where serial_number = 'VM-10431'", [
        name,
      ]);
    };
    const { rows } = await database.query<{ human_name: string }>(
      "select human_name from machines where serial_number = 'VM-10431'",
    );
    await use(rename);
    await rename(rows[0]!.human_name);
  },
});

// A clock that is installed stays in its context.
test.use({ hasOwnContext: true });

const second = 1_000;
const minute = 60 * second;

const first = (page: Page) => page.getByRole("row").filter({ hasText: "VM-10431" });
const pause = (page: Page) => page.getByRole("button", { name: "Pause automatic refresh" });
const resume = (page: Page) => page.getByRole("button", { name: "Resume automatic refresh" });

/** Lets refreshes fall due until something holds: requests take real time. */
async function eventually(page: Page, isSo: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(2 * minute);
    await isSo();
  }).toPass({ intervals: [200] });
}
const soon = { timeout: 500 };

/** Counts how often the list is read. */
function countReads(page: Page, route = "routes/app.machines") {
  const reads = { count: 0 };
  page.on("request", (request) => {
    if (new URL(request.url()).searchParams.get("_data") === route) reads.count += 1;
  });
  return reads;
}

test("the list is read again every two minutes, and a row that moves keeps the focus", async ({
  signedIn: page,
  openMachines,
  rename,
}) => {
  await rename("Aardvark House");
  const reads = await openMachines("/app/machines?sort=name");
  const machines = page.getByRole("rowheader");
  await expect(machines.first()).toHaveText("VM-10431");
  const link = first(page).getByRole("link", { name: "VM-10431", exact: true });
  await link.focus();
  await rename("Zoo");
  await page.clock.fastForward(2 * minute - 5 * second);
  await expect(first(page)).toContainText("Aardvark House");
  await page.clock.fastForward(10 * second);
  await expect(first(page)).toContainText("Zoo");
  await expect(machines.last()).toHaveText("VM-10431");
  await expect(link).toBeFocused();
  await rename("Moor");
  await eventually(page, () => expect(first(page)).toContainText("Moor", soon));
  await expect(link).toBeFocused();

  // Another control gets the focus before the rows arrive.
  const { hold, release } = heldRoute();
  const isList = (url: URL) => url.searchParams.get("_data") === "routes/app.machines";
  await page.route(isList, hold);
  await rename("Elm");
  const before = reads.count;
  await eventually(page, async () => expect(reads.count).toBeGreaterThan(before));
  await pause(page).focus();
  release();
  await expect(first(page)).toContainText("Elm");
  await expect(pause(page)).toBeFocused();
});

test("the automatic refresh waits while somebody types, and keeps what is typed", async ({
  signedIn: page,
  openMachines,
  rename,
}) => {
  await rename("Before typing");
  const reads = await openMachines();
  await rename("After typing");
  await page.clock.fastForward(2 * minute - 2 * second);
  const field = page.getByLabel("Name");
  await field.pressSequentially("cent");
  await page.clock.fastForward(4 * second);
  expect(reads.count).toBe(0);
  await field.press("r");
  await page.clock.fastForward(4 * second);
  expect(reads.count).toBe(0);
  await page.clock.fastForward(20 * second);
  await expect(first(page)).toContainText("After typing");
  await expect(field).toHaveValue("centr");
  await expect(field).toBeFocused();
});

inSoak(test)(
  "the automatic refresh waits while the pointer moves over the rows",
  async ({ signedIn: page, openMachines }) => {
    const reads = await openMachines();
    await page.clock.fastForward(2 * minute - 2 * second);
    await first(page).hover();
    await page.clock.fastForward(40 * second);
    expect(reads.count).toBe(0);
    // The pointer rests there without moving.
    await page.clock.fastForward(40 * second);
    await expect.poll(() => reads.count).toBe(1);
  },
);

inSoak(test)(
  "the automatic refresh waits while a dialog is open, which gives the focus back",
  async ({ signedIn: page, openMachines, expectAccessible }) => {
    const reads = await openMachines();
    const count = page.getByRole("link", { name: /active codes of VM-10431/ });
    await count.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Machine Promotions" });
    await expect(dialog).toBeVisible();
    await expectAccessible(page);
    const before = reads.count;
    await page.clock.fastForward(10 * minute);
    expect(reads.count).toBe(before);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await page.clock.runFor(second);
    await expect(count).toBeFocused();
    await eventually(page, async () => expect(reads.count).toBeGreaterThan(before));
  },
);

test("a form that somebody has begun to fill is not lost to a refresh after the session ended", async ({
  signedIn: page,
  context,
  openMachines,
}) => {
  await openMachines("/app/webhooks");
  const address = page.getByLabel("Address");
  await address.fill("https://example.com/half");
  await context.clearCookies();
  const reads = countReads(page, "routes/app.webhooks");
  await page.clock.fastForward(10 * minute);
  await expect(address).toHaveValue("https://example.com/half");
  expect(reads.count).toBe(0);
  await address.fill("");
  await page.clock.fastForward(10 * minute);
  await expect(page).toHaveURL(/\/login/);
});

function setHidden(page: Page, isHidden: boolean): Promise<void> {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

test("a hidden tab reads nothing, and reads at once when it is shown again", async ({
  signedIn: page,
  openMachines,
}) => {
  const reads = await openMachines();
  await setHidden(page, true);
  await page.clock.fastForward(30 * minute);
  expect(reads.count).toBe(0);
  await setHidden(page, false);
  await expect.poll(() => reads.count).toBe(1);
  await setHidden(page, true);
  await page.clock.fastForward(minute);
  await setHidden(page, false);
  expect(reads.count).toBe(1);
});

inSoak(test)(
  "a message is still there when its hidden tab is shown again",
  async ({ signedIn: page, visit }) => {
    await page.clock.install();
    await visit("/app/settings");
    await page.getByRole("button", { name: "Save settings" }).click();
    const message = page.getByText("Settings saved");
    await expect(message).toBeVisible();
    await setHidden(page, true);
    await page.clock.fastForward(minute);
    await expect(message).toBeVisible();
    await setHidden(page, false);
    await page.clock.fastForward(minute);
    await expect(message).toBeHidden();
  },
);

inSoak(test)(
  "progress is followed in no hidden tab, and again when it is shown",
  async ({ signedIn: page, app, visit, database }) => {
    const { id } = await createPromotion(app, "Followed");
    await page.clock.install();
    await visit(`/app/qr-list/bulk?intent=deactivate&ids=${id}`);
    const operationId = /bulk\/(\d+)/.exec(page.url())![1]!;
    // The action runs elsewhere, which the lock keeps from taking its next chunk.
    await database.query(
      `update lifecycle_operations set started_at = now() where id = ${operationId}; commit;
     begin; select from lifecycle_operations where id = ${operationId} for update`,
    );
    const reads = { count: 0 };
    page.on("request", (request) => {
      if (request.url().includes("_data=")) reads.count += 1;
    });
    await visit(`/app/qr-list/bulk/${operationId}`);
    await expect.poll(() => reads.count).toBeGreaterThan(0);
    await setHidden(page, true);
    await page.waitForLoadState("networkidle");
    const before = reads.count;
    for (let step = 0; step < 5; step++) await page.clock.fastForward(minute);
    expect(reads.count).toBe(before);
    await database.query(
      `update lifecycle_operations set done_at = now() where id = ${operationId}; commit`,
    );
    await setHidden(page, false);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("1 code deactivated");
  },
);

inSoak(test)(
  "the automatic refresh can be paused, stays paused, and can be resumed",
  async ({ signedIn: page, openMachines, expectAccessible }) => {
    await openMachines();
    await pause(page).click();
    await expect(resume(page)).toBeVisible();
    await expect(resume(page)).toBeFocused();
    await page.waitForLoadState("networkidle");
    await openMachines();
    await expect(resume(page)).toBeVisible();
    await expectAccessible(page);
    const reads = countReads(page);
    await page.clock.fastForward(10 * minute);
    expect(reads.count).toBe(0);
    await resume(page).click();
    await expect(pause(page)).toBeVisible();
    await page.waitForLoadState("networkidle");
    const before = reads.count;
    await eventually(page, async () => expect(reads.count).toBeGreaterThan(before + 1));
  },
);

inSoak(test)(
  "the automatic refresh waits for a form that is being sent",
  async ({ signedIn: page, openMachines }) => {
    await openMachines();
    await pause(page).click();
    await expect(resume(page)).toBeVisible();
    await page.waitForLoadState("networkidle");
    const reads = countReads(page);
    const { hold, release: letGo } = heldRoute();
    await page.route("**/preferences?*", hold);
    await resume(page).click();
    await expect(pause(page)).toBeVisible();
    await page.clock.fastForward(10 * minute);
    expect(reads.count).toBe(0);
    letGo();
    await expect.poll(() => reads.count).toBeGreaterThan(0);
    await expect(pause(page)).toBeVisible();
  },
);

inSoak(test)(
  "a refresh without an answer says so above the rows, until one gets an answer",
  async ({ signedIn: page, openMachines, expectAccessible }) => {
    await openMachines();
    const isList = (url: URL) => url.searchParams.get("_data") === "routes/app.machines";
    await page.route(isList, (route) => route.abort());
    await page.clock.fastForward(2 * minute + second);
    const note = page.getByText("Network error. Using cached data.", { exact: true });
    await expect(note).toBeVisible();
    await expect(first(page)).toBeVisible();
    await expectAccessible(page);

    await page.unroute(isList);
    await page.route(isList, (route) => route.fulfill({ status: 200, json: { nonsense: true } }));
    const nonsense = page.getByText(/^Received invalid data format from server\./);
    await eventually(page, () => expect(nonsense).toBeVisible(soon));

    await page.unroute(isList);
    await eventually(page, () => expect(nonsense).toHaveCount(0, soon));
    await expect(first(page)).toBeVisible();
  },
);

for (const route of ["routes/app.machines", "routes/app.webhooks"].slice(0, repetitions(1, 2)))
  test(`a refresh of ${route} that meets a limit keeps the page, which is read again later`, async ({
    signedIn: page,
    openMachines,
  }) => {
    await openMachines(route.replace("routes/app.", "/app/"));
    const reads = countReads(page, route);
    const isData = (url: URL) => url.searchParams.has("_data");
    await page.route(isData, (route) =>
      route.fulfill({ status: 429, headers: { "X-Remix-Catch": "yes" }, body: "Too many" }),
    );
    const limited = page.waitForResponse((answer) => answer.status() === 429);
    await page.clock.fastForward(2 * minute + second);
    await limited;
    await page.unroute(isData);
    await eventually(page, async () => expect(reads.count).toBeGreaterThan(1));
    await expect(pause(page)).toBeVisible();
  });

inSoak(test)(
  "a list that can't be read says so and can be tried again",
  async ({ signedIn: page, visit, expectAccessible }) => {
    await visit("/app/profile");
    const isList = (url: URL) => url.searchParams.get("_data") === "routes/app.machines";
    await page.route(isList, (route) => route.fulfill({ status: 404, body: "no" }));
    await page.getByRole("navigation", { name: "Main" }).getByText("Machines").click();
    await expect(page.getByRole("heading", { name: "Failed to load machines data" })).toBeVisible();
    await expectAccessible(page);
    await page.unroute(isList);
    await page.getByRole("link", { name: "Try Again" }).press("Enter");
    await expect(first(page)).toBeVisible();
    await expect(page.getByRole("heading", { level: 1, name: "Machines" })).toBeFocused();
  },
);

inSoak(test)(
  "a dialog that can't be read says so over the list",
  async ({ signedIn: page, visit }) => {
    await visit("/app/machines");
    await page.route(
      (url) => url.pathname.endsWith("/promotions"),
      (route) => route.fulfill({ status: 404, body: "no" }),
    );
    await page.getByRole("link", { name: /active codes of VM-10431/ }).click();
    const dialog = page.getByRole("dialog", { name: "Machine Promotions" });
    await expect(dialog).toContainText("Failed to load the codes of this machine");
    await page.unrouteAll();
    await dialog.getByRole("link", { name: "Try Again" }).click();
    await expect(dialog).toContainText("This machine accepts");
  },
);
