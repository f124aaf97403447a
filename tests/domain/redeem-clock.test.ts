import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import { endOfDaySql } from "../../app/features/promotions/times.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { type RedemptionRequest } from "../../app/features/redemptions/redemption-api";
import { insertRedeemable, makeKey, newCode, outcomeOf, request } from "../factories/redemptions";
import { useInstances } from "../support/app";
import { reportFigures, tally } from "../support/fault-figures";
import { assertInvariants } from "../support/invariants";
import { inSoak, isSoak, repetitions } from "../support/repetitions";
import { send } from "../support/server";
import { changeSettings } from "../factories/settings";
import { moveRedemption } from "../factories/transactions";

/** Time: only the database's clock counts, and only the site's zone. */
const hour = 3_600_000;
const clocksOff = isSoak ? [0, hour, -hour] : [hour, -hour];
const instances = useInstances(clocksOff.map((off) => ({ CLOCK_OFF_MS: `${off}` })));

let key: Awaited<ReturnType<typeof makeKey>>;
let secret = "";
beforeAll(async () => {
  key = await makeKey();
  secret = key.secret;
});
afterAll(assertInvariants);

const inZone = (timeZone: string) => changeSettings({ time_zone: timeZone });

const outcomeAt = async (instant: number, target: { code: string; serialNumber: string }) =>
  outcomeOf(await redeem(request(target), secret, new Date(instant)));

/** The local day of an instant by another table of zones than PostgreSQL's. */
const localDay = (instant: number, timeZone: string) =>
  new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(instant);

const lastDays: [timeZone: string, lastDay: string, end: string, what: string][] = [
  ["UTC", "2026-12-31", "2027-01-01T00:00Z", "the end of a year"],
  ["UTC", "2028-02-28", "2028-02-29T00:00Z", "the day before a leap day"],
  ["UTC", "2028-02-29", "2028-03-01T00:00Z", "a leap day"],
  ["Europe/London", "2026-03-28", "2026-03-29T00:00Z", "the day before summer time"],
  ["Europe/London", "2026-03-29", "2026-03-29T23:00Z", "a day of 23 hours"],
  ["Europe/London", "2026-10-24", "2026-10-24T23:00Z", "the last day of summer time"],
  ["Europe/London", "2026-10-25", "2026-10-26T00:00Z", "a day of 25 hours"],
  ["Europe/London", "2026-12-31", "2027-01-01T00:00Z", "the end of a year"],
  ["America/Santiago", "2026-09-05", "2026-09-06T04:00Z", "the next midnight does not exist"],
  ["America/Santiago", "2026-09-06", "2026-09-07T03:00Z", "a day that began at one o'clock"],
  ["America/Santiago", "2026-04-04", "2026-04-05T04:00Z", "midnight comes back an hour later"],
  ["America/Santiago", "2028-02-29", "2028-03-01T03:00Z", "a leap day"],
  ["Asia/Beirut", "2026-03-28", "2026-03-28T22:00Z", "the next midnight does not exist"],
  ["Asia/Beirut", "2026-03-29", "2026-03-29T21:00Z", "a day that began at one o'clock"],
  ["Asia/Beirut", "2026-10-24", "2026-10-24T22:00Z", "midnight comes back an hour later"],
  ["Asia/Beirut", "2026-12-31", "2026-12-31T22:00Z", "the end of a year"],
  ["Atlantic/Azores", "2026-10-24", "2026-10-25T00:00Z", "the next midnight comes twice"],
  ["America/Havana", "2026-10-31", "2026-11-01T04:00Z", "the next midnight comes twice"],
  ["Pacific/Apia", "2011-12-29", "2011-12-30T10:00Z", "the day after never was"],
  ["Pacific/Apia", "2026-12-31", "2026-12-31T11:00Z", "the end of a year"],
  ["Pacific/Apia", "2028-02-29", "2028-02-29T11:00Z", "a leap day"],
];

describe("a code", () => {
  test.each(lastDays)(
    "%s, until %s: accepted to the last millisecond before %s (%s)",
    async (timeZone, lastDay, end) => {
      await inZone(timeZone);
      const target = await insertRedeemable();
      const { rows } = await db().raw<{ rows: { expires_at: Date }[] }>(
        `update promotions set expires_at = ${endOfDaySql} where id = :id returning expires_at`,
        { id: target.id, lastDay, timeZone },
      );
      const expiry = Date.parse(end);
      expect(rows[0]!.expires_at.toISOString()).toBe(new Date(expiry).toISOString());
      expect(localDay(expiry - 1, timeZone)).toBe(lastDay);
      expect(localDay(expiry, timeZone)).not.toBe(lastDay);

      const found: string[] = [];
      for (const instant of [expiry - 24 * hour, expiry - 1, expiry, expiry + hour])
        found.push(await outcomeAt(instant, target));
      expect(found).toEqual(["applied", "applied", "expired", "expired"]);
    },
  );
});

const firstMoments: [timeZone: string, first: string, period: number][] = [
  ["UTC", "2027-01-01T00:00Z", 202701],
  ["UTC", "2028-03-01T00:00Z", 202803],
  ["Europe/London", "2026-03-31T23:00Z", 202604],
  ["Europe/London", "2026-11-01T00:00Z", 202611],
  ["America/Santiago", "2026-09-01T04:00Z", 202609],
  ["America/Santiago", "2026-10-01T03:00Z", 202610],
  // The month that began at one o'clock.
  ["America/Asuncion", "2017-10-01T04:00Z", 201710],
  ["Asia/Beirut", "2026-10-31T22:00Z", 202611],
  ["Pacific/Apia", "2026-12-31T11:00Z", 202701],
];

describe("a renewable code", () => {
  const all: string[] = [];
  afterAll(() =>
    reportFigures(
      "F24",
      `100 at once across the first moment of a month, in ${all.length / 100} months and zones: ${tally(all)}`,
    ),
  );

  test.each(firstMoments.slice(0, repetitions(3, 9)))(
    "%s: 100 ask across %s, and no month gives more than it has",
    async (timeZone, first, period) => {
      await inZone(timeZone);
      const target = await insertRedeemable({
        discount_type: "free_drink",
        discount_value: 5,
        is_renewable: true,
        period_key: 200001,
      });
      const boundary = Date.parse(first);
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          outcomeAt(index % 2 ? boundary : boundary - 1, target),
        ),
      );
      expect(new Set(outcomes)).toEqual(new Set(["applied", "used_up"]));
      const counted = await db()("transactions")
        .where({ promotion_id: target.id })
        .groupBy("period_key")
        .orderBy("period_key")
        .select<{ period_key: number; uses: number }[]>(
          "period_key",
          db().raw("count(*)::integer as uses"),
        );
      expect(counted.at(-1)).toEqual({ period_key: period, uses: 5 });
      const before = counted.slice(0, -1);
      expect(before.length).toBeLessThanOrEqual(1);
      for (const { period_key, uses } of before) {
        expect(period_key).toBe(period % 100 === 1 ? period - 89 : period - 1);
        expect(uses).toBeLessThanOrEqual(5);
      }
      const applied = outcomes.filter((outcome) => outcome === "applied").length;
      expect(applied).toBe(counted.reduce((sum, { uses }) => sum + uses, 0));
      all.push(...outcomes);
    },
  );

  test("has its limit back at the first moment of a month, not a millisecond sooner", async () => {
    for (const [timeZone, first] of firstMoments) {
      await inZone(timeZone);
      const single = { is_single_use: true, max_uses: 1, is_renewable: true, period_key: 200001 };
      const target = await insertRedeemable(single);
      const boundary = Date.parse(first);
      expect(await outcomeAt(boundary - 2, target)).toBe("applied");
      expect(await outcomeAt(boundary - 1, target)).toBe("used_up");
      expect(await outcomeAt(boundary, target)).toBe("applied");
      expect(await outcomeAt(boundary + 1, target)).toBe("used_up");
    }
  });
});

describe("an instance whose clock is an hour off", () => {
  async function post(index: number, address: string, body: unknown, by = secret) {
    const answer = await send(instances[index]!.origin, address, {
      method: "POST",
      headers: { Authorization: `Bearer ${by}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { ...answer, json: JSON.parse(answer.body) as Record<string, unknown> };
  }
  const redeemAt = (index: number, sent: RedemptionRequest, by?: string) =>
    post(index, "/api/redemptions", sent, by);
  const rollBackAt = (index: number, { redemptionId }: RedemptionRequest) =>
    post(index, `/api/redemptions/${redemptionId}/rollback`, undefined);

  /** Collects the decision of each instance about equal data of its own. */
  async function decisions<Decision>(decide: (index: number) => Promise<Decision>) {
    const found: Decision[] = [];
    for (const index of clocksOff.keys()) found.push(await decide(index));
    return found;
  }

  test("really is", async () => {
    for (const [index, off] of clocksOff.entries()) {
      await redeemAt(index, request(await insertRedeemable()));
      const time = await vi.waitFor(() => {
        const line = /"time":(\d+)/.exec(instances[index]!.output());
        if (!line) throw new Error("Nothing is logged yet");
        return Number(line[1]);
      });
      expect(Math.abs(time - Date.now() - off)).toBeLessThan(10 * 60_000);
    }
  });

  const inMinutes = (minutes: number) => db().raw(`now() + interval '${minutes} minutes'`);

  const redeemsUntil = async (index: number, minutes: number) => {
    const target = await insertRedeemable({ expires_at: inMinutes(minutes) });
    return (await redeemAt(index, request(target))).status;
  };
  const rollsBackAfter = async (index: number, minutes: number) => {
    const sent = request(await insertRedeemable());
    await redeemAt(index, sent);
    await moveRedemption(sent.redemptionId, `${minutes} minutes`);
    return (await rollBackAt(index, sent)).status;
  };
  const takesKeyUntil = async (index: number, minutes: number) => {
    const mine = await makeKey();
    const expiry = { expires_at: inMinutes(minutes) };
    await db()("api_keys").where({ id: mine.id }).update(expiry);
    return (await redeemAt(index, request(await insertRedeemable()), mine.secret)).status;
  };

  test.each([
    ["redeems a code that expires in 10 minutes", redeemsUntil, 10, 201],
    ["redeems no code that expired 10 minutes ago", redeemsUntil, -10, 422],
    ["rolls back after 9 minutes", rollsBackAfter, 9, 200],
    ["rolls nothing back after 11 minutes", rollsBackAfter, 11, 409],
    ["takes a key that ends in 10 minutes", takesKeyUntil, 10, 201],
    ["takes no key that ended 10 minutes ago", takesKeyUntil, -10, 401],
  ] as const)("%s, as the others do", async (_name, ask, minutes, status) => {
    const statuses = await decisions((index) => ask(index, minutes));
    expect(statuses).toEqual(clocksOff.map(() => status));
  });

  test("notes the database's time", async () => {
    const times = await decisions(async (index) => {
      const { json } = await redeemAt(index, request(await insertRedeemable()));
      return Date.parse(String(json.timestamp));
    });
    for (const time of times) expect(Math.abs(time - Date.now())).toBeLessThan(5 * 60_000);
  });

  inSoak(test)("throttles as long as the others, and counts with them", async () => {
    const mine = await makeKey();
    const target = await insertRedeemable();
    for (let miss = 0; miss < 30; miss++) {
      const sent = request({ ...target, code: newCode() });
      expect((await redeemAt(miss % 3, sent, mine.secret)).status).toBe(422);
    }
    const waits = await decisions(async (index) => {
      const answer = await redeemAt(index, request(target), mine.secret);
      expect(answer.status).toBe(429);
      return Number(answer.headers["retry-after"]);
    });
    expect(Math.max(...waits)).toBeLessThanOrEqual(60);
    expect(Math.min(...waits)).toBeGreaterThan(0);
    for (const [ends, status] of [
      ["10 minutes", 429],
      ["-10 minutes", 201],
    ] as const) {
      await db().raw(
        `update rate_limits set expire = extract(epoch from now() + cast(:ends as interval)) * 1000
         where key like 'redeem/%'`,
        { ends },
      );
      // An instance remembers for 5 s that a key is throttled.
      await expect
        .poll(
          () =>
            decisions(
              async (index) => (await redeemAt(index, request(target), mine.secret)).status,
            ),
          { timeout: 10_000, interval: 500 },
        )
        .toEqual(clocksOff.map(() => status));
    }
  });

  test("answers again what another one answered", async () => {
    const sent = request(await insertRedeemable());
    const bodies = await decisions(async (index) => (await redeemAt(index, sent)).body);
    expect(new Set(bodies).size).toBe(1);
  });
});
