import { beforeEach, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import type { ActivityPeriod } from "../../app/features/redemptions/machine-activity";
import { readMachineActivity } from "../../app/features/redemptions/activity.server";
import { listRefusing, readMachineDays } from "../../app/features/reports/machine-use.server";
import { toRefusalRate } from "../../app/features/reports/refusal-rate";
import { refreshSummary } from "../../app/features/reports/summary.server";
import { insertMachine } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { insertRefusals, insertTransaction } from "../factories/transactions";
import { useDatabase } from "../support/postgres";
import { changeSettings } from "../factories/settings";

useDatabase();

let machine = { id: "", serial_number: "" };
let promotion = "";

beforeEach(async () => {
  machine = await insertMachine();
  promotion = await insertPromotion({ name: "Summer" });
});

const setZone = (timeZone: string) => changeSettings({ time_zone: timeZone });

const redeemAt = (timestamp: string, row: Record<string, unknown> = {}) =>
  insertTransaction({
    promotion_id: promotion,
    machine_id: machine.id,
    created_at: new Date(timestamp),
    ...row,
  });

const refuseAt = (timestamp: string, row: Record<string, unknown> = {}) =>
  insertRefusals(1, { machine_id: machine.id, created_at: new Date(timestamp), ...row });

const activity = (period: ActivityPeriod, now: string) =>
  readMachineActivity(machine.id, period, new Date(now));

/** The days that have any, as 'day count'. */
async function days(period: ActivityPeriod, now: string): Promise<string[]> {
  const report = await activity(period, now);
  expect(report.days).toHaveLength(period);
  return report.days.flatMap(({ day, redemptions }) =>
    redemptions ? `${day} ${redemptions}` : [],
  );
}

describe("redemptions by day", () => {
  test("are those of the machine that count, and what they gave away", async () => {
    await setZone("UTC");
    await redeemAt("2026-11-21T08:00:00Z");
    await redeemAt("2026-11-21T09:00:00Z", { discount: 200 });
    await redeemAt("2026-11-21T09:00:00Z", { status: "rolled_back" });
    await redeemAt("2026-11-20T09:00:00Z", { machine_id: (await insertMachine()).id });
    const report = await activity(7, "2026-11-21T12:00:00Z");
    expect(report.days.map(({ day }) => day)).toEqual([
      "2026-11-15",
      "2026-11-16",
      "2026-11-17",
      "2026-11-18",
      "2026-11-19",
      "2026-11-20",
      "2026-11-21",
    ]);
    expect(report.days.at(-1)).toEqual({ day: "2026-11-21", redemptions: 2, discount: 250 });
    expect(report.days.at(-2)).toEqual({ day: "2026-11-20", redemptions: 0, discount: 0 });
  });

  test("begin with the first moment of the first day and end with today", async () => {
    await setZone("Europe/Berlin");
    await redeemAt("2026-11-14T22:59:59.999Z");
    await redeemAt("2026-11-14T23:00:00Z");
    await redeemAt("2026-11-20T22:59:59.999Z");
    await redeemAt("2026-11-20T23:00:00Z");
    await redeemAt("2026-11-21T22:59:59.999Z");
    expect(await days(7, "2026-11-21T12:00:00Z")).toEqual([
      "2026-11-15 1",
      "2026-11-20 1",
      "2026-11-21 2",
    ]);
  });

  // One redemption in each hour from the noon before to the noon after: every day counts its hours.
  test.each<[string, string, string[]]>([
    ["Europe/Berlin", "2026-03-29", ["2026-03-28 12", "2026-03-29 23", "2026-03-30 12"]],
    ["Europe/Berlin", "2026-10-25", ["2026-10-24 12", "2026-10-25 25", "2026-10-26 12"]],
    // Midnight does not exist.
    ["America/Santiago", "2026-09-06", ["2026-09-05 12", "2026-09-06 23", "2026-09-07 12"]],
    ["Asia/Beirut", "2026-03-29", ["2026-03-28 12", "2026-03-29 23", "2026-03-30 12"]],
    // Midnight comes twice.
    ["America/Havana", "2026-11-01", ["2026-10-31 12", "2026-11-01 25", "2026-11-02 12"]],
    // The clock goes back from midnight: the evening before is an hour longer.
    ["Asia/Beirut", "2026-10-24", ["2026-10-23 12", "2026-10-24 25", "2026-10-25 12"]],
    // Half an hour more.
    ["Australia/Lord_Howe", "2026-10-04", ["2026-10-03 12", "2026-10-04 24", "2026-10-05 12"]],
    ["Pacific/Apia", "2026-04-05", ["2026-04-04 12", "2026-04-05 24", "2026-04-06 12"]],
  ])("in %s, around %s", async (timeZone, day, counts) => {
    await setZone(timeZone);
    const { rows } = await db().raw<{ rows: { end: Date }[] }>(
      `with noon as (
         select (cast(:day as date) - 1 + time '12:00') at time zone :timeZone as before,
           (cast(:day as date) + 1 + time '12:00') at time zone :timeZone as after
       ), redeemed as (
         insert into transactions (redemption_id, promotion_id, machine_id, type, original_price,
           discount, created_at)
         select gen_random_uuid(), :promotion, :machine, 'percentage', 200, 50, hour
         from noon, generate_series(before, after, interval '1 hour') hour where hour < after
       )
       select after as end from noon`,
      { day, timeZone, promotion, machine: machine.id },
    );
    const [{ end }] = rows as [{ end: Date }];
    expect(await days(7, end.toISOString())).toEqual(counts);
  });

  test("know the day that Apia left out", async () => {
    await setZone("Pacific/Apia");
    await redeemAt("2011-12-30T09:59:59Z");
    await redeemAt("2011-12-30T10:00:00Z");
    expect(await days(7, "2012-01-01T00:00:00Z")).toEqual(["2011-12-29 1", "2011-12-31 1"]);
  });

  test.each<ActivityPeriod>([7, 30, 90])("look back %i days", async (period) => {
    await setZone("Europe/Berlin");
    const first = Date.UTC(2026, 10, 21, 12) - (period - 1) * 86_400_000;
    await redeemAt(new Date(first).toISOString());
    await redeemAt(new Date(first - 86_400_000).toISOString());
    expect(await days(period, "2026-11-21T12:00:00Z")).toHaveLength(1);
  });
});

describe("refused attempts", () => {
  test.each(["younger than the summary", "in the summary"])(
    "are counted by day, beside the redemptions, %s",
    async (state) => {
      await setZone("Europe/Berlin");
      for (const outcome of ["used_up", "expired", "used_up", "unknown"])
        await refuseAt("2026-11-15T00:00:00Z", { outcome });
      await redeemAt("2026-11-15T00:00:00Z");
      await refuseAt("2026-11-14T22:59:59Z", { outcome: "expired" });
      await refuseAt("2026-11-15T00:00:00Z", { machine_id: (await insertMachine()).id });
      if (state === "in the summary") await refreshSummary();
      const [day, ...others] = await readMachineDays(
        machine.id,
        7,
        new Date("2026-11-21T12:00:00Z"),
      );
      expect(others).toEqual([]);
      const { percentages, refused } = day!;
      expect([day!.day, percentages]).toEqual(["2026-11-15", 1]);
      const rate = toRefusalRate({ redemptions: percentages, refused });
      expect(rate).toMatchObject({ attempts: 5, refused: 4, rate: "80%", reason: "used_up" });
    },
  );

  test("are told one by one, the newest 10, with the promotion where there is one", async () => {
    await setZone("UTC");
    for (let minute = 10; minute < 20; minute++) await refuseAt(`2026-01-01T00:${minute}:00Z`);
    const row = { code: "ABCDEFGHJKMN", original_price: 150, outcome: "used_up" };
    await refuseAt("2026-01-01T01:00:00Z", { ...row, promotion_id: promotion });
    const { attempts } = await activity(7, "2026-11-21T12:00:00Z");
    expect(attempts).toHaveLength(10);
    expect(attempts[0]).toMatchObject({
      attemptedAt: new Date("2026-01-01T01:00:00Z"),
      code: "ABCDEFGHJKMN",
      promotion: { id: promotion, name: "Summer" },
      reason: "used_up",
      originalPrice: 150,
    });
    expect(attempts[1]).toMatchObject({
      attemptedAt: new Date("2026-01-01T00:19:00Z"),
      promotion: null,
      reason: "unknown",
    });
  });

  test("leave accepted ones out", async () => {
    const id = await redeemAt("2026-11-21T08:00:00Z");
    await refuseAt("2026-11-21T08:00:00Z", { outcome: "accepted", transaction_id: id });
    const { attempts } = await activity(7, "2026-11-21T12:00:00Z");
    expect(attempts).toEqual([]);
  });
});

test("a machine refuses often with more than 20 % of at least 20 attempts in 24 hours", async () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const isListed = async () => (await listRefusing()).some(({ id }) => id === machine.id);
  for (let n = 0; n < 16; n++) await redeemAt(hoursAgo(1));
  for (let n = 0; n < 3; n++) await refuseAt(hoursAgo(1));
  await refuseAt(hoursAgo(25));
  await redeemAt(hoursAgo(1), { status: "rolled_back" });
  expect(await isListed()).toBe(false);
  // 4 of 20 are no more than 20 %.
  await refuseAt(hoursAgo(1));
  expect(await isListed()).toBe(false);
  await refuseAt(hoursAgo(1));
  expect(await isListed()).toBe(true);
});

describe("transactions", () => {
  test("are the newest 10, rolled back ones too, in the order of their moments", async () => {
    for (let hour = 0; hour < 10; hour++)
      await redeemAt(new Date(Date.UTC(2026, 0, 2, -hour)).toISOString());
    await redeemAt("2026-01-02T01:00:00Z", { status: "rolled_back" });
    const { transactions } = await activity(7, "2026-11-21T12:00:00Z");
    expect(transactions).toHaveLength(10);
    expect(transactions[0]).toMatchObject({
      machine: { serialNumber: machine.serial_number, humanName: "Lobby" },
      promotion: { id: promotion, name: "Summer" },
      originalPrice: 200,
      discount: 50,
      discountedPrice: 150,
      savings: 25,
      status: "rolled_back",
    });
    const moments = transactions.map(({ occurredAt }) => occurredAt.getTime());
    expect(moments).toEqual([...moments].sort((a, b) => b - a));
  });
});

describe("the plans", () => {
  test("read one machine's rows by its index, whatever there is of others", async () => {
    await db().raw(
      `insert into transactions (redemption_id, promotion_id, machine_id, type, original_price,
         discount, created_at)
       select 'bulk-' || n, :promotion, :machine, 'percentage', 200, 50, now() - n * interval '1 minute'
       from generate_series(1, 2000) n`,
      { promotion, machine: (await insertMachine()).id },
    );
    await db().raw("analyze transactions");
    await redeemAt("2026-11-21T08:00:00Z");
    const { rows } = await db().raw<{ rows: { "QUERY PLAN": string }[] }>(
      `explain select id from transactions where machine_id = :id
       order by created_at desc, id desc limit 25`,
      { id: machine.id },
    );
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/transactions\w*_machine/);
    expect(plan).not.toMatch(/-> +(Incremental )?Sort|Seq Scan/);
  });
});
