import { beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { sweep } from "../../app/db/sweep.server";
import { oldEvents } from "../../app/features/events/record-event.server";
import { oldMails, sendTestMail } from "../../app/features/mail/outbox.server";
import { createMassGeneration } from "../../app/features/mass-generations/create-mass-generation.server";
import { createSchedule, getSchedule } from "../../app/features/report-schedules/schedules.server";
import { readReport } from "../../app/features/report-schedules/report-figures.server";
import { checkSummary } from "../../app/features/reports/check-summary.server";
import { readReportSpans } from "../../app/features/reports/report-spans.server";
import { readPeriod } from "../../app/features/reports/spans.server";
import { deleteOldRefusals } from "../../app/features/reports/refusal-retention.server";
import { rebuildSummary } from "../../app/features/reports/summary.server";
import { saveSettings } from "../../app/features/settings/edit-settings.server";
import type { Settings } from "../../app/features/settings/setting";
import { readStoredSettings } from "../../app/features/settings/settings.server";
import { newPromotion } from "../factories/promotions";
import { insertRefusals } from "../factories/transactions";
import { useActor } from "../support/actor";
import { useMailbox } from "../support/mailbox";
import { useDatabase } from "../support/postgres";
import { bodyOf, headerOf } from "../support/smtp";

useDatabase();
const { actor } = useActor();
const mailbox = useMailbox();

const initial = {
  siteName: "Promo Console",
  weekStart: "monday",
  eventDays: 30,
  mailDays: 30,
  refusalDays: null,
  maxCodes: 100_000,
} as const;

async function save(values: Partial<Settings>): Promise<void> {
  const { version } = await readStoredSettings();
  await saveSettings({ ...values, removeLogo: false, version }, null, { actor });
}

beforeEach(() => save(initial));

describe("weeks that begin on Sunday", () => {
  const sunday = new Date("2026-11-22T12:00:00Z");
  const saturday = new Date("2026-11-21T12:00:00Z");
  beforeEach(() => save({ weekStart: "sunday" }));

  it.each([
    [sunday, "2026-11-22", "2026-11-28", "2026-11-15"],
    [saturday, "2026-11-15", "2026-11-21", "2026-11-08"],
  ])("are those of the dashboard", async (now, firstDay, lastDay, previousDay) => {
    const week = await db().transaction((trx) => readPeriod(trx, "week", now));
    expect(week).toMatchObject({
      current: { firstDay, lastDay },
      previous: { firstDay: previousDay },
    });
  });

  it("are those of the quick choice of a report", async () => {
    const filters = { period: "last-week", from: null, to: null } as const;
    const spans = await db().transaction((trx) => readReportSpans(trx, filters, sunday));
    expect(spans.current).toMatchObject({ firstDay: "2026-11-15", lastDay: "2026-11-21" });
  });

  it("are those of weekly reports by mail, which come on that day", async () => {
    const recipients = ["a@example.com"];
    const options = { actor, idempotencyKey: null, now: saturday };
    const { id } = await createSchedule({ frequency: "weekly", recipients, hour: 7 }, options);
    expect((await getSchedule(id)).nextRunAt).toEqual(new Date("2026-11-22T07:00:00+01:00"));
    expect(await readReport("weekly", { role: "user" }, sunday)).toMatchObject({
      period: "15.11.2026 to 21.11.2026",
    });
  });
});

describe("a retention", () => {
  it("keeps sent mails for as long as the setting says, and failed ones for at least 90 days", async () => {
    const mail = (state: string, days: number) => ({
      dedup_key: `${state} ${days}`,
      message_id: "00000000-0000-4000-8000-000000000000",
      template: "test",
      data: {},
      recipient: "a@example.com",
      state,
      give_up_at: new Date(),
      finished_at: db().raw("now() - interval '1 day' * ?", [days]),
    });
    await db()("outbox").insert([
      mail("sent", 31),
      mail("sent", 46),
      mail("failed", 46),
      mail("failed", 91),
    ]);
    await save({ mailDays: 45 });
    await sweep([oldMails()]);
    expect(await db()("outbox").orderBy("id").pluck("dedup_key")).toEqual(["sent 31", "failed 46"]);
  });

  it("keeps refused attempts for as long as the setting says, and all figures", async () => {
    await insertRefusals(1, {}, "100 days");
    await insertRefusals(1, { outcome: "expired" }, "91 days");
    await insertRefusals(1, { redemption_id: "r-89" }, "89 days");
    await rebuildSummary();
    await deleteOldRefusals();
    expect(await db()("redemption_attempts").pluck("redemption_id")).toHaveLength(3);

    const sums = () =>
      db()("daily_activity").where({ machine_id: 0 }).orderBy("day").pluck("refused");
    const before = await sums();
    expect(before).toHaveLength(3);
    await save({ refusalDays: 90 });
    await deleteOldRefusals();
    expect(await db()("redemption_attempts").pluck("redemption_id")).toEqual(["r-89"]);
    expect(await sums()).toEqual(before);
    await rebuildSummary();
    expect(await sums()).toEqual(before);
    expect(await checkSummary()).toEqual([]);
  });

  it("keeps events for as long as the setting says", async () => {
    const event = (position: number, days: number) => ({
      position,
      id: `00000000-0000-4000-8000-00000000000${position}`,
      subject: "machine:1",
      type: "machine.deleted",
      data: {},
      occurred_at: db().raw("now() - interval '1 day' * ?", [days]),
    });
    await db()("events").insert([event(1, 61), event(2, 59)]);
    await save({ eventDays: 60 });
    await sweep([oldEvents()]);
    expect(await db()("events").pluck("position")).toEqual(["2"]);
  });
});

it("names the site in mails, and as their sender where MAIL_FROM is an address alone", async () => {
  await save({ siteName: "Kiosk & Co" });
  await sendTestMail({ actor, idempotencyKey: null });
  const [mail] = await mailbox.deliver();
  expect(headerOf(mail!, "From")).toBe('"Kiosk & Co" <promo@example.com>');
  expect(headerOf(mail!, "Subject")).toBe("Test mail from Kiosk & Co");
  expect(bodyOf(mail!)).toContain("Kiosk & Co can send mail.");
});

it("rejects a limit of codes for a second admin that is based on settings of before", async () => {
  const { version } = await readStoredSettings();
  await db()("site_settings").update({ approval_codes: 200, version: version + 1 });
  const edit = { approvalCodes: 100, removeLogo: false, version };
  await expect(saveSettings(edit, null, { actor })).rejects.toMatchObject({ reason: "conflict" });
  await saveSettings({ ...edit, version: version + 1 }, null, { actor });
  await db()("site_settings").update({ approval_codes: null });
});

it("limits the codes of a mass generation", async () => {
  await save({ maxCodes: 9 });
  const input = { ...newPromotion(), numCodes: 10 };
  const create = createMassGeneration(input, { actor, idempotencyKey: null });
  await expect(create).rejects.toMatchObject({
    fields: { num_codes: "Number of codes cannot exceed 9" },
  });
});
