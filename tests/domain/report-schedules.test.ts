import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import {
  parseRecipients,
  scheduleValidator,
  toScheduleView,
} from "../../app/features/report-schedules/report-schedule";
import { renderMail } from "../../app/features/mail/render-mail";
import { templates, type TemplateData } from "../../app/features/mail/templates";
import {
  createSchedule,
  editSchedule,
  getSchedule,
  removeSchedule,
  setPaused,
} from "../../app/features/report-schedules/schedules.server";
import {
  sendDueReports,
  sendTestReport,
} from "../../app/features/report-schedules/send-reports.server";
import { editManagedUser } from "../../app/features/people/user-admin.server";
import { formatCode } from "../../app/format/promotion";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { insertRedeemable } from "../factories/redemptions";
import { insertRefusals, insertTransaction } from "../factories/transactions";
import { useActor } from "../support/actor";
import { countSessions, openTransaction } from "../support/database-sessions";
import { useDatabase } from "../support/postgres";

useDatabase();
const { actor } = useActor();
beforeEach(async () => {
  await db()("outbox").delete();
  await db()("report_schedules").delete();
  await db()("recorded_events").delete();
});

const boss = "boss@example.com";
/** A time in the site's zone, Europe/Berlin, while it is one hour ahead of UTC. */
const winter = (local: string) => new Date(`${local}+01:00`);

async function schedule(
  frequency: "daily" | "weekly" | "monthly",
  now: Date,
  recipients = [boss],
): Promise<string> {
  const options = { actor, now, idempotencyKey: randomUUID() };
  return (await createSchedule({ frequency, recipients, hour: 7 }, options)).id;
}

const nextRun = async (id: string) => (await getSchedule(id)).nextRunAt;

type Mail = { recipient: string; template: string; data: TemplateData["report"] };
const mails = (): Promise<Mail[]> =>
  db()("outbox").select("recipient", "template", "data").orderBy("id");
const actionsOf = (id: string) =>
  db()("audit_log")
    .where({ subject_type: "report_schedule", subject_id: id })
    .orderBy("id")
    .pluck("action");

describe("a schedule", () => {
  it.each([
    ["daily", "2026-11-22T06:59:59+01:00", "2026-11-22T07:00:00+01:00"],
    ["daily", "2026-11-22T07:00:00+01:00", "2026-11-23T07:00:00+01:00"],
    ["weekly", "2026-11-22T12:00:00+01:00", "2026-11-23T07:00:00+01:00"],
    ["weekly", "2026-11-23T07:00:00+01:00", "2026-11-30T07:00:00+01:00"],
    ["monthly", "2026-11-22T12:00:00+01:00", "2026-12-01T07:00:00+01:00"],
    ["monthly", "2026-12-31T23:59:00+01:00", "2027-01-01T07:00:00+01:00"],
    // Clocks change between the two.
    ["daily", "2026-03-28T12:00:00+01:00", "2026-03-29T07:00:00+02:00"],
    ["monthly", "2026-10-02T12:00:00+02:00", "2026-11-01T07:00:00+01:00"],
  ] as const)("that is %s and made at %s first runs at %s", async (frequency, now, expected) => {
    const id = await schedule(frequency, new Date(now));
    expect(await nextRun(id)).toEqual(new Date(expected));
  });

  it("comes at its hour, and an edit moves it there with other recipients", async () => {
    const now = winter("2026-11-22T08:00:00");
    const options = { actor, now, idempotencyKey: randomUUID() };
    const values = {
      frequency: "daily",
      recipients: [boss, "chef@example.com"],
      hour: 18,
    } as const;
    const { id } = await createSchedule({ ...values, recipients: [...values.recipients] }, options);
    expect(await nextRun(id)).toEqual(winter("2026-11-22T18:00:00"));
    const change = { frequency: "daily" as const, recipients: [boss], hour: 9, version: 1 };
    expect(await editSchedule(id, change, { actor, now })).toEqual({ changed: true });
    expect(await editSchedule(id, change, { actor, now })).toEqual({ changed: false });
    expect(await getSchedule(id)).toMatchObject({ recipients: [boss], hour: 9 });
    expect(await nextRun(id)).toEqual(winter("2026-11-22T09:00:00"));
    expect(await actionsOf(id)).toEqual(["report_schedule.created", "report_schedule.changed"]);
    await sendDueReports(winter("2026-11-22T09:00:10"));
    expect(await mails()).toMatchObject([{ recipient: boss }]);
    expect(await nextRun(id)).toEqual(winter("2026-11-23T09:00:00"));
  });

  it("that is due sends its report to recipients that it gets meanwhile", async () => {
    const id = await schedule("daily", winter("2026-11-21T12:00:00"));
    const now = winter("2026-11-22T07:00:10");
    const recipients = ["chef@example.com"];
    const change = { frequency: "daily" as const, recipients, hour: 7, version: 1 };
    await editSchedule(id, change, { actor, now });
    await sendDueReports(now);
    expect((await mails()).map(({ recipient }) => recipient)).toEqual(recipients);
  });

  it("is created once, however often the form is sent, and audited with its recipients", async () => {
    const options = { actor, idempotencyKey: randomUUID() };
    const values = { frequency: "daily", recipients: [boss], hour: 7 } as const;
    const first = await createSchedule({ ...values, recipients: [boss] }, options);
    const again = await createSchedule({ ...values, recipients: [boss] }, options);
    expect(again).toEqual(first);
    expect(await db()("report_schedules").pluck("id")).toEqual([first.id]);
    const [entry] = await db()("audit_log").where({
      action: "report_schedule.created",
      subject_id: first.id,
    });
    expect(entry).toMatchObject({ details: { recipients: { from: [], to: [boss] } } });
  });

  it("rejects addresses that mail can't be sent to", async () => {
    for (const recipients of [[], ["boss"], [`${boss}\r\nBcc: x@example.com`]])
      await expect(schedule("daily", new Date(), recipients)).rejects.toMatchObject({
        reason: "invalid",
        fields: { recipients: expect.any(String) as string },
      });
  });

  it("does not run while it is paused, and resumes with the next regular run", async () => {
    const id = await schedule("daily", winter("2026-11-20T12:00:00"));
    expect(await setPaused(id, true, { actor })).toEqual({ changed: true });
    expect(await setPaused(id, true, { actor })).toEqual({ changed: false });
    await sendDueReports(winter("2026-11-22T12:00:00"));
    expect(await mails()).toEqual([]);
    await setPaused(id, false, { actor, now: winter("2026-11-22T12:00:00") });
    expect(await nextRun(id)).toEqual(winter("2026-11-23T07:00:00"));
    await sendDueReports(winter("2026-11-22T12:00:00"));
    expect(await mails()).toEqual([]);
    expect(await actionsOf(id)).toEqual([
      "report_schedule.created",
      "report_schedule.paused",
      "report_schedule.resumed",
    ]);
  });

  it("does not run while its author is disabled, and goes on once the author is enabled", async () => {
    const id = await schedule("daily", winter("2026-11-20T12:00:00"));
    await db()("users").where({ id: actor.id }).update({ is_disabled: true });
    await sendDueReports(winter("2026-11-22T12:00:00"));
    expect(await mails()).toEqual([]);
    expect(toScheduleView(await getSchedule(id), "UTC").next).toBe(
      "Paused: its author is disabled",
    );
    await db()("users").where({ id: actor.id }).update({ is_disabled: false });
    await sendDueReports(winter("2026-11-22T12:00:00"));
    expect(await mails()).toHaveLength(1);
  });

  it("whose author was deleted runs in the name of the admin who resumes it", async () => {
    const author = await insertUser({ role: "admin" });
    const now = winter("2026-11-20T12:00:00");
    const values = { frequency: "daily", recipients: [boss], hour: 7 } as const;
    const { id } = await createSchedule(
      { ...values, recipients: [boss] },
      { actor: author, now, idempotencyKey: null },
    );
    await db()("users").where({ id: author.id }).delete();
    await sendDueReports(winter("2026-11-22T12:00:00"));
    expect(await mails()).toEqual([]);
    expect(toScheduleView(await getSchedule(id), "UTC").next).toBe(
      "Paused: its author was deleted",
    );

    const resumed = { actor, now: winter("2026-11-22T12:00:00") };
    expect(await setPaused(id, false, resumed)).toEqual({ changed: true });
    expect(await setPaused(id, false, resumed)).toEqual({ changed: false });
    await sendDueReports(winter("2026-11-23T07:00:00"));
    expect((await mails()).map(({ data }) => data.reason)).toEqual([
      `${actor.email} set up this report.`,
    ]);
    const [entry] = await db()("audit_log").where({
      action: "report_schedule.resumed",
      subject_id: id,
    });
    expect(entry).toMatchObject({ details: { author: { from: null, to: actor.email } } });
  });

  it("is gone when it was removed", async () => {
    const id = await schedule("daily", winter("2026-11-20T12:00:00"));
    await removeSchedule(id, { actor });
    await sendDueReports(winter("2026-11-22T12:00:00"));
    expect(await mails()).toEqual([]);
    await expect(removeSchedule(id, { actor })).rejects.toMatchObject({ reason: "not_found" });
    expect(await actionsOf(id)).toContain("report_schedule.removed");
  });
});

describe("a run", () => {
  it("mails each recipient once, though two instances find it due", async () => {
    const recipients = [boss, "chef@example.com"];
    const id = await schedule("daily", winter("2026-11-21T12:00:00"), recipients);
    const now = winter("2026-11-22T07:00:10");
    await Promise.all([sendDueReports(now), sendDueReports(now), sendDueReports(now)]);
    await sendDueReports(winter("2026-11-22T08:00:00"));
    expect(await db()("recorded_events").where({ type: "report.ready" })).toMatchObject([
      {
        subject: `report_schedule:${id}`,
        data: { report: { schedule_id: Number(id), frequency: "daily" } },
      },
    ]);
    expect((await mails()).map(({ recipient }) => recipient)).toEqual(recipients);
    expect(await nextRun(id)).toEqual(winter("2026-11-23T07:00:00"));
  });

  it("that fails is left for the next time, and keeps no other back", async () => {
    const now = winter("2026-11-22T12:00:00");
    const blocked = await schedule("daily", now);
    await schedule("daily", now, ["other@example.com"]);
    const due = winter("2026-11-23T07:00:00");
    const holder = await openTransaction();
    await holder("report_schedules").where({ id: blocked }).forUpdate();
    await expect(sendDueReports(due)).rejects.toThrow("lock timeout");
    expect(await mails()).toMatchObject([{ recipient: "other@example.com" }]);
    await holder.rollback();
    await sendDueReports(due);
    expect(await mails()).toMatchObject([{}, { recipient: boss }]);
  });

  it("mails those who are recipients when it is added to the outbox", async () => {
    const id = await schedule("daily", winter("2026-11-21T12:00:00"));
    const edit = await db().transaction();
    await edit("report_schedules")
      .where({ id })
      .update({ recipients: ["chef@example.com"] });
    const sending = sendDueReports(winter("2026-11-22T07:00:10"));
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    await edit.commit();
    await sending;
    expect((await mails()).map(({ recipient }) => recipient)).toEqual(["chef@example.com"]);
  });

  it("mails no disabled user, whom the list names", async () => {
    const { email } = await insertUser({ is_disabled: true, role: "viewer" });
    const id = await schedule("daily", winter("2026-11-21T12:00:00"), [email.toUpperCase(), boss]);
    await sendDueReports(winter("2026-11-22T07:00:10"));
    expect((await mails()).map(({ recipient }) => recipient)).toEqual([boss]);
    expect(toScheduleView(await getSchedule(id), "UTC").recipients).toBe(
      `${email.toUpperCase()} (disabled), ${boss}`,
    );
  });

  it("is not sent to a user who is disabled while its mail waits", async () => {
    const { id, email } = await insertUser();
    await schedule("daily", winter("2026-11-21T12:00:00"), [email.toUpperCase(), boss]);
    await sendDueReports(winter("2026-11-22T07:00:10"));
    const names = { firstName: "Gone", lastName: "", phoneNumber: "" };
    const edit = { ...names, email, role: "user", disabled: true, version: 1 } as const;
    await editManagedUser(id, edit, { actor });
    expect((await mails()).map(({ recipient }) => recipient)).toEqual([boss]);
  });

  it("that failed can't be sent again to a user who is disabled since", async () => {
    const { id, email } = await insertUser();
    await schedule("daily", winter("2026-11-21T12:00:00"), [email.toUpperCase(), boss]);
    await sendDueReports(winter("2026-11-22T07:00:10"));
    await db()("outbox").update({ state: "failed", finished_at: db().fn.now() });
    const names = { firstName: "Gone", lastName: "", phoneNumber: "" };
    const edit = { ...names, email, role: "user", disabled: true, version: 1 } as const;
    await editManagedUser(id, edit, { actor });
    expect((await mails()).map(({ recipient }) => recipient)).toEqual([boss]);
  });

  it("is not sent with its codes to a user who becomes a viewer while its mail waits", async () => {
    const { id, email } = await insertUser();
    await schedule("daily", winter("2026-11-21T12:00:00"), [email, boss]);
    await sendDueReports(winter("2026-11-22T07:00:10"));
    const names = { firstName: "Viewer", lastName: "", phoneNumber: "" };
    const edit = { ...names, email, role: "viewer", disabled: false, version: 1 } as const;
    await editManagedUser(id, edit, { actor });
    const reports = (await mails()).filter(({ template }) => template === "report");
    expect(reports.map(({ recipient }) => recipient)).toEqual([boss]);
  });

  it("masks codes for a user who becomes a viewer while it reads its figures", async () => {
    const { id: promotion_id, machine, code } = await insertRedeemable();
    const created_at = winter("2026-11-10T12:00:00");
    await insertTransaction({ promotion_id, machine_id: machine.id, created_at });
    const { id: userId, email } = await insertUser();
    await schedule("daily", created_at, [email, boss]);
    const change = await openTransaction();
    await change("users").where({ id: userId }).update({ role: "viewer" });
    const sending = sendDueReports(winter("2026-11-11T07:00:10"));
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    await change.commit();
    await sending;
    const named = (await mails()).map(({ data }) =>
      JSON.stringify(data).includes(formatCode(code)),
    );
    expect(named).toEqual([false, true]);
  });

  it("mails nobody who is disabled while it adds its mails", async () => {
    const { id: userId, email } = await insertUser();
    const id = await schedule("daily", winter("2026-11-21T12:00:00"), [email, boss]);
    const holder = await openTransaction();
    await holder("report_schedules").where({ id }).forUpdate();
    const sending = sendDueReports(winter("2026-11-22T07:00:10"));
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    const names = { firstName: "Gone", lastName: "", phoneNumber: "" };
    const edit = { ...names, email, role: "user", disabled: true, version: 1 } as const;
    const editing = editManagedUser(userId, edit, { actor });
    await expect.poll(() => countSessions("waiting for a lock")).toBe(2);
    await holder.commit();
    await Promise.all([sending, editing]);
    expect((await mails()).map(({ recipient }) => recipient)).toEqual([boss]);
  });

  it("that was missed for days is made up for once, about the last whole day", async () => {
    await schedule("daily", winter("2026-11-18T12:00:00"));
    await sendDueReports(winter("2026-11-22T15:00:00"));
    const sent = await mails();
    expect(sent.map(({ data }) => data.period)).toEqual(["21.11.2026"]);
  });

  it.each([
    [
      "weekly",
      winter("2026-11-23T07:00:00"),
      "16.11.2026 to 22.11.2026",
      "09.11.2026 to 15.11.2026",
    ],
    [
      "monthly",
      winter("2026-12-01T07:00:00"),
      "01.11.2026 to 30.11.2026",
      "02.10.2026 to 31.10.2026",
    ],
  ] as const)(
    "that is %s is about whole days, and as many before",
    async (frequency, now, period, before) => {
      await schedule(frequency, winter("2026-11-20T12:00:00"));
      await sendDueReports(now);
      const [mail] = await mails();
      expect(mail!.data).toMatchObject({ period, notes: [`Before: ${before}.`] });
    },
  );

  it("counts the redemptions of its days, by the site's clock, without those rolled back", async () => {
    const { id: promotion_id, machine } = await insertRedeemable();
    const insert = (time: string, more: object = {}) =>
      insertTransaction({
        promotion_id,
        machine_id: machine.id,
        created_at: winter(time),
        ...more,
      });
    await insert("2026-11-20T23:59:59");
    await insert("2026-11-21T00:00:00");
    await insert("2026-11-21T23:59:59");
    await insert("2026-11-21T12:00:00", { status: "rolled_back" });
    await insert("2026-11-22T00:00:00");
    await schedule("daily", winter("2026-11-21T12:00:00"));
    await sendDueReports(winter("2026-11-22T07:00:00"));
    const [mail] = await mails();
    const [figures] = mail!.data.tables;
    expect(figures!.rows[0]).toEqual(["Redemptions", "2", "1"]);
    expect(figures!.rows[3]).toEqual(["Discounts given", "$1.00", "$0.50"]);
    const content = templates.report(mail!.data, {
      origin: "https://promo.test",
      siteName: "Promo Console",
      link: null,
    });
    const { subject, text, html } = renderMail(content!, "Promo Console");
    expect(subject).toBe("Daily report, 21.11.2026");
    expect(text).toMatch(/^Redemptions +2 +1$/m);
    expect(text).toContain("https://promo.test/app/reports?from=2026-11-21&to=2026-11-21");
    expect(html).toContain(
      'href="https://promo.test/app/reports?from=2026-11-21&amp;to=2026-11-21"',
    );
    expect(text).toContain(`${actor.email} set up this report.`);
  });

  it("names the top campaigns and machines that refuse often, and attaches them as CSV", async () => {
    const { id: promotion_id, machine } = await insertRedeemable({ name: "=1+1 Summer" });
    const quiet = await insertMachine();
    const created_at = winter("2026-11-21T12:00:00");
    const refuse = (machine_id: string, outcome: string, count: number) =>
      insertRefusals(count, { machine_id, outcome, created_at, promotion_id });
    for (let at = 0; at < 15; at++)
      await insertTransaction({ promotion_id, machine_id: machine.id, created_at });
    await refuse(machine.id, "expired", 2);
    await refuse(machine.id, "not_assigned", 3);
    // Nineteen attempts say nothing.
    await refuse(quiet.id, "expired", 19);
    await schedule("daily", winter("2026-11-21T12:00:00"));
    await sendDueReports(winter("2026-11-22T07:00:00"));
    const [{ data }] = (await mails()) as [Mail];
    expect(data.tables.find(({ title }) => title === "Top campaigns")!.rows[0]).toEqual([
      "=1+1 Summer",
      "15",
      "$7.50",
      "24",
    ]);
    const refusing = data.tables.find(({ title }) => title.startsWith("Machines that refuse"));
    expect(refusing!.rows).toEqual([
      [`Lobby (${machine.serial_number})`, "20", "5", "25%", "Not assigned"],
    ]);
    const file = data.attachments!.find(({ name }) => name === "single-codes-2026-11-21.csv")!;
    expect(file.content).toContain("'=1+1 Summer");
  });

  it("shortens a long name between two characters", async () => {
    const { id, machine } = await insertRedeemable({ name: `${"a".repeat(38)}🍹🍹🍹` });
    const created_at = winter("2026-11-21T12:00:00");
    await insertTransaction({ promotion_id: id, machine_id: machine.id, created_at });
    await schedule("daily", winter("2026-11-21T12:00:00"));
    await sendDueReports(winter("2026-11-22T07:00:00"));
    const [{ data }] = (await mails()) as [Mail];
    const top = data.tables.find(({ title }) => title === "Top campaigns")!;
    expect(top.rows.map(([name]) => name)).toContain(`${"a".repeat(38)}🍹…`);
  });

  it("masks codes for recipients who are viewers", async () => {
    const { id: promotion_id, machine, code } = await insertRedeemable();
    const created_at = winter("2026-11-21T12:00:00");
    await insertTransaction({ promotion_id, machine_id: machine.id, created_at });
    const { email } = await insertUser({ role: "viewer" });
    await schedule("daily", winter("2026-11-21T12:00:00"), [boss, email]);
    await sendDueReports(winter("2026-11-22T07:00:00"));
    const files = (await mails()).map(
      ({ data }) => data.attachments!.find(({ name }) => name.startsWith("single-codes"))!.content,
    );
    expect(files[0]).toContain(formatCode(code));
    expect(files[1]).toContain(`••••-••••-${code.slice(-4)}`);
    expect(files[1]).not.toContain(code.slice(0, 4));
  });

  it("says which of its files has not all rows", async () => {
    const many = Array.from({ length: 500 }, (_, at) => ({ serial_number: `Many ${at}` }));
    await db()("machines").insert(many.map((row) => ({ ...row, human_name: "Hall" })));
    await insertMachine();
    await schedule("daily", winter("2026-11-21T12:00:00"));
    await sendDueReports(winter("2026-11-22T07:00:00"));
    const [{ data }] = (await mails()) as [Mail];
    const file = data.attachments!.find(({ name }) => name === "machines-2026-11-21.csv")!;
    expect(file.content.trim().split("\r\n")).toHaveLength(501);
    expect(data.notes.at(-1)).toMatch(
      /^machines-2026-11-21.csv has the first 500 of \d+ rows. Open the report to export all.$/,
    );
  });
});

describe("a test", () => {
  it("goes to whoever asks for it and to nobody else, and is audited", async () => {
    const id = await schedule("weekly", new Date(), ["chef@example.com"]);
    const options = { actor, idempotencyKey: randomUUID() };
    await sendTestReport(id, options);
    await sendTestReport(id, options);
    expect((await mails()).map(({ recipient }) => recipient)).toEqual([actor.email]);
    expect(await actionsOf(id)).toEqual(["report_schedule.created", "report_schedule.tested"]);
  });

  it("is sent of each schedule for which a page asks", async () => {
    const ids = [await schedule("daily", new Date()), await schedule("weekly", new Date())];
    const options = { actor, idempotencyKey: randomUUID() };
    for (const id of ids) await sendTestReport(id, options);
    expect((await mails()).map(({ data }) => data.title)).toEqual([
      "Daily report",
      "Weekly report",
    ]);
  });
});

describe("the form", () => {
  it("takes addresses on lines or separated by commas, each once", () => {
    expect(parseRecipients(" a@example.com,\r\nb@example.com; A@example.com\n")).toEqual([
      "a@example.com",
      "b@example.com",
    ]);
  });

  it.each([
    ["a word", "a@example.com x", '"x" is not an email address'],
    ["nothing", "", "Enter an email address, like name@example.com"],
    [
      "too many",
      Array.from({ length: 21 }, (_, at) => `a${at}@example.com`).join(),
      "No more than 20 addresses can get a report",
    ],
  ])("rejects %s as addresses", async (_kind, recipients, message) => {
    const form = new FormData();
    form.set("frequency", "daily");
    form.set("recipients", recipients);
    form.set("hour", "7");
    const { error } = await scheduleValidator.validate(form);
    expect(error?.fieldErrors).toEqual({ recipients: message });
  });
});
