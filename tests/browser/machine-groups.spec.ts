import type { Page } from "playwright/test";
import { createGroup, deleteGroups, sampleSerials } from "./arrange";
import {
  expect,
  expectFocusKept,
  hydrated,
  routePosts,
  sidewaysScroll,
  test,
  testAlsoBlockedInSoak,
} from "./fixtures";
import { inSoak } from "../support/repetitions";

test.afterEach(({ context, app, database }) => deleteGroups(context, app, database));

const members = (page: Page) => page.getByRole("table", { name: "Machines of the group" });
const box = (page: Page) => page.getByLabel("Serial numbers", { exact: true });
const summary = (page: Page) => page.getByRole("alert").filter({ hasText: "There is a problem" });

testAlsoBlockedInSoak(
  test,
  "a group is created, filled by pasting and emptied with the keyboard alone",
  async ({ signedIn: page, visit, scripts, expectAccessible }) => {
    const [one, two, three] = sampleSerials;
    const name = `Central Station ${scripts}`;
    await visit("/app/machine-groups");
    await expect(page.getByText("No machine groups yet")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "New group" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "New group" })).toBeVisible();
    await hydrated(page, scripts);
    await page.getByLabel("Name", { exact: true }).focus();
    await page.keyboard.type(name);
    await page.keyboard.press("Tab");
    await expect(page.getByLabel("Site")).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await expect(page.getByLabel("Route")).toBeChecked();
    await page.keyboard.press("Enter");

    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(page.getByText("Machine group successfully created")).toBeVisible();
    await expect(page.getByText("No machines in this group yet")).toBeVisible();
    await hydrated(page, scripts);
    await box(page).focus();
    await page.keyboard.insertText(`${one!.toLowerCase()}; ${two}\nVM-nowhere, ${one}`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(summary(page)).toContainText("1 serial number is unknown.");
    await expect(summary(page)).toBeFocused();
    await expect(box(page)).toHaveValue("VM-nowhere");
    await expect(page.getByText("Added (2)")).toBeVisible();
    await expect(members(page).getByRole("rowheader")).toHaveText([one!, two!]);
    await expectAccessible(page);

    await box(page).fill(three!);
    await page.getByRole("button", { name: "Add machines" }).click();
    await expect(page.getByText(`1 machine added: ${three}.`)).toBeVisible();
    await expect(box(page)).toHaveValue("");
    await expect(members(page).getByRole("rowheader")).toHaveCount(3);
    await expectFocusKept(page);
    await hydrated(page, scripts);

    await page.getByRole("button", { name: "Remove selected machines" }).click();
    await expect(page.getByText("Choose at least one machine to remove")).toBeVisible();
    await hydrated(page, scripts);
    if (scripts === "running") {
      await page.getByLabel("Select this page").check();
      await expect(page.getByText("3 selected")).toBeVisible();
      await page.getByRole("button", { name: "Clear" }).click();
      await expect(page.getByText("3 selected")).toBeHidden();
    }
    for (const serial of [one, two, three]) await page.getByLabel(`Select ${serial}`).check();
    await page.getByRole("button", { name: "Remove selected machines" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByText(`3 machines removed: ${one}, ${two}, ${three}.`)).toBeVisible();
    await expect(page.getByText("No machines in this group yet")).toBeVisible();
    await expectFocusKept(page);
    await expect(page.getByText("Machines removed", { exact: true })).toBeVisible();
  },
);

inSoak(test)(
  "the rest of a paste stays with its corrections after an attempt without an answer, a search and a removal",
  async ({ signedIn: page, visit, context, app }) => {
    const id = await createGroup(context, app, "Corrected", sampleSerials.slice(0, 1));
    await visit(`/app/machine-groups/${id}?add=paste`);
    await box(page).fill("VM-nowhere");
    await page.getByRole("button", { name: "Add machines" }).click();
    await expect(summary(page)).toBeFocused();
    await box(page).fill("VM-corrected");
    const posted = `**/app/machine-groups/${id}**`;
    await routePosts(page, posted, (route) => route.abort());
    await page.getByRole("button", { name: "Add machines" }).click();
    await expect(page.getByText(/^No answer from the server/)).toBeVisible();
    await expect(box(page)).toHaveValue("VM-corrected");
    await page.unroute(posted);

    await page.getByRole("searchbox", { name: "Search machines" }).fill("VM");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/search=VM/);
    await expect(box(page)).toHaveValue("VM-corrected");
    await page.getByLabel(`Select ${sampleSerials[0]}`).check();
    await page.getByRole("button", { name: "Remove selected machines" }).click();
    await expect(page.getByText(`1 machine removed: ${sampleSerials[0]}.`)).toBeVisible();
    await expect(box(page)).toHaveValue("VM-corrected");

    await box(page).fill(sampleSerials[1]!);
    await page.getByRole("button", { name: "Add machines" }).click();
    await expect(page.getByText(`1 machine added: ${sampleSerials[1]}.`)).toBeVisible();
    await expect(box(page)).toHaveValue("");
  },
);

inSoak(test)(
  "no page of groups scrolls sideways at 320 px, even with long names",
  async ({ signedIn: page, visit, context, app, expectAccessible }) => {
    const name = "Unbreakable".repeat(12);
    const id = await createGroup(context, app, name, sampleSerials.slice(0, 3));
    await page.setViewportSize({ width: 320, height: 800 });
    for (const address of [
      "/app/machine-groups",
      "/app/machine-groups/new",
      `/app/machine-groups/${id}`,
      `/app/machine-groups/${id}?add=list`,
      `/app/machine-groups/${id}/delete`,
      "/app/qr-generation",
      "/app/qr-generation/1/machines",
    ]) {
      await visit(address);
      expect(await sidewaysScroll(page), address).toBe(0);
    }
    await visit(`/app/machine-groups/${id}?add=list`);
    await expectAccessible(page);
  },
);

/** Saves the form of a group's page with another kind. */
async function saveKind(page: Page, kind: string): Promise<void> {
  await page.getByText("Edit name or kind").click();
  await page.getByLabel(kind).check();
  await page.getByRole("button", { name: "Save changes" }).click();
}

inSoak(test)(
  "Back to a form shows what somebody else saved in the place of what was saved before",
  async ({ signedIn: page, visit, context, app, database }) => {
    const id = await createGroup(context, app, "Changed elsewhere");
    await visit(`/app/machine-groups/${id}`);
    await saveKind(page, "Route");
    await expect(page.getByText("successfully")).toBeVisible();
    await database.query(
      "update machine_groups set kind = 'site', version = version + 1 where id = $1",
      [id],
    );
    await page.goto("/healthz");
    await page.goBack();
    await expect(page.getByLabel("Site")).toBeChecked();
  },
);

test("a group that somebody else deleted leads to an error page that has the focus, and Back to its list", async ({
  signedIn: page,
  visit,
  context,
  app,
  database,
}) => {
  await createGroup(context, app, "Deleted elsewhere");
  await visit("/app/machine-groups");
  await deleteGroups(context, app, database);
  await page.getByRole("link", { name: "Deleted elsewhere" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "no longer exists" })).toBeFocused();
  await expect(page.getByRole("status").filter({ hasText: "no longer exists" })).toHaveCount(1);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Machine groups" })).toBeFocused();
});

inSoak(test)(
  "a message that was dismissed stays away when an error page follows",
  async ({ signedIn: page, visit, context, app, database }) => {
    const id = await createGroup(context, app, "Saved, then deleted elsewhere");
    await visit(`/app/machine-groups/${id}`);
    await saveKind(page, "Route");
    await page.getByRole("button", { name: "Dismiss" }).click();
    await deleteGroups(context, app, database);
    await saveKind(page, "Site");
    await expect(page.getByText("Machine group not found")).toBeVisible();
    await expect(page.getByText("successfully")).toHaveCount(0);
  },
);

test("groups are searched and selected together with machines where codes are created", async ({
  signedIn: page,
  visit,
  context,
  app,
}) => {
  for (const name of ["Route 03", "Route 17"]) await createGroup(context, app, name);
  await visit("/app/qr-generation");
  const panel = (name: string) => page.getByRole("region", { name });
  await page.getByLabel("Name", { exact: true }).fill("Kept");
  await panel("Available Machines").getByLabel("Route 03").click();
  await expect(panel("Selected Machines").getByLabel("Route 03")).toBeChecked();
  await expect(panel("Available Machines").getByLabel("Route 17")).toBeFocused();
  await expect(panel("Selected Machines")).toContainText("No machines selected directly.");
  const search = page.getByLabel("Search machines");
  await search.fill("route 17");
  await search.press("Enter");
  await expect(panel("Available Machines").getByRole("listitem")).toHaveText(/Route 17/);
  await expect(panel("Available Machines")).toContainText("No machine matches the search.");
  await page.getByRole("button", { name: "Unselect All" }).click();
  await expect(panel("Selected Machines").getByRole("checkbox")).toHaveCount(0);
  await search.fill("");
  await expect(panel("Available Machines").getByLabel("Route 03")).not.toBeChecked();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Kept");
});
