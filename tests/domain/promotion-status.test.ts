import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import {
  clockBindings,
  clockSql,
  promotionColumns,
} from "../../app/features/promotions/promotion-sql.server";
import { insertGeneration } from "../factories/promotions";
import { useDatabase } from "../support/postgres";
import { periodKeyAt, promotionStatus, remainingUses, type StatusFacts } from "./status-oracle";
import { repetitions } from "../support/repetitions";
import { property } from "../support/property";

useDatabase({ isOwner: true });

const timeZone = "Europe/Berlin";
const now = new Date("2026-11-21T12:00:00Z");
const runs = repetitions(100, 2_000);

let sets: { id: string; is_assigned: boolean }[];
// Without the constraints of the table, which would reject some combinations.
beforeAll(async () => {
  await db().raw("create table status_rows (like promotions including defaults)");
  sets = await db()("assignment_sets")
    .insert([{ is_assigned: false }, { is_assigned: true }])
    .returning<{ id: string; is_assigned: boolean }[]>(["id", "is_assigned"]);
});

async function statusInSql(all: StatusFacts[], at: Date) {
  await db().raw("truncate status_rows");
  await db()("status_rows").insert(
    all.map((facts, i) => ({
      id: i,
      code: "222222222222",
      name: "x",
      discount_type: "percentage",
      discount_value: 1,
      is_single_use: false,
      is_renewable: facts.isRenewable,
      expires_at: facts.expiresAt,
      starts_at: facts.startsAt,
      max_uses: facts.maxUses,
      period_key: facts.periodKey,
      period_uses: facts.periodUses,
      activation_count: facts.periodUses,
      is_active: facts.isActive,
      set_id: sets.find((set) => set.is_assigned === facts.isAssigned)!.id,
      is_deleted: facts.isDeleted,
    })),
  );
  const { rows } = await db().raw<{ rows: { status: string; remaining_uses: number | null }[] }>(
    `with ${clockSql} select ${promotionColumns} from status_rows p order by id`,
    clockBindings(at),
  );
  return rows.map((row) => ({ status: row.status, remaining: row.remaining_uses }));
}

function expectedStatus(all: StatusFacts[], at: Date) {
  return all.map((facts) => ({
    status: promotionStatus(facts, at, timeZone),
    remaining: remainingUses(facts, at, timeZone),
  }));
}

const both = [true, false];
const limits = [
  { maxUses: null, periodUses: 0 },
  { maxUses: null, periodUses: 7 },
  { maxUses: 1, periodUses: 0 },
  { maxUses: 1, periodUses: 1 },
  { maxUses: 5, periodUses: 4 },
  { maxUses: 5, periodUses: 5 },
];
const ends = [
  null,
  new Date(now.getTime() - 1),
  now,
  new Date(now.getTime() + 1),
  new Date("2027-01-01T00:00:00Z"),
];
const starts = [null, now, new Date(now.getTime() + 1)];

test("the status in SQL follows the rule for every combination of facts", async () => {
  const all = both.flatMap((isDeleted) =>
    both.flatMap((isActive) =>
      both.flatMap((isAssigned) =>
        ends.flatMap((expiresAt) =>
          starts.flatMap((startsAt) =>
            limits.flatMap((limit) =>
              [0, 202610, 202611, 202612].map((periodKey) => ({
                isDeleted,
                isActive,
                isAssigned,
                expiresAt,
                startsAt,
                periodKey,
                ...limit,
                isRenewable: periodKey > 0,
              })),
            ),
          ),
        ),
      ),
    ),
  );
  expect(await statusInSql(all, now)).toEqual(expectedStatus(all, now));
  const seen = new Set(expectedStatus(all, now).map(({ status }) => status));
  expect(seen.size).toBe(7);
});

const anyMoment = fc.date({
  min: new Date("2020-01-01T00:00:00Z"),
  max: new Date("2040-01-01T00:00:00Z"),
  noInvalidDate: true,
});
const anyFacts: fc.Arbitrary<StatusFacts> = fc.record({
  isDeleted: fc.boolean(),
  isActive: fc.boolean(),
  isAssigned: fc.boolean(),
  isRenewable: fc.boolean(),
  expiresAt: fc.option(anyMoment, { nil: null }),
  startsAt: fc.option(anyMoment, { nil: null }),
  maxUses: fc.constantFrom(null, 1, 2, 1000),
  periodKey: fc.constantFrom(0, 202001, 202611, 203912),
  periodUses: fc.constantFrom(0, 1),
});

property([fc.array(anyFacts, { minLength: 1, maxLength: 20 }), anyMoment], { numRuns: runs })(
  "the status in SQL follows the rule at any time",
  async (all, at) => {
    expect(await statusInSql(all, at)).toEqual(expectedStatus(all, at));
  },
);

test("a code has the status that its own row and its generation's make together", async () => {
  const past = new Date(now.getTime() - 1);
  const future = new Date(now.getTime() + 1);
  const generations = both.flatMap((is_deleted) =>
    both.flatMap((is_active) =>
      [null, past, future].flatMap((expires_at) =>
        [null, past, future].map((starts_at) => ({ is_deleted, is_active, expires_at, starts_at })),
      ),
    ),
  );
  await db().raw("truncate status_rows");
  const codes: object[] = [];
  const expected: string[] = [];
  for (const generation of generations) {
    const mass_generation_id = await insertGeneration(generation);
    for (const isDeleted of both)
      for (const isActive of both)
        for (const own of [null, past, future]) {
          codes.push({
            id: expected.length,
            code: "222222222222",
            name: "x",
            mass_generation_id,
            discount_type: "percentage",
            discount_value: 1,
            is_single_use: false,
            is_renewable: false,
            is_deleted: isDeleted,
            is_active: isActive,
            set_id: sets[1]!.id,
            expires_at: own,
            has_own_expiration: own !== null,
          });
          const facts = {
            isDeleted: isDeleted || generation.is_deleted,
            isActive: isActive && generation.is_active,
            expiresAt: own ?? generation.expires_at,
            startsAt: generation.starts_at,
            isAssigned: true,
            isRenewable: false,
            maxUses: null,
            periodKey: 0,
            periodUses: 0,
          };
          expected.push(promotionStatus(facts, now, timeZone));
        }
  }
  await db()("status_rows").insert(codes);
  const { rows } = await db().raw<{ rows: { status: string }[] }>(
    `with ${clockSql} select ${promotionColumns} from status_rows p order by id`,
    clockBindings(now),
  );
  expect(rows.map(({ status }) => status)).toEqual(expected);
  expect(new Set(expected)).toEqual(
    new Set(["deleted", "inactive", "expired", "scheduled", "active"]),
  );
});

test("a renewable promotion gets its limit back at local midnight of the first", async () => {
  const used: StatusFacts = {
    isDeleted: false,
    isActive: true,
    isAssigned: true,
    isRenewable: true,
    expiresAt: null,
    startsAt: null,
    maxUses: 3,
    periodKey: 202611,
    periodUses: 3,
  };
  // Berlin is an hour ahead of UTC in winter.
  const before = new Date("2026-11-30T22:59:59.999Z");
  const after = new Date("2026-11-30T23:00:00.000Z");
  expect(await statusInSql([used], before)).toEqual([{ status: "used_up", remaining: 0 }]);
  expect(await statusInSql([used], after)).toEqual([{ status: "active", remaining: 3 }]);
  expect([periodKeyAt(before, timeZone), periodKeyAt(after, timeZone)]).toEqual([202611, 202612]);
});
