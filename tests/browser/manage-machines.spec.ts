import type { Page } from "playwright/test";
import { admin, expect, hydrated, test } from "./fixtures";
import { deleteGroups, makeGroup, sampleSerials } from "./groups-by-hand";

type Scripts = "off" | "blocked" | "running";

/** Makes a promotion through the API. */
async function make(origin: string, name: string, machines: string[] = []): Promise<string> {
  const send = async (path: string, body: unknown, token = "") => {
    const answer = await fetch(origin + path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as { token: string; id: number };
  };
  const { token } = await send("/auth/signin/local", admin);
  const promotion = { promotionName: name, discount: 10, discount_type: "percentage", machines };
  return String((await send("/api/create_promotion", promotion, token)).id);
}

const assigned = (page: Page) => page.getByRole("region", { name: /Assigned Machines/ });
const available = (page: Page) => page.getByRole("region", { name: /Available Machines/ });
const dialogForm = (page: Page) => page.getByRole("form", { name: "Machines of this promotion" });
const machinesIn = (list: ReturnType<typeof assigned>) => list.getByRole("listitem");

/** From the list, as people do: with scripts it is a modal. */
async function openDialog(page: Page, name: string, scripts: Scripts) {
  await page.goto("/app/qr-list");
  await hydrated(page, scripts);
  await page.getByRole("link", { name: `Machines of ${name}` }).click();
  await expect(page.getByRole("heading", { name: "Manage Machines" })).toBeVisible();
  await expect(available(page)).toBeVisible();
  if (scripts === "running") await expect(page.getByRole("dialog")).toBeVisible();
  else await expect(page).toHaveTitle("Manage Machines - QR List - Promo Console");
}

async function focusIsSomewhere(page: Page, scripts: Scripts) {
  if (scripts === "off") return;
  await expect(page.locator("body")).not.toBeFocused();
}

test("machines are added, removed one by one, and all at once after a question", async ({
  signedIn: page,
  app,
  scripts,
  expectAccessible,
}) => {
  const name = `Machines ${scripts}`;
  await make(app.origin, name);
  await openDialog(page, name, scripts);
  await expect(page.getByText("No machine assigned: no machine accepts this code.")).toBeVisible();
  await expect(machinesIn(available(page))).toHaveCount(24);
  await expect(page.getByText("Selected: 0")).toBeVisible();
  await expectAccessible(page);

  for (const index of [0, 1, 2]) await available(page).getByRole("checkbox").nth(index).check();
  if (scripts === "running") await expect(page.getByText("Selected: 3")).toBeVisible();
  await page.getByRole("button", { name: "Add Selected" }).click();
  await expect(page.getByText("Machines successfully added")).toBeVisible();
  await expect(machinesIn(assigned(page))).toHaveCount(3);
  await expect(machinesIn(available(page))).toHaveCount(21);
  await expect(page.getByText("Selected: 0")).toBeVisible();
  await focusIsSomewhere(page, scripts);
  await expectAccessible(page);

  const removals = assigned(page).getByRole("button", { name: /^Remove/ });
  const second = await removals.nth(1).getAttribute("value");
  await removals.first().focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Machine successfully removed")).toBeVisible();
  await expect(machinesIn(assigned(page))).toHaveCount(2);
  await focusIsSomewhere(page, scripts);
  if (scripts === "running") await expect(page.locator(`[value="${second}"]`)).toBeFocused();

  const question = page.getByText(
    "Are you sure you want to unassign all machines from this promotion?",
  );
  await page.getByRole("button", { name: "Unassign All" }).click();
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Keep them" }).click();
  await expect(question).toBeHidden();
  await expect(machinesIn(assigned(page))).toHaveCount(2);
  await page.getByRole("button", { name: "Unassign All" }).click();
  await page.getByRole("button", { name: "Yes, unassign all" }).click();
  await expect(page.getByText("All machines successfully unassigned")).toBeVisible();
  await expect(machinesIn(assigned(page))).toHaveCount(0);
  await expect(question).toBeHidden();
  await focusIsSomewhere(page, scripts);

  await page.getByRole("link", { name: "Close" }).last().click();
  await expect(page.getByRole("row").filter({ hasText: name })).toContainText("Not assigned");
});

test("groups are added together with machines, removed, and unassigned with all", async ({
  signedIn: page,
  app,
  scripts,
  expectAccessible,
}) => {
  const name = `Grouped ${scripts}`;
  const serials = await sampleSerials(page.context(), app);
  await makeGroup(page.context(), app, `North ${scripts}`, serials.slice(0, 3));
  await makeGroup(page.context(), app, `South ${scripts}`, serials.slice(2, 6));
  await make(app.origin, name);
  await openDialog(page, name, scripts);
  const groupBox = (group: string) => available(page).getByLabel(`${group} ${scripts}`);
  await expect(page.getByText("0 machines accept it.")).toBeVisible();
  await groupBox("North").check();
  await groupBox("South").check();
  await available(page).locator(`[value="${serials[0]}"]`).check();
  if (scripts === "running") await expect(page.getByText("Selected: 3")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add Selected" }).click();
  await expect(page.getByText("Machines and groups successfully added")).toBeVisible();
  await expect(
    page.getByText("6 machines accept it: 1 by itself, 5 through 2 groups."),
  ).toBeVisible();
  const assignedGroups = assigned(page).getByRole("list", { name: "Assigned groups" });
  await expect(assignedGroups.getByRole("listitem")).toHaveCount(2);
  await expect(available(page).getByRole("list", { name: /^Groups/ })).toHaveCount(0);
  await focusIsSomewhere(page, scripts);
  await expectAccessible(page);

  await page.getByRole("button", { name: `Remove the group North ${scripts}` }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Group successfully removed")).toBeVisible();
  await expect(
    page.getByText("5 machines accept it: 1 by itself, 4 through 1 group."),
  ).toBeVisible();
  await expect(groupBox("North")).toBeVisible();
  await focusIsSomewhere(page, scripts);
  await groupBox("North").check();
  await page.getByRole("button", { name: "Add Selected" }).click();
  await expect(page.getByText("Groups successfully added")).toBeVisible();
  const search = page.getByLabel("Search machines");
  await page.getByRole("button", { name: "Unassign All" }).click();
  await page.getByRole("button", { name: "Yes, unassign all" }).click();
  await expect(page.getByText("All machines successfully unassigned")).toBeVisible();
  await expect(page.getByText("No machine assigned: no machine accepts this code.")).toBeVisible();
  await search.fill("south");
  await search.press("Enter");
  await expect(
    available(page)
      .getByRole("list", { name: /^Groups/ })
      .getByRole("listitem")
      .first(),
  ).toContainText(`South ${scripts}`);
  await deleteGroups(page.context(), app);
});

test("the search sorts both lists, whatever the case, and keeps the ticks", async ({
  signedIn: page,
  app,
  scripts,
}) => {
  const name = `Searched ${scripts}`;
  await make(app.origin, name);
  await openDialog(page, name, scripts);
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
});

test("a refresh is answered once in 30 s", async ({ signedIn: page, app, scripts }) => {
  test.setTimeout(90_000);
  const name = `Refreshed ${scripts}`;
  await make(app.origin, name);
  await openDialog(page, name, scripts);
  const refresh = dialogForm(page).getByRole("button", { name: "Refresh" });
  const wait = page.getByText(/^Please wait \d+ seconds before refreshing again\.$/);
  const done = page.getByText("Data refreshed successfully");
  // Another test may have just refreshed as the same person; a refused press doesn't prolong the limit.
  await expect(async () => {
    await refresh.click();
    await expect(done).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  // The message comes before the rows have been read again, and until then a press counts for nothing.
  await expect(refresh).not.toHaveAttribute("aria-disabled", "true");
  await refresh.click();
  await expect(wait).toBeVisible();
  await focusIsSomewhere(page, scripts);
});

test("nothing ticked is said, and nothing is lost", async ({ signedIn: page, app, scripts }) => {
  const name = `Unticked ${scripts}`;
  await make(app.origin, name);
  await openDialog(page, name, scripts);
  await page.getByRole("button", { name: "Add Selected" }).click();
  await expect(page.getByText("Choose at least one machine.")).toBeVisible();
  await expect(machinesIn(available(page))).toHaveCount(24);
  await focusIsSomewhere(page, scripts);
});

test("at 320 px nothing scrolls sideways, and Tab reaches every control", async ({
  signedIn: page,
  app,
  scripts,
}) => {
  const name = `Narrow ${scripts}`;
  const id = await make(app.origin, name);
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(`/app/qr-list/${id}/machines`);
  await hydrated(page, scripts);
  await expect(page.getByRole("heading", { name: "Manage Machines" })).toBeVisible();
  if (scripts !== "off")
    expect(
      await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
    ).toBe(0);
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

test("a copy fills the form and leaves the name to its maker", async ({
  signedIn: page,
  app,
  scripts,
  expectAccessible,
}) => {
  const name = `Original ${scripts}`;
  await page.goto("/app/qr-generation");
  const serial = (await page
    .locator("input[name=machines]")
    .first()
    .getAttribute("value")) as string;
  const id = await make(app.origin, name, [serial]);
  await page.goto(`/app/qr-generation?from=${id}`);
  await hydrated(page, scripts);
  await expect(page.getByText(new RegExp(`A copy of ${name} \\(.{14}\\)`))).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("");
  await expect(page.getByLabel("Percentage off")).toHaveValue("10");
  await expect(page.locator(`input[name=machines][value="${serial}"]`)).toBeChecked();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create promotion" }).click();
  await expect(page.getByRole("link", { name: "Name is required" })).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill(`Copy ${scripts}`);
  await page.getByRole("button", { name: "Create promotion" }).click();
  const row = page.getByRole("row").filter({ hasText: `Copy ${scripts}` });
  await expect(row).toContainText("10%");
  await expect(row).toContainText("Active");
});
