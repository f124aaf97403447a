import { describe, expect, it } from "vitest";
import { recordAction } from "../../app/features/activity/audit-log.server";
import { db } from "../../app/db/connection.server";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { readCsv } from "../support/read-csv";
import { addUser, useServer } from "../support/server";
import { useSession } from "../support/session";

const { page, get, post } = useSession(useServer());

const rowsOf = (html: string) =>
  html
    .slice(html.indexOf("<tbody"), html.indexOf("</tbody>"))
    .split("<tr>")
    .slice(1)
    .map((row) =>
      row
        .replace(/<[^>]+>/g, " ")
        .replace(/\s+/g, " ")
        .trim(),
    );

describe("the audit log", () => {
  it("says who did what to what, from where, before and after", async () => {
    const id = await insertGroup([], { name: "Old name" });
    await post(`/app/machine-groups/${id}`, {
      intent: "save",
      name: "New name",
      kind: "site",
      version: "1",
    });
    const [row] = rowsOf(await page("/app/audit"));
    expect(row).toContain("admin@example.com");
    expect(row).toContain("Edited Name: Old name → New name");
    expect(row).toContain("Machine group New name");
    expect(row).toContain("127.0.0.1");
  });

  it("names subjects as people know them, also those that are gone", async () => {
    const actor = await addUser("namer@example.com");
    const code = "ABCDEFGH2345";
    const promotion = await insertPromotion({ name: "Winter", code });
    const other = await insertPromotion({ name: "Spring" });
    const { id: machine } = await insertMachine({ serial_number: "VM-NAMED" });
    const group = await insertGroup([], { name: "Airport" });
    await recordAction(db(), actor, "promotion.edited", promotion);
    await recordAction(db(), actor, "promotion.extended", [promotion, other]);
    await recordAction(db(), actor, "machine.deletion_confirmed", [machine]);
    await recordAction(db(), actor, "machine_group.deleted", group, {
      details: { name: { from: "Airport", to: null } },
    });
    await recordAction(db(), actor, "user.deleted", "987654", {
      details: { email: "ex@a.example" },
    });
    await recordAction(db(), actor, "webhook.tested", "987654");
    await db()("machine_groups").where({ id: group }).delete();

    const body = await page("/app/audit?actor=namer");
    const rows = rowsOf(body);
    expect(rows[0]).toContain("Webhook 987654");
    expect(rows[1]).toContain("User ex@a.example");
    expect(rows[2]).toContain("Machine group Airport");
    expect(rows[3]).toContain("Machine VM-NAMED");
    expect(rows[4]).toMatch(/Codes Winter ABCD-EFGH-2345, Spring /);
    expect(body).toContain(`href="/app/qr-list/${promotion}">Code Winter ABCD-EFGH-2345<`);
    // The page of what is gone would be a 404.
    expect(body).not.toMatch(/href="[^"]*\/987654/);
    expect(body).not.toContain(`href="/app/machine-groups/${group}`);
    const [heading, ...cells] = readCsv(await page("/app/audit/export.csv?actor=namer"));
    const names = cells.map((row) => row[heading!.indexOf("Subject name")]);
    expect(names).toContain("Winter ABCD-EFGH-2345");
  });

  it("writes what was created without a value before, and links what has a page", async () => {
    await post("/app/reports/mailing", {
      frequency: "monthly",
      hour: "7",
      recipients: "a@example.com",
    });
    const body = await page("/app/audit?action=created&subject_type=report_schedule");
    const [row] = rowsOf(body);
    expect(row).toContain("Frequency: monthly");
    expect(row).not.toContain("→");
    expect(body).toMatch(
      /href="\/app\/reports\/mailing">Report schedule monthly for a@example\.com</,
    );
  });

  it("is filtered by person, action, subject and time, page by page", async () => {
    const actor = await addUser("auditor@example.com");
    for (const [action, subject] of [
      ["promotion.machines_added", "901"],
      ["promotion.deactivated", "901"],
      ["promotion.machines_added", "902"],
      ["machine_group.edited", "901"],
    ] as const)
      await recordAction(db(), actor, action, subject);
    await recordAction(db(), actor, "promotion.extended", ["901", "903"]);
    await recordAction(db(), actor, "user.second_factor_added", actor.id);
    const found = async (search: string) =>
      rowsOf(await page(`/app/audit?actor=AUDITOR&${search}`)).length;
    expect(await found("")).toBe(6);
    expect(await found("action=Two-step+verification+added")).toBe(1);
    expect(await found("action=machines+added")).toBe(2);
    expect(await found("subject_type=promotion&subject_id=901")).toBe(3);
    expect(await found("created=7d")).toBe(6);
    expect(await found("created_before=01/01/2020")).toBe(0);
    const signedIn = "actor=auditor&action=signed";
    await recordAction(db(), actor, "user.signed_in", actor.id);
    expect(rowsOf(await page(`/app/audit?${signedIn}`))).toHaveLength(1);
    expect(await page(`/app/audit?${signedIn}&sign_ins=false`)).toContain("Nothing matches");
    const second = await page("/app/audit?actor=auditor&per_page=10&page=2");
    expect(second).toContain("That page has no rows");
    expect(await page("/app/audit?actor=nobody")).toContain("Nothing matches");
  });

  it("is filtered by the name of a person, and of a subject, also one that is gone", async () => {
    const actor = await addUser("named@example.com");
    await db()("users").where({ id: actor.id }).update({ first_name: "Zelda", last_name: "Quick" });
    const code = "ABCDEFGH6789";
    const promotion = await insertPromotion({ name: "Lantern walk", code });
    const other = await insertPromotion({ name: "Other" });
    const { id: machine } = await insertMachine({ serial_number: "VM-LAMP", human_name: "Lamp" });
    await recordAction(db(), actor, "promotion.extended", [promotion, other]);
    await recordAction(db(), actor, "promotion.edited", other);
    await recordAction(db(), actor, "machine.deletion_confirmed", [machine]);
    await recordAction(db(), actor, "machine_group.deleted", "987655", {
      details: { name: { from: "Lantern hall", to: null } },
    });
    const found = async (search: string) => rowsOf(await page(`/app/audit?${search}`)).length;
    expect(await found("actor=zelda")).toBe(4);
    expect(await found("actor=zelda+quick")).toBe(4);
    expect(await found("subject=lantern")).toBe(2);
    expect(await found("subject=abcd-efgh-6789")).toBe(1);
    expect(await found("subject=lamp&subject_type=machine")).toBe(1);
    expect(await found("actor=zelda&subject=nothing+of+the+kind")).toBe(0);
  });

  it("finds what is gone by a name with quotes and a backslash", async () => {
    const actor = await addUser("quoter@example.com");
    const gone = (details: object) =>
      recordAction(db(), actor, "machine_group.deleted", "987656", { details });
    await gone({ name: String.raw`"Hall" \ north` });
    await gone({ name: { from: String.raw`The "Hall" \ north`, to: null } });
    const subject = encodeURIComponent(String.raw`"hall" \ n`);
    expect(rowsOf(await page(`/app/audit?subject=${subject}`))).toHaveLength(2);
    expect(rowsOf(await page("/app/audit?actor=quoter&subject=from"))).toHaveLength(0);
  });

  it("leaves out a name that more than 1,000 subjects have, and says so", async () => {
    const actor = await addUser("crowd@example.com");
    await db().raw(
      `insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable)
       select 'CROWD' || lpad(n::text, 7, '0'), 'Crowded', 'percentage', 25, false, false
       from generate_series(1, 1001) n`,
    );
    const ids = await db()("promotions").where({ name: "Crowded" }).pluck<string[]>("id");
    for (const id of ids.slice(-2)) await recordAction(db(), actor, "promotion.edited", id);
    const body = await page("/app/audit?actor=crowd&subject=crowded");
    expect(body).toContain("Too many subjects match this name: type more of it");
    expect(rowsOf(body)).toHaveLength(2);
    const csv = await get("/app/audit/export.csv?subject=crowded");
    expect([csv.status, csv.body]).toEqual([
      422,
      "Too many subjects match this name: type more of it",
    ]);
    const other = await page("/app/audit?subject=crowded&subject_type=machine");
    expect(other).not.toContain("Too many subjects");
  });

  it("is exported as a whole, with the values of the filters", async () => {
    const answer = await get("/app/audit/export.csv?actor=auditor&action=machines");
    expect(answer.headers["content-disposition"]).toMatch(/audit-log-\d{4}-\d\d-\d\d\.csv/);
    const [heading, ...rows] = readCsv(answer.body);
    expect(heading).toContain("Details (JSON)");
    expect(rows.map((row) => row[heading!.indexOf("Subject ID")])).toEqual(["902", "901"]);
    expect((await get("/app/audit/export.csv?nonsense=1")).status).toBe(400);
  });

  it("can't be changed, not even by the product", async () => {
    await expect(db()("audit_log").update({ action: "promotion.nothing" })).rejects.toThrow();
    await expect(db()("audit_log").delete()).rejects.toThrow();
  });
});
