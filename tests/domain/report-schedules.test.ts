import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import {
  parseRecipients,
  scheduleValidator,
  toScheduleView,
} from "../../app/features/report-schedules/report-schedule";
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
import { insertUser } from "../factories/people-and-machines";
import {
  actionsOf,
  boss,
  mails,
  nextRun,
  useReportSchedules,
  winter,
} from "../support/report-schedules";

const { actor, schedule } = useReportSchedules();

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
