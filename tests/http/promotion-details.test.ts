import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { assign } from "../factories/assignments";
import { insertMachine } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { plainBrowser, type PlainPage } from "../support/plain-browser";
import { addUser, openSessionOf, password, useServer } from "../support/server";
import { expectRejection } from "../support/session";

const server = useServer();
const expires_at = new Date("2099-12-31T23:00:00Z");
let browser: ReturnType<typeof plainBrowser>;

beforeAll(async () => {
  browser = plainBrowser(server, await openSessionOf());
  await insertMachine({ serial_number: "VM-1", human_name: "Lobby" });
});

const openDetails = (id: string): Promise<PlainPage> => browser.open(`/app/qr-list/${id}`);

const printed = "Code, discount and kind of use are printed and can't be changed.";

describe("a promotion without scripts", () => {
  it("is deactivated in the list and reactivated on its own page, as its history says", async () => {
    const form = await browser.open("/app/qr-generation");
    await form.press("Create code", {
      promotionName: "Off and on",
      discount: "25",
      expiration_date: "31/12/2099",
      machines: "VM-1",
    });
    const list = await browser.open("/app/qr-list?text=off+and+on");
    const off = await list.press("Deactivate Off and on");
    expect(off.html).toContain("Promotion successfully deactivated");
    expect(off.text).toContain("Inactive");
    expect(off.isDisabled("Off and on is already inactive")).toBe(true);
    const question = await off.follow("Reactivate Off and on");
    expect(question.text).toContain("Machines accept this code again");
    const undone = await off.press("Undo");
    expect(undone.text).toContain("Code successfully reactivated");
    expect(undone.address).toContain("/app/qr-list?text=off+and+on");
    const again = await undone.press("Deactivate Off and on");
    const page = await again.follow("Off and on");
    expect(page.text).toContain(
      "This code was deactivated. Machines refuse it. Reactivate it to use it again.",
    );
    expect(page.text).toContain("valid until 31.12.2099 23:59 (Europe/Berlin)");
    expect(page.text).toMatch(/Created\d\d\.\d\d\.\d{4} \d\d:\d\d by admin@example\.com/);
    expect(page.text).toContain("Assigned to 1 machine");
    const on = await page.press("Reactivate");
    expect(on.html).toContain("Code successfully reactivated");
    expect(on.text).toMatch(/Reactivated.*Active: no → yes.*Deactivated/);
    expect(on.address.split("?")[0]).toBe(page.address);
    expect(on.text).toContain("QR ListOff and on");
    expect(on.text).toContain("Redeemable at 1 machine");
    const offAgain = await on.press("Deactivate");
    expect(offAgain.html).toContain("Promotion successfully deactivated");
    expect(offAgain.text).toContain("Assigned to 1 machine");
  });

  it("is deactivated after a saved change of its name whose answer was lost", async () => {
    const page = await openDetails(await insertPromotion({ name: "Leaked", expires_at }));
    const renamed = { [fieldOf(page, "Leaked")]: "Leaked code" };
    expect((await page.press("Save changes", renamed)).text).toContain("Code successfully updated");
    const off = await page.press("Deactivate");
    expect(off.text).toContain("Promotion successfully deactivated");
  });

  it("stays as somebody else changed it when a change that had arrived is sent again", async () => {
    const id = await insertPromotion({ name: "Sent again", expires_at });
    const lobby = await db()("machines").where({ serial_number: "VM-1" }).first("id");
    await assign("promotions", id, { machine_id: lobby!.id });
    const change = async (values: object) =>
      db()("promotions")
        .where({ id })
        .update({ ...values, version: db().raw("version + 1") });
    const state = async () => [
      await db()("promotions").where({ id }).first("is_active", "is_deleted", "version"),
      await db()("audit_log").where({ subject_id: id }).select("id"),
    ];
    /** Presses a button, lets somebody else change the code, and presses it on the same page again. */
    const pressTwice = async (
      form: PlainPage,
      button: string,
      message: string,
      between: object,
      repeated = message,
    ) => {
      const first = await form.press(button);
      expect(first.text).toContain(message);
      await change(between);
      const before = await state();
      expect((await form.press(button)).text).toContain(repeated);
      expect(await state()).toEqual(before);
      return first;
    };

    const page = await openDetails(id);
    const list = await browser.open("/app/qr-list?text=sent+again");
    const deletion = await list.follow("Delete Sent again");
    const off = "Promotion successfully deactivated";
    const since = (done: string) =>
      `The first attempt ${done} this code. It was changed afterwards.`;
    await pressTwice(page, "Deactivate", off, { is_active: true }, since("deactivated"));
    const row = await pressTwice(list, "Deactivate Sent again", off, { is_active: false });
    const on = "Code successfully reactivated";
    await pressTwice(row, "Undo", on, { is_active: false }, since("reactivated"));
    const deleted = "Promotion successfully deleted";
    const back = { is_deleted: false, deleted_at: null };
    await pressTwice(deletion, "Delete code", deleted, back, since("deleted"));
    const gone = { is_deleted: true, deleted_at: new Date() };
    await change(gone);
    const restoring = await browser.open(`/app/qr-list/${id}/restore`);
    const restored = "Code successfully restored";
    await pressTwice(restoring, "Restore code", restored, gone, since("restored"));
  });

  it("is edited, and a refused form comes back filled", async () => {
    const page = await openDetails(await insertPromotion({ name: "Before", expires_at }));
    expect(page.text).toContain(`${printed}Edit name, expiration or hours`);
    const name = fieldOf(page, "Before");
    const refused = await page.press("Save changes", {
      [name]: " ",
      expiration_date: "01/01/2020",
    });
    expect(refused.status).toBe(422);
    expect(refused.title).toMatch(/^Error: /);
    expect(refused.text).toContain("Name is required");
    expect(refused.text).toContain("Date cannot be in the past");
    expect(refused.valuesOf("expiration_date")).toEqual(["01/01/2020"]);
    const saved = await refused.press("Save changes", {
      [name]: "After",
      expiration_date: "30/06/2098",
    });
    expect(saved.html).toContain("Code successfully updated");
    expect(saved.text).toContain("valid until 30.06.2098");
    expect(saved.text).toContain("Name: Before → After");
    expect(saved.text).toContain("Expiration date: 31.12.2099 → 30.06.2098");
  });

  it("says what is printed, also where nothing can be edited", async () => {
    const generation = await insertGeneration({ is_renewable: true });
    const [id] = await insertCodes(generation, 1);
    expect((await openDetails(id!)).text).toContain(
      `${printed} Name, start and hours are those of its campaign.`,
    );
    const campaign = await browser.open(`/app/qr-generation/${generation}`);
    expect(campaign.text).toContain(`${printed}Edit name or hours`);
  });

  it("shows the second of two people who save the current values, and keeps what they typed", async () => {
    const id = await insertPromotion({ name: "Two people", expires_at });
    const [first, second] = [await openDetails(id), await openDetails(id)];
    const name = fieldOf(first, "Two people");
    await first.press("Save changes", { [name]: "First" });
    const conflict = await second.press("Save changes", { [name]: "Second" });
    expect(conflict.status).toBe(409);
    expect(conflict.text).toContain("Someone else changed this code after you opened it.");
    expect(conflict.title).toContain("First");
    expect(conflict.valuesOf(name)).toEqual(["Second"]);
    expect((await conflict.press("Save changes")).title).toContain("Second");
  });

  it("keeps its expiration and hours in the form when a user can't undo a deactivation", async () => {
    const id = await insertPromotion({ name: "Kept", expires_at, open_minutes: "{[480,720)}" });
    await addUser("editor@example.com");
    const user = plainBrowser(server, await openSessionOf("editor@example.com"));
    const off = await user.press(`/app/qr-list/${id}`, "Deactivate");
    expect(off.valuesOf("hours_days")).not.toEqual([]);
    const byAdmin = await (await openDetails(id)).press("Reactivate");
    await byAdmin.press("Deactivate");

    const refused = await off.press("Undo");
    expectRejection(refused, 403, "Only admins can do this now. Ask one of them.");
    expect(refused.title).toMatch(/^Error: /);
    for (const field of ["promotionName", "expiration_date", "hours_days", "hours_from"])
      expect(refused.valuesOf(field), field).toEqual(off.valuesOf(field));
    const saved = await refused.press("Save changes", { promotionName: "Renamed" });
    expect(saved.text).toContain("valid until 31.12.2099 23:59");
    expect(saved.text).toContain("Name: Kept → Renamed");
    expect(saved.text).not.toContain("Expiration date:");
  });

  it("says that nothing was done when its button was pressed after the session had ended", async () => {
    const id = await insertPromotion({ name: "Late" });
    const { email } = await addUser("late@example.com");
    const user = plainBrowser(server, await openSessionOf(email));
    const page = await user.open(`/app/qr-list/${id}`);
    user.cookies.clear();
    const signIn = await page.press("Deactivate");
    const back = await (await signIn.press("Login", { email, password })).press("Continue");
    expect(back.text).toContain(
      "You were signed out, so nothing was done. Press the button again.",
    );
    expect(back.valuesOf("promotionName")).toEqual(["Late"]);
    expect((await back.press("Deactivate")).text).toContain("Promotion successfully deactivated");
  });

  it("is not deactivated in the list after the session had ended, which is said after signing in", async () => {
    const lobby = await db()("machines").where({ serial_number: "VM-1" }).first<{ id: string }>();
    const id = await insertPromotion({ name: "Late row" });
    await assign("promotions", id, { machine_id: lobby!.id });
    const { email } = await addUser("late-row@example.com");
    const user = plainBrowser(server, await openSessionOf(email));
    const list = await user.open("/app/qr-list?text=late+row");
    user.cookies.clear();
    // A form without any field.
    const signIn = await list.press("Deactivate Late row");
    const back = await (await signIn.press("Login", { email, password })).press("Continue");
    expect(back.address).toContain("/app/qr-list?text=late+row");
    expect(back.text).toContain("You were signed out, so nothing was done.");
    const off = await back.press("Deactivate Late row");
    expect(off.text).toContain("Promotion successfully deactivated");
  });

  it("says that nothing was saved when its form was sent after the session had ended", async () => {
    const id = await insertPromotion({ name: "Late form" });
    const { email } = await addUser("late-form@example.com");
    const user = plainBrowser(server, await openSessionOf(email));
    const page = await user.open(`/app/qr-list/${id}`);
    user.cookies.clear();
    const signIn = await page.press("Save changes", { promotionName: "Late name" });
    const back = await (await signIn.press("Login", { email, password })).press("Continue");
    expect(back.text).toContain(
      "You were signed out, so nothing was done. Check what you entered, and send it again.",
    );
    expect(back.valuesOf("promotionName")).toEqual(["Late name"]);
    expect((await back.press("Save changes")).text).toContain("Name: Late form → Late name");
  });

  it("is deleted after a question, and restored from its own page", async () => {
    const id = await insertPromotion({ name: "Short life" });
    const list = await browser.open("/app/qr-list?text=short+life");
    const question = await list.follow("Delete Short life");
    expect(question.title).toMatch(/^Confirm deletion - QR List/);
    expect((await question.follow("Cancel")).address).toContain("/app/qr-list?text=short+life");
    const deleted = await question.press("Delete code");
    expect(deleted.html).toContain("Promotion successfully deleted");
    expect(deleted.text).toContain("Nothing matches");
    const repeated = await question.press("Delete code");
    expect(repeated.text).toContain("Promotion successfully deleted");
    const late = await browser.open(question.address);
    expect(late.text).toContain("This code is already deleted.");
    expect(late.hasButton("Delete code")).toBe(false);

    const page = await openDetails(id);
    expect(page.text).toContain(
      "This code is deleted. Machines refuse it. Restore it to use it again.",
    );
    expect(page.hasButton("Save changes")).toBe(false);
    const restoring = await page.follow("Restore");
    expect(restoring.title).toMatch(/^Confirm restore - /);
    expect(restoring.text).toContain('Restore "Short life"?');
    expect((await restoring.press("Restore code")).html).toContain("Code successfully restored");
    expect((await openDetails(id)).text).toContain("Deleted: yes → no");
  });

  it("says that it is deleted when a form of its page was sent later", async () => {
    const ids = { promotions: await insertPromotion(), mass_generations: await insertGeneration() };
    const code = await openDetails(ids.promotions);
    const campaign = await browser.open(`/app/qr-generation/${ids.mass_generations}`);
    for (const [table, id] of Object.entries(ids))
      await db()(table).where({ id }).update({ is_deleted: true, deleted_at: new Date() });
    for (const page of [code, campaign]) {
      const refused = await page.press("Save changes", { promotionName: "Late" });
      expect(refused.status).toBe(409);
      expect(refused.text).toMatch(/is deleted\. Nothing was changed\./);
    }
  });

  it("deletes and restores the whole generation of a code, as question and button say", async () => {
    const generation = await insertGeneration({ name: "Batch", num_codes: 3 });
    const [id] = await insertCodes(generation, 3);
    const question = await browser.open(`/app/qr-list/${id}/delete?text=batch`);
    expect(question.text).toContain("Confirm deletion of mass generation");
    expect(question.text).toContain('Delete "Summer" and its 3 codes?');
    expect(question.text).toContain("All associated promotions are also marked deleted");
    const deleted = await question.press("Delete all 3 codes");
    expect(deleted.html).toContain("Mass Generation successfully deleted");
    const list = await browser.open("/app/qr-list?text=batch&deleted=true");
    expect(list.rowHeaders).toHaveLength(3);
    expect(list.html).toContain('title="This promotion is deleted"');
    expect(list.text).toContain("Deleted This promotion is deleted");
    const restoring = await list.follow("Restore Summer");
    expect(restoring.text).toContain('Restore "Summer" and its 3 codes?');
    expect((await restoring.press("Restore 3 codes")).html).toContain(
      "Campaign successfully restored",
    );
    expect((await openDetails(id!)).text).toContain("Restored with its campaign");
  });

  it("deactivates one code of a mass generation alone from the question before all are deleted", async () => {
    const generation = await insertGeneration({ name: "Fair", num_codes: 2, is_assigned: true });
    const [id, other] = await insertCodes(generation, 2);
    const list = "/app/qr-list?mass_generation_id=" + generation;
    const question = await browser.open(
      `/app/qr-list/${id}/delete?mass_generation_id=${generation}`,
    );
    const all = await question.follow("Deactivate all 2 codes");
    expect(all.text).toContain("Deactivate 2 codes");
    const off = await question.press("Deactivate only this code");
    expect(off.address).toContain(list);
    expect(off.text).toContain("Promotion successfully deactivated");
    const [page, otherPage] = [await openDetails(id!), await openDetails(other!)];
    expect(page.text).toContain("This code was deactivated.");
    expect(otherPage.hasButton("Deactivate only this code")).toBe(true);
    expect((await page.follow("Deactivate all 2 codes")).text).toContain("Deactivate 1 code");
    const again = await browser.open(question.address);
    expect(again.hasButton("Deactivate only this code")).toBe(false);
  });

  it("without machines leads to where they are assigned, as long as it isn't deleted", async () => {
    const [id, deleted] = [
      await insertPromotion(),
      await insertPromotion({ is_deleted: true }),
    ] as const;
    const page = await openDetails(id);
    expect(page.text).toContain("No machine accepts this code until one is assigned.");
    expect(page.hrefOf("Assign machines")).toBe(`/app/qr-list/${id}/machines`);
    expect((await openDetails(deleted)).html).not.toContain("Assign machines");
  });

  it("counts the machines that are marked as deleted apart", async () => {
    const { id: gone } = await insertMachine({ serial_number: "VM-GONE", is_deleted: true });
    const lobby = await db()("machines").where({ serial_number: "VM-1" }).first<{ id: string }>();
    const id = await insertPromotion();
    await assign("promotions", id, { machine_id: lobby!.id }, { machine_id: gone });
    expect((await openDetails(id)).text).toContain("Redeemable at 1 machine; 1 marked as deleted");
  });

  it("that doesn't exist is a 404 in the shell, with a link to the list", async () => {
    const { status, hrefOf } = await openDetails("99999999");
    expect(status).toBe(404);
    expect(hrefOf("Back to QR List")).toBe("/app/qr-list");
  });

  it("offers its QR code as PNG and as SVG", async () => {
    const id = await insertPromotion({ name: "Offered" });
    const options = await browser.open(`/app/qr-list/${id}/download`);
    expect(options.text).toContain("Single QR Code");
    expect(options.hrefOf("Download PNG")).toBe(`/app/qr-list/${id}/qr.png`);
    expect(options.hrefOf("Download SVG")).toBe(`/app/qr-list/${id}/qr.svg`);
    const svg = await fetch(server.origin + options.hrefOf("Download SVG"), {
      headers: { Cookie: `sid=${browser.cookies.get("sid")}` },
    });
    expect(svg.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="Offered [2-9A-Z]{4}(-[2-9A-Z]{4}){2}\.svg"$/,
    );
    expect(await svg.text()).toContain("<svg");
  });

  it("is downloaded under its new name by a browser that has the image", async () => {
    const id = await insertPromotion({ name: "Before" });
    const cookie = `sid=${browser.cookies.get("sid")}`;
    const image = await server.send(`/app/qr-list/${id}/qr.png`, { cookie });
    await db()("promotions").where({ id }).update({ name: "After" });
    const headers = { "If-None-Match": image.headers.etag! };
    const again = await server.send(`/app/qr-list/${id}/qr.png`, { cookie, headers });
    expect(again.status).toBe(304);
    expect(again.headers["content-disposition"]).toContain('filename="After ');
  });
});

/** The name of the field of the page that holds a value. */
function fieldOf(page: PlainPage, value: string): string {
  const field = ["name", "promotionName"].find((name) => page.valuesOf(name).includes(value));
  expect(field).toBeDefined();
  return field!;
}
