import { describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { toScheduleView } from "../../app/features/report-schedules/report-schedule";
import { renderMail } from "../../app/features/mail/render-mail";
import { templates } from "../../app/features/mail/templates";
import { getSchedule } from "../../app/features/report-schedules/schedules.server";
import { sendDueReports } from "../../app/features/report-schedules/send-reports.server";
import { editManagedUser } from "../../app/features/people/user-admin.server";
import { formatCode } from "../../app/format/promotion";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { insertRedeemable } from "../factories/redemptions";
import { insertRefusals, insertTransaction } from "../factories/transactions";
import { countSessions, openTransaction } from "../support/database-sessions";
import {
  boss,
  mails,
  nextRun,
  useReportSchedules,
  winter,
  type Mail,
} from "../support/report-schedules";

const { actor, schedule } = useReportSchedules();

describe("a run of a report schedule", () => {
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
