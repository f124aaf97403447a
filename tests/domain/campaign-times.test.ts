import { parseDateTime, toZoned } from "@internationalized/date";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { db, one } from "../../app/db/connection.server";
import {
  clockBindings,
  clockSql,
  isWithinHoursSql,
  timesOf,
} from "../../app/features/promotions/promotion-sql.server";
import { createPromotion } from "../../app/features/promotions/form/create-promotion.server";
import { editPromotion } from "../../app/features/promotions/form/edit-promotion.server";
import { editGeneration } from "../../app/features/mass-generations/edit-mass-generation.server";
import { replacePromotion } from "../../app/features/promotions/form/replace-promotion.server";
import { getPromotion, getPromotionDetails } from "../../app/features/promotions/promotions.server";
import {
  type Hours,
  normalizeSchedule,
  type Schedule,
  type StoredTimes,
  toCampaignTimes,
} from "../../app/features/promotions/schedule";
import { startSql, timesBindings } from "../../app/features/promotions/times.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { applyBulk } from "../factories/bulk";
import {
  insertCodes,
  insertGeneration,
  insertPromotion,
  newPromotion,
} from "../factories/promotions";
import { insertRedeemable, makeKey, outcomeOf, request } from "../factories/redemptions";
import { useActor } from "../support/actor";
import { useDatabase } from "../support/postgres";
import { repetitions } from "../support/repetitions";
import { rowById } from "../factories/rows";

useDatabase();
const { actor } = useActor(beforeEach);

const minute = 60_000;

/** Instants about which a day is of another length, or a week, a month or a year ends. */
const edges: [zone: string, instant: string][] = [
  ["Europe/Berlin", "2026-03-29T01:00Z"],
  ["Europe/Berlin", "2026-10-25T01:00Z"],
  ["Europe/Berlin", "2026-11-29T23:00Z"],
  ["Europe/Berlin", "2028-02-28T23:00Z"],
  ["Europe/Berlin", "2028-02-29T23:00Z"],
  ["Europe/Berlin", "2026-12-31T23:00Z"],
  // By half an hour.
  ["Australia/Lord_Howe", "2026-04-04T15:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T15:30Z"],
  ["America/Santiago", "2026-04-05T03:00Z"],
  ["America/Santiago", "2026-09-06T04:00Z"],
  ["America/Santiago", "2028-02-29T03:00Z"],
  ["America/Santiago", "2026-11-30T03:00Z"],
];

const zoneAndInstant = fc
  .record({
    edge: fc.constantFrom(...edges),
    minutes: fc.oneof(
      fc.integer({ min: -180, max: 180 }),
      fc.integer({ min: -4 * 24 * 60, max: 4 * 24 * 60 }),
    ),
  })
  .map(({ edge: [zone, instant], minutes }) => ({
    zone,
    instant: new Date(Date.parse(instant) + minutes * minute),
  }));

const time = fc
  .oneof(fc.integer({ min: 0, max: 1_439 }), fc.constantFrom(0, 60, 120, 180, 1_380, 1_439))
  .map((at) => new Date(at * minute).toISOString().slice(11, 16));

const window: fc.Arbitrary<Hours> = fc
  .record({
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    from: time,
    to: fc.oneof(time, fc.constant("24:00")),
  })
  .filter(({ from, to }) => from !== to);

/** The local time of an instant by another table of zones than PostgreSQL's. */
function localTime(instant: Date, zone: string) {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "short",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(instant);
  const part = (type: string) => parts.find((one) => one.type === type)!.value;
  return {
    weekday: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].indexOf(part("weekday")) + 1,
    day: `${part("year")}-${part("month")}-${part("day")}`,
    time: `${part("hour")}:${part("minute")}`,
  };
}

/** The rule of hours a second time. */
function isOpen({ hours, except }: Schedule, instant: Date, zone: string): boolean {
  const local = localTime(instant, zone);
  if (except.includes(local.day)) return false;
  if (hours.length === 0) return true;
  const yesterday = local.weekday === 1 ? 7 : local.weekday - 1;
  return hours.some(({ days, from, to }) =>
    from < to
      ? days.includes(local.weekday) && from <= local.time && local.time < to
      : (days.includes(local.weekday) && from <= local.time) ||
        (days.includes(yesterday) && local.time < to),
  );
}

async function isOpenInSql(schedule: Schedule, instant: Date, zone: string) {
  const row = await one<{ isOpen: boolean }>(
    db(),
    `with ${clockSql} select ${isWithinHoursSql} as is_open
     from (select cast(:openMinutes as int4multirange) as open_minutes, cast(:closedOn as date[]) as closed_on) p
       cross join (select cast(null as int4multirange) as open_minutes, cast(null as date[]) as closed_on) generation`,
    { ...clockBindings(instant), ...timesBindings({ startsAt: null, schedule }), timeZone: zone },
  );
  return row!.isOpen;
}

test("hours hold by the local clock, over both changes of it, at the ends of days and weeks, and not on excepted days", () =>
  fc.assert(
    fc.asyncProperty(
      zoneAndInstant,
      fc.array(window, { maxLength: 4 }),
      fc.array(fc.integer({ min: -1, max: 1 }), { maxLength: 2 }),
      async ({ zone, instant }, hours, daysAway) => {
        const except = daysAway.map(
          (days) => localTime(new Date(instant.getTime() + days * 1_440 * minute), zone).day,
        );
        const schedule = { hours, except };
        const expected = isOpen(schedule, instant, zone);
        expect(await isOpenInSql(schedule, instant, zone)).toBe(expected);
        const normalized = normalizeSchedule(schedule);
        expect(isOpen(normalized ?? { hours: [], except: [] }, instant, zone)).toBe(expected);
        expect(normalizeSchedule(normalized)).toEqual(normalized);
      },
    ),
    { numRuns: repetitions(120, 10_000) },
  ));

test("a start in an hour that comes twice is ahead in the first of them", async () => {
  const now = new Date("2026-10-25T00:45Z");
  const row = await one<{ times: StoredTimes }>(
    db(),
    `with ${clockSql} select ${timesOf("campaign")} as times
     from (select timestamptz '2026-10-25 01:30Z' as starts_at, cast(null as int4multirange) as open_minutes,
       cast(null as date[]) as closed_on) campaign`,
    { ...clockBindings(now), timeZone: "Europe/Berlin" },
  );
  expect(row!.times).toMatchObject({
    isAhead: true,
    startsAt: "2026-10-25T02:30:00",
    localTime: "2026-10-25T02:45:00",
  });
});

test("a start is the first instant of its local time; one that the clock skips is later by as much", () =>
  fc.assert(
    fc.asyncProperty(zoneAndInstant, async ({ zone, instant }) => {
      const { day, time } = localTime(instant, zone);
      for (const startsAt of [`${day}T${time}`, `${day}T00:00`, `${day}T02:30`]) {
        const row = await one<{ start: Date }>(db(), `select ${startSql} as start`, {
          startsAt,
          timeZone: zone,
        });
        const expected = toZoned(parseDateTime(startsAt), zone, "compatible").toDate();
        expect(row!.start).toEqual(expected);
      }
    }),
    { numRuns: repetitions(40, 3_000) },
  ));

test.each([
  ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30Z"],
  ["2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:30Z"],
  ["2026-04-05T01:29", "Australia/Lord_Howe", "2026-04-04T14:29Z"],
  ["2026-04-05T01:30", "Australia/Lord_Howe", "2026-04-04T14:30Z"],
  ["2026-04-05T01:59", "Australia/Lord_Howe", "2026-04-04T14:59Z"],
  ["2026-04-05T02:00", "Australia/Lord_Howe", "2026-04-04T15:30Z"],
  ["2026-10-04T01:59", "Australia/Lord_Howe", "2026-10-03T15:29Z"],
  ["2026-10-04T02:15", "Australia/Lord_Howe", "2026-10-03T15:45Z"],
  ["2026-10-25T02:00", "Antarctica/Troll", "2026-10-25T00:00Z"],
])("a campaign that starts at %s in %s starts at %s", async (startsAt, timeZone, instant) => {
  const row = await one(db(), `select ${startSql} as start`, { startsAt, timeZone });
  expect(row).toEqual({ start: new Date(instant) });
});

const weekdays: Schedule = {
  hours: [{ days: [1, 2, 3, 4, 5], from: "08:00", to: "17:30" }],
  except: ["2098-12-24"],
};

describe("a redemption", () => {
  const at = (target: { code: string; serialNumber: string }, secret: string, instant: string) =>
    redeem(request(target), secret, new Date(instant)).then(outcomeOf);

  test("is refused before the start and outside the hours, and repeats its first answer", async () => {
    const { secret } = await makeKey();
    const target = await insertRedeemable({
      starts_at: "2026-11-23T07:00Z",
      open_minutes: "{[480,1050)}",
      closed_on: ["2026-11-30"],
    });
    expect(await at(target, secret, "2026-11-23T06:59:59Z")).toBe("not_yet");
    expect(await at(target, secret, "2026-11-23T07:00Z")).toBe("applied");
    expect(await at(target, secret, "2026-11-23T16:29:59Z")).toBe("applied");
    expect(await at(target, secret, "2026-11-23T16:30Z")).toBe("outside_hours");
    expect(await at(target, secret, "2026-11-30T10:00Z")).toBe("outside_hours");
    const sent = request(target);
    const answer = async (instant: string) =>
      outcomeOf(await redeem(sent, secret, new Date(instant)));
    expect(await answer("2026-11-24T10:00Z")).toBe("outside_hours");
    expect(await answer("2026-11-23T10:00Z")).toBe("outside_hours");
  });

  test("follows the start and the hours of the mass generation of its code at once", async () => {
    const { secret } = await makeKey();
    const { machine } = await insertRedeemable();
    const generation = await insertGeneration({ is_assigned: true });
    const [id] = await insertCodes(generation, 1);
    const { code } = await getPromotion(id!);
    const { set_id } = (await rowById("mass_generations", generation).first<{ set_id: string }>())!;
    await db()("assignments").insert({ set_id, machine_id: machine.id });
    const target = { code, serialNumber: machine.serial_number };
    const now = "2026-11-24T10:00Z";
    expect(await at(target, secret, now)).toBe("applied");
    await rowById("mass_generations", generation).update({ open_minutes: "{[0,60)}" });
    expect(await at(target, secret, now)).toBe("outside_hours");
    await rowById("mass_generations", generation).update({ starts_at: "2026-11-24T11:00Z" });
    expect(await at(target, secret, now)).toBe("not_yet");
  });
});

describe("a start and hours", () => {
  const create = async (values: Parameters<typeof newPromotion>[0]) => {
    const options = { actor, idempotencyKey: null };
    return (await createPromotion(newPromotion(values), options)).promotion;
  };

  test("are stored with a new code and go to its replacement", async () => {
    const times = { startsAt: "2098-12-01T08:00", schedule: weekdays };
    const promotion = await create({ ...times, isSingleUse: true });
    expect(toCampaignTimes(promotion.times)).toEqual(times);
    await rowById("promotions", promotion.id).update({ period_uses: 1, activation_count: 1 });
    const replacement = await replacePromotion(promotion.id, { actor, idempotencyKey: null });
    expect(toCampaignTimes(replacement.times)).toEqual(times);
  });

  test("are edited by whoever saw the newest version, with the changes in the audit log", async () => {
    const { id } = await create({ startsAt: "2098-12-01T08:00", schedule: weekdays });
    const edit = {
      name: "Summer",
      expirationDate: null,
      startsAt: null,
      schedule: { hours: [], except: ["2098-12-31"] },
      version: 1,
    };
    await editPromotion(id, edit, { actor });
    const { promotion, version } = await getPromotionDetails(id);
    expect(version).toBe(2);
    expect(toCampaignTimes(promotion.times)).toEqual({ startsAt: null, schedule: edit.schedule });
    const { details } = (await db()("audit_log")
      .where({ action: "promotion.edited", subject_id: id })
      .first<{ details: object }>())!;
    expect(details).toEqual({
      starts_at: { from: "01.12.2098 08:00", to: null },
      hours: { from: "Mon–Fri 08:00–17:30", to: null },
      not_on: { from: ["2098-12-24"], to: ["2098-12-31"] },
    });
    await expect(editPromotion(id, { ...edit, schedule: null }, { actor })).rejects.toMatchObject({
      reason: "conflict",
    });
  });

  test.each(["promotion", "mass generation"])(
    "of a %s are the same when a start in the hour that is skipped is sent again",
    async (kind) => {
      const isSingle = kind === "promotion";
      const { id } = isSingle ? await create({}) : { id: await insertGeneration() };
      const edit = { name: null, startsAt: "2098-03-30T02:30", version: 1 };
      const send = () =>
        isSingle
          ? editPromotion(id, { ...edit, expirationDate: null }, { actor })
          : editGeneration(id, edit, { actor });
      await send();
      await send();
      const action = `${isSingle ? "promotion" : "mass_generation"}.edited`;
      const edits = await db()("audit_log").where({ action, subject_id: id }).pluck("details");
      expect(edits).toEqual([{ starts_at: { from: null, to: "30.03.2098 03:30" } }]);
    },
  );

  test.each([
    ["of a day that has passed", { startsAt: "2020-01-01T00:00" }, "Start cannot be in the past"],
    [
      "after the last valid day",
      { startsAt: "2099-01-01T00:00", expirationDate: "2098-12-31" },
      "The start cannot be after the expiration",
    ],
  ])("cannot begin with a start %s", async (_what, values, starts_at) => {
    await expect(create(values)).rejects.toMatchObject({ fields: { starts_at } });
  });
});

describe("a bulk action", () => {
  const typed = {
    starts_at: "01/12/2098",
    hours_days: ["0-1"],
    hours_from: ["8"],
    hours_to: ["17:30"],
    closed_on: "",
  };
  const bulk = (ids: string[], changes: { start?: boolean; hours?: boolean }) =>
    applyBulk(
      "reschedule",
      ids,
      {
        times: {
          ...typed,
          changes_start: changes.start ?? false,
          changes_hours: changes.hours ?? false,
        },
      },
      { actor: { ...actor, role: "admin" } },
    );

  test("changes the start of single codes and of whole mass generations, and keeps their hours", async () => {
    const row = { open_minutes: "{[0,60)}" };
    const generation = await insertGeneration({ ...row, num_codes: 3 });
    const codes = await insertCodes(generation, 3);
    const single = await insertPromotion(row);
    const early = await insertPromotion({ expires_at: new Date("2098-01-01T23:00:00Z") });
    const outcome = await bulk([codes[0]!, single, early], { start: true });
    expect(outcome).toMatchObject({ codes: 4, singles: 1, generations: 1 });
    expect(outcome.refusals.reasons).toEqual([
      { reason: "It expires before this start.", count: 1 },
    ]);
    for (const id of [...codes, single])
      expect(toCampaignTimes((await getPromotion(id)).times)).toEqual({
        startsAt: "2098-12-01T00:00",
        schedule: { hours: [{ days: [1], from: "00:00", to: "01:00" }], except: [] },
      });
    const again = await bulk([single], { start: true });
    expect(again.refusals.reasons).toEqual([
      { reason: "It already has this start and these hours.", count: 1 },
    ]);
  });

  test("sets and clears hours", async () => {
    const id = await insertPromotion({ closed_on: ["2098-12-24"] });
    await bulk([id], { hours: true });
    expect(toCampaignTimes((await getPromotion(id)).times)).toEqual({
      startsAt: null,
      schedule: { hours: [{ days: [1], from: "08:00", to: "17:30" }], except: [] },
    });
    Object.assign(typed, { hours_days: [], hours_from: [""], hours_to: [""] });
    await bulk([id], { hours: true });
    expect((await getPromotion(id)).times).toBeNull();
  });

  test("says in the audit log that hours were cleared which differed", async () => {
    const rows = [{ open_minutes: "{[0,60)}" }, { open_minutes: "{[60,120)}" }];
    const ids = await Promise.all(rows.map((row) => insertPromotion(row)));
    Object.assign(typed, { hours_days: [], hours_from: [""], hours_to: [""] });
    await bulk(ids, { hours: true });
    const entry = await db()("audit_log").orderBy("id", "desc").first("details");
    expect(entry.details).toMatchObject({ hours: { from: null, to: null } });
    expect(entry.details).not.toHaveProperty("starts_at");
  });
});
