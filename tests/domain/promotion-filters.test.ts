import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { promotionStatuses } from "../../app/features/promotions/promotion";
import {
  noFilters,
  type PromotionFilters,
} from "../../app/features/promotions/list/promotion-filters";
import { filterSql, matchingIdsSql } from "../../app/features/promotions/list/access-paths.server";
import { clockBindings, clockSql } from "../../app/features/promotions/promotion-sql.server";
import { assign, setIdOf } from "../factories/assignments";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine } from "../factories/people-and-machines";
import { insertGeneration, insertPromotion } from "../factories/promotions";
import { useDatabase } from "../support/postgres";
import { readAllPages } from "../support/promotion-pages";
import { repetitions } from "../support/repetitions";
import { day, localDay, matches, readFacts, type Fact } from "./filter-oracle";

useDatabase();

let facts: Fact[];

beforeAll(async () => {
  const machines = [];
  for (const [serial, name] of [
    ["VM-1", "Lobby"],
    ["VM-10", "Lobby 100%"],
    ["vm-200", "Canteen_north"],
    ["X-7", "Gate"],
  ]) {
    machines.push(await insertMachine({ serial_number: serial, human_name: name }));
  }
  const group = await insertGroup([machines[1]!.id]);
  const generations: string[] = [];
  for (let i = 0; i < 3; i++) {
    generations.push(
      await insertGeneration({
        name: ["Batch summer", "Batch 50%_off", "Ärger batch"][i],
        num_codes: 5,
        open_minutes: ["{[0,10080)}", null, "{}"][i],
        starts_at: [null, new Date(Date.now() - day), new Date(Date.now() + day)][i],
        discount_value: 10,
        is_single_use: true,
      }),
    );
  }
  await assign("mass_generations", generations[0]!, { machine_id: machines[2]!.id });
  await assign("mass_generations", generations[1]!, { group_id: group });

  const transactions: object[] = [];
  const assignments: object[] = [];
  const names = ["Summer 50%_off", "summer", "Über\\mut", "A - b", "Complaint 4411", "X"];
  for (let i = 0; i < 240; i++) {
    const generation = i % 4 === 0 ? generations[(i / 4) % 3]! : null;
    const isSingleUse = generation !== null || i % 5 === 0;
    const hasOwn = generation === null || i % 24 === 0;
    const isRenewable = generation === null && i % 7 === 0;
    const isDeleted = i % 9 === 0;
    const uses = i % 3 === 0 && isSingleUse ? 1 : 0;
    const id = await insertPromotion({
      name: generation ? generationName(generations.indexOf(generation)) : names[i % names.length],
      mass_generation_id: generation,
      is_single_use: isSingleUse,
      ...(i % 13 === 2 && !isSingleUse && { discount_type: "free_drink" }),
      is_renewable: isRenewable,
      period_key: isRenewable ? (i % 2 ? 202001 : 209901) : 0,
      period_uses: uses,
      activation_count: uses + (i % 11 === 0 ? 3 : 0),
      expires_at:
        isRenewable || i % 5 < 2 ? null : new Date(Date.now() + ((i % 9) - 4.5) * 2.2 * day),
      starts_at:
        generation || i % 7 > 2 ? null : new Date(Date.now() + (i % 7 === 1 ? -day : 2 * day)),
      open_minutes: generation ? null : [null, "{}", "{[0,10080)}"][i % 3],
      is_active: i % 8 !== 1,
      ...(hasOwn && { is_assigned: i % 6 !== 0 }),
      has_own_set: hasOwn,
      is_deleted: isDeleted,
      created_at: new Date(Date.now() - (i % 80) * day),
    });
    const transaction = {
      promotion_id: id,
      machine_id: machines[0]!.id,
      type: "percentage",
      original_price: 200,
      discount: 50,
      status: "applied",
    };
    const used_at = new Date(Date.now() - (i % 12) * day);
    if (uses > 0)
      transactions.push({ ...transaction, redemption_id: `used ${i}`, created_at: used_at });
    // This one counts for nothing.
    const rolledBack = {
      status: "rolled_back",
      rolled_back_at: new Date(),
      created_at: new Date(),
    };
    transactions.push({ ...transaction, ...rolledBack, redemption_id: `rolled back ${i}` });
    if (!hasOwn) continue;
    // The flag is a fact of its own here: filters by machine must not depend on it.
    const targets = [
      ...(i % 3 === 0 ? [{ machine_id: machines[(i / 3) % 4]!.id }] : []),
      ...(i % 10 === 1 ? [{ group_id: group }] : []),
    ];
    const set_id = await setIdOf("promotions", id);
    assignments.push(...targets.map((target) => ({ set_id, ...target })));
  }
  await db()("transactions").insert(transactions);
  await db()("assignments").insert(assignments);
  facts = await readFacts();
});

function generationName(index: number): string {
  return ["Batch summer", "Batch 50%_off", "Ärger batch"][index]!;
}

async function readNow(): Promise<Date> {
  const { rows } = await db().raw<{ rows: { now: Date }[] }>("select now()");
  return rows[0]!.now;
}

async function idsBy(sql: string, filters: PromotionFilters): Promise<string[]> {
  const { rows } = await db().raw<{ rows: { id: string }[] }>(`with ${clockSql} ${sql}`, {
    ...clockBindings(),
    ...filterSql(filters).bindings,
  });
  return rows.map(({ id }) => id).sort();
}

/** The list, the one condition and the select of ids all agree with the predicate. */
async function expectExactly(filters: PromotionFilters): Promise<string[]> {
  const now = await readNow();
  const expected = facts
    .filter((row) => matches(row, filters, now))
    .map(({ id }) => id)
    .sort();
  const listed = await readAllPages({ filters, perPage: 50 });
  expect(listed.map(({ id }) => id).sort()).toEqual(expected);
  expect(
    await idsBy(`select p.id from promotions p where ${filterSql(filters).sql}`, filters),
  ).toEqual(expected);
  expect(await idsBy(matchingIdsSql(filters), filters)).toEqual(expected);
  return expected;
}

const iso = (daysAgo: number) => localDay.format(Date.now() - daysAgo * day);
const maybe = fc.constantFrom(null, null, true, false);

const anyFilters: fc.Arbitrary<PromotionFilters> = fc.record({
  view: fc.constant(null),
  createdAfter: fc.constantFrom(null, null, iso(70), iso(40), iso(3)),
  createdBefore: fc.constantFrom(null, null, iso(2), iso(20)),
  created: fc.constantFrom(null, null, "7d", "30d", "2m"),
  machine: fc.constantFrom("", "", "", "vm", "LOBBY", "none"),
  groupId: fc.constantFrom(null, null, null, "1", "999999"),
  massGeneration: fc.constantFrom("", "", "", "batch", "50%_", "none"),
  serialNumber: fc.constantFrom("", "", "", "VM-1", "vm", "x-7", "none", "%"),
  controller: fc.constantFrom("", "", "", "lobby", "100%", "canteen_", "_"),
  text: fc.constantFrom("", "", "", "summer", "50%_", "bat", "über\\", "a", "4411", "A - b", "%%%"),
  type: fc.constantFrom(null, null, "single", "mass"),
  discountType: fc.constantFrom(null, null, null, "percentage", "free_drink"),
  expires: fc.constantFrom(null, null, null, "7d", "30d", "ahead", "passed", "none"),
  use: fc.constantFrom(null, null, null, "unused", "used", "once", "reusable"),
  startsAfter: fc.constantFrom(null, null, null, iso(1), iso(-1)),
  startsBefore: fc.constantFrom(null, null, null, iso(-1), iso(0)),
  isRunning: maybe,
  completedAfter: fc.constantFrom(null, null, null, iso(6), iso(3)),
  completedBefore: fc.constantFrom(null, null, null, iso(2), iso(5)),
  status: fc.constantFrom(null, null, null, ...promotionStatuses),
  isUsed: maybe,
  isReusable: maybe,
  isExpired: maybe,
  isIndefinite: maybe,
  massGenerationId: fc.constantFrom(null, null, null, "1", "2", "999999"),
  deleted: fc.constantFrom("without", "with", "only"),
  codesBy: fc.constantFrom("part", "part", "end"),
});

test(
  "every combination lists exactly what a look at each row says",
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(anyFilters, async (filters) => {
        await expectExactly(filters);
      }),
      { numRuns: repetitions(5, 500) },
    );
  },
);

const single: Partial<PromotionFilters>[] = [
  ...promotionStatuses.map((status) => ({
    status,
    deleted: status === "deleted" ? ("only" as const) : ("without" as const),
  })),
  { created: "7d" },
  { created: "30d" },
  { created: "2m" },
  { createdAfter: iso(10) },
  { createdBefore: iso(10) },
  { serialNumber: "vm-1" },
  { controller: "LOBBY" },
  { machine: "vm-1" },
  { machine: "gate" },
  { groupId: "1" },
  { massGeneration: "BATCH 50%" },
  { type: "single" },
  { type: "mass" },
  ...(["7d", "30d", "ahead", "passed", "none"] as const).map((expires) => ({ expires })),
  ...(["unused", "used", "once", "reusable"] as const).map((use) => ({ use })),
  { completedAfter: iso(5) },
  { completedBefore: iso(2) },
  { completedAfter: iso(3), completedBefore: iso(3) },
  { discountType: "free_drink" },
  { isUsed: true },
  { isReusable: false },
  { isExpired: true },
  { isIndefinite: true },
  { massGenerationId: "2" },
  { deleted: "only" },
];

test.each(single)("%o finds some, and only those", async (filters) => {
  const found = await expectExactly({ ...noFilters, ...filters });
  expect(found.length).toBeGreaterThan(0);
  expect(found.length).toBeLessThan(facts.length);
});

describe("text", () => {
  const code = "7KQ29XWM4TRD";
  beforeAll(async () => {
    await insertPromotion({ code, name: "Zebra crossing" });
    facts = await readFacts();
  });
  const find = (text: string) => expectExactly({ ...noFilters, text });
  const ofZebra = () => [facts.find((row) => row.code === code)!.id];

  test.each([
    "zebra",
    "BRA CRO",
    code,
    code.toLowerCase(),
    "7KQ2-9XWM-4TRD",
    "7kq2 9xwm 4trd",
    // Six letters, which no other code has by chance.
    "xwm4tr",
    "9xWM-4T",
    "wm4trd",
  ])("'%s' finds it by name or code", async (text) => {
    expect(await find(text)).toEqual(ofZebra());
  });

  test("one or two characters are the beginning of a code, never a name", async () => {
    expect(await find("7k")).toContain(ofZebra()[0]);
    expect(await find("ze")).not.toContain(ofZebra()[0]);
    expect(await find("kq")).not.toContain(ofZebra()[0]);
  });

  test.each([
    "%%%",
    "___",
    "\\\\\\",
    "7KQ%",
    "_KQ29",
    "'; drop table promotions; --",
    "ſſſ",
    "-",
    "  - ",
  ])("'%s' is text like any other", async (text) => {
    expect(await find(text)).toEqual([]);
  });
});

describe("days begin and end in the site's zone", () => {
  test.each([
    ["2024-06-01T21:59:59.999Z", "2024-06-01"],
    ["2024-06-01T22:00:00Z", "2024-06-02"],
    ["2024-03-31T21:59:59Z", "2024-03-31"],
    ["2024-10-27T22:59:59Z", "2024-10-27"],
    ["2024-10-27T23:00:00Z", "2024-10-28"],
  ])("%s is on %s", async (createdAt, date) => {
    const name = `Day of ${createdAt}`;
    const id = await insertPromotion({ name, created_at: createdAt });
    facts = await readFacts();
    const on = { ...noFilters, createdAfter: date, createdBefore: date };
    expect(await expectExactly(on)).toContain(id);
  });
});
