import type { Locator } from "playwright/test";
import { createGroup, createPromotion, postForm, sampleSerials, signIn } from "./arrange";
import { expect, test } from "./fixtures";
import {
  button,
  createIntegration,
  field,
  fillOne,
  inDialog,
  isData,
  loseAnswer,
  noAnswer,
  testLostAnswers,
  type FormCase,
  type Tools,
} from "./lost-answers";

const banner = "No connection. Your page is kept.";

async function createGeneration({ context, app }: Tools, name: string): Promise<string> {
  const fields = {
    ...{ name, num_codes: "2", discount_type: "percentage", discount_value: "5" },
    intent: "create",
  };
  const created = await postForm(context, app, "/app/qr-generation/mass", fields);
  return new URL(created.headers().location!, app.origin).pathname;
}

const groupAudit = (action: string) =>
  `select count(*) from audit_log a where a.action = 'machine_group.${action}'
     and a.subject_id = (select id from machine_groups where name like :name || '%')`;

const audited = (action: string) =>
  `select count(*) from audit_log a join promotions p on p.id = a.subject_id
   where a.action = 'promotion.${action}' and p.name like $1 || '%'`;

const forms: Record<string, FormCase> = {
  "a promotion": {
    async fill({ page, visit }, name) {
      await visit("/app/qr-generation");
      await field(page, /^Percentage off/).fill("15");
      return fillOne(field(page, "Name"), name, button(page, "Create promotion"));
    },
    outcome: "Promotion created successfully",
    countSql: "select count(*) from promotions where name = $1",
  },
  "a mass generation": {
    async fill({ page, visit }, name) {
      await visit("/app/qr-generation/mass");
      await field(page, "Number of codes").fill("2");
      await field(page, /^Percentage off/).fill("15");
      return fillOne(field(page, "Name"), name, button(page, "Generate codes"));
    },
    outcome: "QR codes generated successfully",
    countSql: "select count(*) from mass_generations where name = $1",
  },
  "the edit of a promotion": {
    async fill({ page, visit, app }, name) {
      const { id } = await createPromotion(app, name);
      await visit(`/app/qr-list/${id}`);
      await page.getByText(/^Edit name/).click();
      return fillOne(field(page, "Name"), `${name} 2`, button(page, "Save changes"));
    },
    outcome: "Promotion successfully updated",
    countSql: audited("edited"),
  },
  "deactivating on the page of a promotion": {
    async fill({ page, visit, app }, name) {
      const { id } = await createPromotion(app, name, { machines: [sampleSerials[0]!] });
      await visit(`/app/qr-list/${id}`);
      return { button: button(page, "Deactivate") };
    },
    outcome: "Promotion successfully deactivated",
    countSql: audited("deactivated"),
  },
  "deleting in the list": {
    async fill({ page, visit, app }, name) {
      await createPromotion(app, name);
      await visit("/app/qr-list");
      await page.getByRole("link", { name: `Delete ${name}` }).click();
      return inDialog(page, /^Delete/);
    },
    outcome: "This promotion is already deleted.",
    countSql: audited("deleted"),
  },
  "restoring in the list": {
    async fill({ page, visit, context, app }, name) {
      const { id } = await createPromotion(app, name);
      await postForm(context, app, `/app/qr-list/${id}/delete`, {});
      await visit("/app/qr-list?deleted=true");
      await page.getByRole("link", { name: `Restore ${name}` }).click();
      return inDialog(page, /^Restore/);
    },
    outcome: "This promotion is already restored.",
    countSql: audited("restored"),
  },
  "renaming a mass generation": {
    async fill(tools, name) {
      const path = await createGeneration(tools, name);
      await tools.visit(path);
      await tools.page.getByText(/^Edit name/).click();
      const save = button(tools.page, "Save changes");
      return fillOne(field(tools.page, "Name"), `${name} 2`, save);
    },
    outcome: "Mass Generation successfully updated",
    countSql: `select count(*) from audit_log a join mass_generations g on g.id = a.subject_id
      where a.action = 'mass_generation.renamed' and g.name like $1 || '%'`,
  },
  "deactivating a mass generation": {
    async fill(tools, name) {
      const { page, visit } = tools;
      await visit(await createGeneration(tools, name));
      await page.getByRole("main").getByText("More", { exact: true }).click();
      return { button: button(page, "Deactivate") };
    },
    outcome: "Mass Generation successfully deactivated",
    countSql: `select count(*) from audit_log a join mass_generations g on g.id = a.subject_id
      where a.action = 'mass_generation.deactivated' and g.name = $1`,
  },
  "deleting a mass generation": {
    async fill(tools, name) {
      const { page, visit } = tools;
      await visit(await createGeneration(tools, name));
      await page.getByRole("main").getByText("More", { exact: true }).click();
      await page.getByRole("link", { name: "Delete" }).click();
      return inDialog(page, /^Delete/);
    },
    outcome: /already deleted/,
    countSql: `select count(*) from audit_log a join mass_generations g on g.id = a.subject_id
      where a.action = 'mass_generation.deleted' and g.name = $1`,
  },
  "saving a view": {
    async fill({ page, visit }, name) {
      await visit("/app/qr-list/views?type=mass");
      return fillOne(field(page, "Name"), name, button(page, "Save view"));
    },
    outcome: "View successfully saved",
    countSql: "select count(*) from saved_views where name = $1",
  },
  "a bulk action": {
    async fill({ page, visit, app }, name) {
      await createPromotion(app, name, { machines: [sampleSerials[0]!] });
      await visit(`/app/qr-list/bulk?ticked=1&all=true&intent=deactivate&text=${name}`);
      return { button: page.getByRole("main").getByRole("button", { name: /^Deactivate/ }) };
    },
    outcome: "1 code deactivated",
    countSql: `select count(*) from promotions where name = $1 and not is_active and version = 2`,
  },
  "a machine group": {
    async fill({ page, visit }, name) {
      await visit("/app/machine-groups/new");
      return fillOne(field(page, "Name"), name, button(page, "Create group"));
    },
    outcome: "Machine group successfully created",
    countSql: "select count(*) from machine_groups where name = $1",
  },
  "the edit of a machine group": {
    async fill({ page, visit, context, app }, name) {
      await visit(`/app/machine-groups/${await createGroup(context, app, name)}`);
      return fillOne(field(page, "Name"), `${name} 2`, button(page, "Save changes"));
    },
    outcome: "Machine group successfully updated",
    countSql: groupAudit("edited").replace(":name", "$1"),
  },
  "pasting machines into a group": {
    async fill({ page, visit, context, app }, name) {
      await visit(`/app/machine-groups/${await createGroup(context, app, name)}`);
      const box = field(page, "Serial numbers");
      return fillOne(box, sampleSerials[0]!, button(page, "Add machines"));
    },
    outcome: /already in the group/i,
    countSql: groupAudit("machines_added").replace(":name", "$1"),
  },
  "choosing machines for a group": {
    async fill({ page, visit, context, app }, name) {
      await visit(`/app/machine-groups/${await createGroup(context, app, name)}?add=list`);
      const box = page.locator(`input[value="${sampleSerials[0]!}"]`);
      await box.check();
      return {
        button: button(page, "Add selected machines"),
        kept: () => expect(box).toBeChecked(),
      };
    },
    outcome: /already in the group/i,
    countSql: groupAudit("machines_added").replace(":name", "$1"),
  },
  "removing machines from a group": {
    async fill({ page, visit, context, app }, name) {
      const serial = sampleSerials[0]!;
      await visit(`/app/machine-groups/${await createGroup(context, app, name, [serial])}`);
      const box = page.getByLabel(`Select ${serial}`);
      await box.check();
      return {
        button: button(page, "Remove selected machines"),
        kept: () => expect(box).toBeChecked(),
      };
    },
    outcome: "They were no longer in the group.",
    countSql: groupAudit("machines_removed").replace(":name", "$1"),
  },
  "deleting a machine group": {
    async fill({ page, visit, context, app }, name) {
      await visit(`/app/machine-groups/${await createGroup(context, app, name)}`);
      await page.getByRole("link", { name: "Delete" }).click();
      return inDialog(page, /^Delete/);
    },
    outcome: "This machine group is already deleted.",
    countSql: `select count(*) from audit_log a where a.action = 'machine_group.deleted'
      and details -> 'name' ->> 'from' = $1`,
  },
  "an integration": {
    async fill({ page, visit }, name) {
      await visit("/app/integrations");
      return fillOne(field(page, "Name"), name, button(page, "Create integration"));
    },
    outcome: "Integration successfully created",
    countSql: "select count(*) from integrations where name = $1",
  },
  "a key": {
    async fill(tools, name) {
      const { page, visit } = tools;
      await visit(await createIntegration(tools, name));
      return fillOne(field(page, /^Machine/), sampleSerials[0]!, button(page, "Create key"));
    },
    outcome: /The key was created/,
    // That of the lost answer was revoked.
    countSql: `select count(*) from api_keys k join integrations i on i.id = k.integration_id
      where i.name = $1 and k.revoked_at is null`,
  },
  "revoking a key": {
    async fill(tools, name) {
      const { page, visit } = tools;
      await visit(await createIntegration(tools, name));
      await button(page, "Create key").click();
      await page.getByRole("link", { name: /^Revoke/ }).click();
      return inDialog(page, /^Revoke/);
    },
    outcome: /Key successfully revoked|already revoked/,
    countSql: `select count(*) from api_keys k join integrations i on i.id = k.integration_id
      where i.name = $1 and k.revoked_at is not null`,
  },
};

testLostAnswers(forms);

test("machines that were ticked stay ticked in the dialog, and in the page behind a lost link", async ({
  signedIn: page,
  visit,
  context,
  openListOf,
}) => {
  const serial = sampleSerials[1]!;
  const box = page.locator(`input[value="${serial}"]`);
  await openListOf("Lost machines");
  await page.getByRole("link", { name: "Machines of Lost machines" }).click();
  await box.check();
  await context.setOffline(true);
  await button(page, "Add Selected").click();
  await expect(page.getByText(noAnswer)).toBeVisible();
  await expect(box).toBeChecked();
  await context.setOffline(false);
  await page.route(isData, loseAnswer);
  const lost = page.waitForEvent("requestfailed");
  await button(page, "Add Selected").click();
  await lost;
  await expect(page.getByText(noAnswer)).toBeVisible();
  await page.unroute(isData);
  await button(page, "Add Selected").click();
  await expect(button(page, new RegExp(`^Remove .*${serial}`))).toBeVisible();

  await visit("/app/qr-generation");
  await box.check();
  await context.setOffline(true);
  await page.getByRole("link", { name: "FAQ", exact: true }).click();
  await expect(page.getByText(banner)).toBeVisible();
  await expect(box).toBeChecked();
});

test("dialogs with machine lists open at once without a connection, and say so inside", async ({
  signedIn: page,
  visit,
  context,
  app,
  database,
  openListOf,
}) => {
  const dialog = page.locator("[aria-labelledby=dialog-title]");
  const expectOpen = async (link: Locator, route: string) => {
    await page.waitForFunction((id) => id in window.__remixRouteModules, route);
    await context.setOffline(true);
    await link.click();
    await expect(dialog).toContainText("No answer from the server");
    await context.setOffline(false);
  };
  await openListOf("Lost lists");
  await expectOpen(
    page.getByRole("link", { name: "Machines of Lost lists" }),
    "routes/app.qr-list.$promotionId.machines",
  );
  await visit(await createGeneration({ page, visit, context, app, database }, "Lost lists"));
  await expectOpen(
    page.locator("#generation-machines"),
    "routes/app.qr-generation_.$generationId.machines",
  );
  await expect(dialog).toContainText("2 codes");
});

test("the small forms of lists keep the page without a connection, and work with one", async ({
  signedIn: page,
  visit,
  context,
  openListOf,
  allowRefresh,
}) => {
  await visit("/app/machines");
  const refresh = button(page, /^Refresh/);
  await context.setOffline(true);
  await refresh.click();
  await expect(page.getByText(/^Server is not available/).first()).toBeVisible();
  await context.setOffline(false);
  await expect(refresh).not.toHaveAttribute("aria-disabled", "true");
  await allowRefresh();
  await refresh.click();
  await expect(page.getByText("Data refreshed successfully")).toBeVisible();

  await openListOf("Lost downloads");
  await page.getByText("Columns", { exact: true }).click();
  const box = page.getByRole("checkbox", { name: "Renewable" });
  await box.uncheck();
  await context.setOffline(true);
  await button(page, "Apply columns").click();
  await expect(page.getByText(noAnswer).first()).toBeVisible();
  await expect(box).not.toBeChecked();

  await page.getByRole("link", { name: /^Download the QR code of Lost downloads/ }).click();
  await page.getByRole("link", { name: "Download PNG" }).click();
  await expect(page.getByText("No answer from the server. Try again.")).toBeVisible();
  await context.setOffline(false);
  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download PNG" }).click();
  await file;
});

test("what opens another document keeps the page without a connection", async ({
  page,
  visit,
  context,
}) => {
  // A session of its own, which ends with the test.
  await signIn(page);
  const open: Record<string, Locator[]> = {
    "/app/qr-list": [page.getByRole("link", { name: "Export CSV" })],
    "/app/keyboard": [button(page, /^Turn shortcuts/)],
  };
  for (const [address, controls] of Object.entries(open)) {
    await visit(address);
    await context.setOffline(true);
    for (const control of controls) await control.click();
    await expect(page.getByText(banner)).toBeVisible();
    await context.setOffline(false);
  }
  await context.setOffline(true);
  await page.locator("summary", { hasText: "Theme" }).click();
  await button(page, "Apply").click();
  await page.locator("summary", { hasText: "Profile menu" }).click();
  await button(page, "Sign out").click();
  await expect(page.getByText(banner)).toBeVisible();
  await context.setOffline(false);
  await button(page, "Sign out").click();
  await expect(page).toHaveURL(/\/login/);
});

test("a search keeps its page and what was typed without a connection", async ({
  signedIn: page,
  visit,
  context,
}) => {
  const fields = {
    "/app/check": "code",
    "/app/qr-generation/1/labels": "first",
    "/app/transactions": "promotion",
  };
  for (const [address, name] of Object.entries(fields)) {
    await visit(address);
    const input = page.locator(`input[name=${name}]`).first();
    await input.fill("7");
    await context.setOffline(true);
    await input.press("Enter");
    await expect(page.getByText(banner)).toBeVisible();
    await expect(input).toHaveValue("7");
    expect(page.url()).toMatch(new RegExp(`${address}$`));
    await context.setOffline(false);
  }
});
