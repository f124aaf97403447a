import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { formIdField } from "../../app/forms/validator";
import { insertUser } from "../factories/people-and-machines";
import { insertSchedule } from "../support/action-cases/settings";
import { useServer } from "../support/server";
import { expectRejection, useSession } from "../support/session";

const dataDir = mkdtempSync(path.join(tmpdir(), "promo-mailing-"));
const server = useServer({ environment: { DATA_DIR: dataDir } });
const address = "/app/reports/mailing";
const { post, page, follow, open } = useSession(server);
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe("the screen of reports by mail", () => {
  it("adds a schedule, and lists it with its next run", async () => {
    expect(await page(address)).toContain("No reports by mail yet");
    const body = {
      frequency: "weekly",
      hour: "7",
      recipients: "boss@example.com\r\nchef@example.com",
      idempotency_key: randomUUID(),
    };
    const answers = [await post(address, body), await post(address, body)];
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await db()("report_schedules").select("recipients")).toHaveLength(1);
    const text = await follow(answers[0]!);
    expect(text).toContain("Schedule successfully added");
    expect(text).toContain("boss@example.com, chef@example.com");
    expect(text).toMatch(/\d\d\.\d\d\.\d{4} 07:00/);
  });

  it("names and links the first schedule, when the form is sent again with other values", async () => {
    const list = await open(address);
    await list.press("Add schedule", { recipients: "first@example.com" });
    const refused = await list.press("Add schedule", { recipients: "second@example.com" });
    expect(refused.status).toBe(409);
    const first = await refused.follow('The first attempt created "daily for first@example.com".');
    expect(first.valuesOf("recipients")).toEqual(["first@example.com"]);
    await db()("report_schedules").where({ frequency: "daily" }).delete();
  });

  it("edits recipients and hour in a form that comes back filled", async () => {
    const id = await insertSchedule({ recipients: ["a@example.com", "b@example.com"] });
    const own = `${address}/${id}/edit`;
    expect(await page(own)).toMatch(/<textarea[^>]*>a@example\.com\s+b@example\.com/);
    const fields = { frequency: "daily", recipients: "a@example.com", version: "1" };
    const refused = await post(own, { ...fields, hour: "24" });
    expectRejection(refused, 422, "Hour must be a whole number from 0 to 23");
    expect(await follow(await post(own, { ...fields, hour: "22" }))).toContain(
      "Schedule successfully changed",
    );
    const stored = await db()("report_schedules").where({ id }).first("recipients", "hour");
    expect(stored).toEqual({ recipients: ["a@example.com"], hour: 22 });
    await db()("report_schedules").where({ id }).delete();
  });

  it("is not edited again by the same form after somebody else changed it back", async () => {
    const id = await insertSchedule({ hour: 7 });
    const form = await open(`${address}/${id}/edit`);
    const save = () => form.press("Save schedule", { hour: "22" });
    const stored = () => db()("report_schedules").where({ id });
    await save();
    expect(await stored()).toMatchObject([{ hour: 22 }]);
    await stored().update({ hour: 7 });
    await save();
    expect(await stored()).toMatchObject([{ hour: 7 }]);
    await stored().delete();
  });

  it("is not edited by a form that was opened before somebody else's edit, which it shows", async () => {
    const id = await insertSchedule({ hour: 7 });
    const stale = await open(`${address}/${id}/edit`);
    const current = await open(`${address}/${id}/edit`);
    await current.press("Save schedule", { hour: "22" });
    const refused = await stale.press("Save schedule", { hour: "9" });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("Someone else changed this schedule after you opened it.");
    expect(refused.text).toContain("Current hour22");
    expect(refused.valuesOf("hour")).toEqual(["9"]);
    const saved = await refused.press("Save schedule");
    expect(saved.text).toContain("Schedule successfully changed");
    expect(await db()("report_schedules").where({ id })).toMatchObject([{ hour: 9 }]);
    await db()("report_schedules").where({ id }).delete();
  });

  it("gives the fields of the dialog ids of their own beside the form for a new schedule", async () => {
    const id = await insertSchedule();
    const fields = {
      [formIdField]: "edit-schedule",
      frequency: "daily",
      recipients: "a@b.example",
      version: "1",
    };
    const refused = await post(`${address}/${id}/edit`, { ...fields, hour: "24" });
    const ids = [...refused.body.matchAll(/ id="([^"]+)"/g)].map(([, name]) => name!);
    expect(ids.filter((name, index) => ids.indexOf(name) < index)).toEqual([]);
    const [, field] = /href="#([^"]*hour)"/.exec(refused.body)!;
    const dialog = refused.body.slice(refused.body.indexOf('id="dialog-title"'));
    expect(dialog.indexOf(`id="${field}"`)).toBeGreaterThan(0);
    expect(dialog.indexOf(`id="${field}"`)).toBeLessThan(dialog.indexOf("New schedule"));
    await db()("report_schedules").where({ id }).delete();
  });

  it("says that a schedule is paused because its author is disabled, and resumes it", async () => {
    const author = await insertUser({ email: "author@example.com", is_disabled: true });
    const id = await insertSchedule({ created_by: author.id });
    const paused = await page(address);
    expect(paused).toContain("Paused: its author is disabled");
    expect(paused).toContain("author@example.com");
    await post(`${address}/${id}`, { intent: "resume" });
    const resumed = await page(address);
    expect(resumed).not.toContain("Paused: its author is disabled");
    expect(resumed).not.toContain("author@example.com");
    await db()("report_schedules").where({ id }).delete();
  });

  it("forgets the address of a user who is deleted, as the deletion says", async () => {
    const { id: userId, email } = await insertUser();
    const shared = await insertSchedule({ recipients: ["boss@example.com", email] });
    const only = await insertSchedule({ recipients: [email.toUpperCase()] });
    const deletion = `/app/users/${userId}/delete`;
    expect(await page(deletion)).toContain(
      "The address is removed from 2 reports by mail. A report without another recipient is removed, too.",
    );
    expect((await post(deletion)).status).toBe(303);
    const left = await db()("report_schedules").whereIn("id", [shared, only]);
    expect(left.map(({ id, recipients }) => [id, recipients])).toEqual([
      [shared, ["boss@example.com"]],
    ]);
    const rows = await db()("audit_log").where({ subject_type: "report_schedule" }).orderBy("id");
    expect(rows.slice(-2).map(({ action }) => action)).toEqual([
      "report_schedule.changed",
      "report_schedule.removed",
    ]);
    await db()("report_schedules").where({ id: shared }).delete();
  });

  it("follows a user to another address", async () => {
    const { id: userId, email } = await insertUser();
    const id = await insertSchedule({ recipients: [email.toUpperCase(), "boss@example.com"] });
    const names = { firstName: "Ann", lastName: "", phoneNumber: "", role: "user" };
    const moved = "moved@example.com";
    const fields = { intent: "save", ...names, email: moved, version: "1" };
    expect((await post(`/app/users/${userId}/edit`, fields)).status).toBe(303);
    const recipients = () => db()("report_schedules").where({ id }).pluck("recipients");
    expect(await recipients()).toEqual([["boss@example.com", moved]]);
    await db()("outbox").where({ recipient: moved }).delete();
    await db()("report_schedules").where({ id }).delete();
  });

  it("gives a form with a wrong address back as it was", async () => {
    const refused = await post(address, {
      [formIdField]: "new-schedule",
      frequency: "monthly",
      hour: "7",
      recipients: "boss@example.com\r\n<b>nobody</b>",
      idempotency_key: randomUUID(),
    });
    expectRejection(refused, 422, "&quot;&lt;b&gt;nobody&lt;/b&gt;&quot; is not an email address");
    const { body } = refused;
    expect(body).toMatch(/<textarea[^>]*>boss@example\.com\s+&lt;b&gt;nobody/);
    expect(body).toMatch(/<input(?=[^>]*value="monthly")(?=[^>]*checked)[^>]*>/);
  });

  it("pauses, resumes, tests and removes a schedule with plain posts", async () => {
    const [id] = await db()("report_schedules").pluck<string[]>("id");
    const press = async (intent: string) => {
      const body = { intent, idempotency_key: randomUUID() };
      return follow(await post(`${address}/${id}`, body));
    };
    expect(await press("pause")).toMatch(/Schedule successfully paused[^]*Paused[^]*Resume/);
    expect(await press("pause")).toContain("Schedule was already paused");
    expect(await press("resume")).toContain("Schedule successfully resumed");
    const list = await open(address);
    const schedule = await db()("report_schedules").where({ id }).first();
    const pause = `Pause Weekly, ${schedule.recipients.join(", ")}`;
    expect((await list.press(pause)).text).toContain("Schedule successfully paused");
    await press("resume");
    expect((await list.press(pause)).text).toContain("Schedule successfully paused");
    expect(await db()("report_schedules").where({ id }).first()).toMatchObject({
      is_paused: false,
    });
    expect(await press("explode")).toContain("Choose what to do with the schedule.");
    expect(await press("test")).toContain("A test report to admin@example.com is on its way");
    await expect
      .poll(() => db()("outbox").select("recipient", "template", "state"))
      .toEqual([{ recipient: "admin@example.com", template: "report", state: "sent" }]);
    expect(await page(`${address}/${id}/remove`)).toContain("Remove the weekly schedule?");
    const removed = await post(`${address}/${id}/remove`);
    expect(await follow(removed)).toContain("Schedule successfully removed");
    expect(await db()("report_schedules").pluck("id")).toEqual([]);
  });

  it("shows its entries in the audit log under their own subject", async () => {
    const body = await page("/app/audit?subject_type=report_schedule");
    for (const action of ["created", "paused", "resumed", "tested", "removed"])
      expect(body).toMatch(
        new RegExp(`Report schedule \\d+[^]*${action}|${action}[^]*Report schedule \\d+`, "i"),
      );
  });
});
