import type { Page } from "playwright/test";
import { createGroup, createPromotion, postForm, sampleSerials } from "../arrange";
import { expect, routeLoaded } from "../fixtures";
import {
  button,
  dialogOf,
  field,
  fillOne,
  inDialog,
  type FilledForm,
  type FormCase,
  type Tools,
} from "../lost-answers";

export async function createGeneration({ context, app }: Tools, name: string): Promise<string> {
  const fields = {
    name,
    num_codes: "2",
    discount_type: "percentage",
    discount_value: "5",
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

const generationAudit = (action: string) =>
  `select count(*) from audit_log a join mass_generations g on g.id = a.subject_id
   where a.action = 'mass_generation.${action}' and g.name like $1 || '%'`;

/** Ticks a machine in the open dialog. It is left out of the message that its lists are kept. */
async function tickMachine(page: Page): Promise<FilledForm> {
  const box = dialogOf(page).locator(`input[value="${sampleSerials[1]!}"]`);
  await box.check();
  const add = page.locator("#add-selected");
  return { button: add, kept: () => expect(box).toBeChecked(), retry: add, isDialog: true };
}

/** The forms about promotions, mass generations and groups of machines. */
export const promotionForms: Record<string, FormCase> = {
  "a promotion": {
    async fill({ page, visit }, name) {
      await visit("/app/qr-generation");
      await field(page, /^Percentage off/).fill("15");
      return fillOne(field(page, "Name"), name, button(page, "Create code"));
    },
    done: "Promotion created successfully",
    countSql: "select count(*) from promotions where name = $1",
  },
  "a mass generation": {
    async fill({ page, visit }, name) {
      await visit("/app/qr-generation/mass");
      await field(page, "Number of codes").fill("2");
      await field(page, /^Percentage off/).fill("15");
      return fillOne(field(page, "Name"), name, button(page, "Generate codes"));
    },
    done: "QR codes generated successfully",
    countSql: "select count(*) from mass_generations where name = $1",
  },
  "the edit of a promotion": {
    async fill({ page, visit, app }, name) {
      const { id } = await createPromotion(app, name);
      await visit(`/app/qr-list/${id}`);
      await page.getByText(/^Edit name/).click();
      return fillOne(field(page, "Name"), `${name} 2`, button(page, "Save changes"));
    },
    done: "Code successfully updated",
    countSql: audited("edited"),
  },
  "deactivating on the page of a promotion": {
    async fill({ page, visit, app }, name) {
      const { id } = await createPromotion(app, name, { machines: [sampleSerials[0]!] });
      await visit(`/app/qr-list/${id}`);
      return { button: button(page, "Deactivate") };
    },
    done: "Promotion successfully deactivated",
    countSql: audited("deactivated"),
  },
  "deactivating in a row": {
    async fill({ page, visit, app }, name) {
      await createPromotion(app, name, { machines: [sampleSerials[0]!] });
      await visit("/app/qr-list");
      const route = "routes/app.qr-list.$promotionId.deactivate";
      await routeLoaded(page, route);
      const row = page.getByRole("row", { name });
      const deactivate = page.getByRole("button", { name: `Deactivate ${name}` });
      return { button: deactivate, kept: () => expect(row).toBeVisible(), retry: deactivate };
    },
    done: "Promotion successfully deactivated",
    countSql: audited("deactivated"),
  },
  "the machines of a promotion": {
    async fill({ page, visit, app }, name) {
      await createPromotion(app, name);
      await visit("/app/qr-list");
      await page.getByRole("link", { name: `Machines of ${name}` }).click();
      return tickMachine(page);
    },
    done: "Machines successfully added",
    countSql: audited("machines_added"),
  },
  "deleting in the list": {
    async fill({ page, visit, app }, name) {
      await createPromotion(app, name);
      await visit("/app/qr-list");
      await page.getByRole("link", { name: `Delete ${name}` }).click();
      return inDialog(page, /^Delete/);
    },
    done: "Promotion successfully deleted",
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
    done: "Code successfully restored",
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
    done: "Campaign successfully updated",
    countSql: generationAudit("renamed"),
  },
  "deactivating a mass generation": {
    async fill(tools, name) {
      const { page, visit } = tools;
      await visit(await createGeneration(tools, name));
      await page.getByRole("main").getByText("More", { exact: true }).click();
      return { button: button(page, "Deactivate all 2 codes") };
    },
    done: "Campaign successfully deactivated",
    countSql: generationAudit("deactivated"),
  },
  "the machines of a mass generation": {
    async fill(tools, name) {
      await tools.visit(await createGeneration(tools, name));
      await tools.page.locator("#generation-machines").click();
      return tickMachine(tools.page);
    },
    done: "Machines successfully added",
    countSql: generationAudit("machines_added"),
  },
  "restoring a mass generation": {
    async fill(tools, name) {
      const { page, visit, context, app } = tools;
      const path = await createGeneration(tools, name);
      await postForm(context, app, `${path}/delete`, {});
      await visit(path);
      await page.getByRole("link", { name: "Restore" }).click();
      return inDialog(page, /^Restor/);
    },
    done: "Campaign successfully restored",
    countSql: generationAudit("restored"),
  },
  "deleting a mass generation": {
    async fill(tools, name) {
      const { page, visit } = tools;
      await visit(await createGeneration(tools, name));
      await page.getByRole("main").getByText("More", { exact: true }).click();
      await page.getByRole("link", { name: "Delete" }).click();
      return inDialog(page, /^Delete/);
    },
    done: "Mass Generation successfully deleted",
    countSql: generationAudit("deleted"),
  },
  "saving a view": {
    async fill({ page, visit }, name) {
      await visit("/app/qr-list/views?type=mass");
      const view = await fillOne(field(page, "Name"), name, button(page, "Save view"));
      return { ...view, isDialog: true };
    },
    done: "View successfully saved",
    countSql: "select count(*) from saved_views where name = $1",
  },
  "a bulk action": {
    async fill({ page, visit, app }, name) {
      await createPromotion(app, name, { machines: [sampleSerials[0]!] });
      await visit(`/app/qr-list/bulk?ticked=1&all=true&intent=deactivate&text=${name}`);
      return { button: page.getByRole("main").getByRole("button", { name: /^Deactivate/ }) };
    },
    done: "1 code deactivated",
    doneElsewhere: "The form that you left was accepted.",
    countSql: `select count(*) from promotions where name = $1 and not is_active and version = 2`,
  },
  "the edit of a machine group": {
    async fill({ page, visit, context, app }, name) {
      await visit(`/app/machine-groups/${await createGroup(context, app, name)}`);
      await page.getByText("Edit name or kind").click();
      return fillOne(field(page, "Name"), `${name} 2`, button(page, "Save changes"));
    },
    done: "Machine group successfully updated",
    countSql: groupAudit("edited").replace(":name", "$1"),
  },
  "pasting machines into a group": {
    async fill({ page, visit, context, app }, name) {
      await visit(`/app/machine-groups/${await createGroup(context, app, name)}?add=paste`);
      const box = field(page, "Serial numbers");
      return fillOne(box, sampleSerials[0]!, button(page, "Add machines"));
    },
    done: /1 machine added/,
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
    done: /1 machine added/,
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
    done: /1 machine removed/,
    countSql: groupAudit("machines_removed").replace(":name", "$1"),
  },
  "deleting a machine group": {
    async fill({ page, visit, context, app }, name) {
      await visit(`/app/machine-groups/${await createGroup(context, app, name)}`);
      await page.getByRole("link", { name: "Delete" }).click();
      return inDialog(page, /^Delete/);
    },
    done: "Machine group successfully deleted",
    repeated: "This machine group is already deleted.",
    countSql: `select count(*) from audit_log a where a.action = 'machine_group.deleted'
      and details -> 'name' ->> 'from' = $1`,
  },
};
