import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { checkCode, findSimilarCodes } from "../../app/features/redemptions/check-code.server";
import { codeActivity, maxEvents } from "../../app/features/redemptions/activity.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { refusalReasons } from "../../app/features/redemptions/refusal-reason";
import { assign } from "../factories/assignments";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { insertRedeemable, makeKey, newCode, outcomeOf, request } from "../factories/redemptions";
import { insertTransaction } from "../factories/transactions";
import { useDatabase } from "../support/postgres";
import { repetitions } from "../support/repetitions";

useDatabase();

const now = new Date("2026-11-21T10:00:00Z");
const month = 202_611;

/** Random state of everything that decides about a code at a machine. */
const state = fc.record({
  isFreeDrink: fc.boolean(),
  isSingleUse: fc.boolean(),
  isRenewable: fc.boolean(),
  isOfGeneration: fc.boolean(),
  hasOwnMachines: fc.boolean(),
  isActive: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
  isDeleted: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
  /** To the millisecond around now. */
  expiry: fc.constantFrom("none", "later", "next millisecond", "now", "before"),
  uses: fc.nat(3),
  wasCounted: fc.constantFrom("this month", "last month"),
  /** Assignment of the code or its generation. */
  assigned: fc.constantFrom("machine", "group", "other machine", "other group", "nothing"),
  machine: fc.oneof(
    { weight: 8, arbitrary: fc.constant("there") },
    fc.constantFrom("deleted", "unknown"),
  ),
  code: fc.oneof({ weight: 8, arbitrary: fc.constant("there") }, fc.constant("unknown")),
});
type State = typeof state extends fc.Arbitrary<infer Value> ? Value : never;

const expiries: Record<State["expiry"], Date | null> = {
  none: null,
  later: new Date("2026-12-01T00:00:00Z"),
  "next millisecond": new Date(now.getTime() + 1),
  now,
  before: new Date("2026-11-20T23:00:00Z"),
};

/** @returns the code and the serial number to ask about */
async function build(of: State) {
  const machine = await insertMachine({ is_deleted: of.machine === "deleted" });
  const other = await insertMachine();
  const targets = {
    machine: async () => ({ machine_id: machine.id }),
    group: async () => ({ group_id: await insertGroup([machine.id]) }),
    "other machine": async () => ({ machine_id: other.id }),
    "other group": async () => ({ group_id: await insertGroup([other.id]) }),
    nothing: async () => null,
  };
  const target = await targets[of.assigned]();
  const value = of.isFreeDrink ? (of.isSingleUse ? 1 : 3) : 25;
  const limit = of.isSingleUse ? 1 : of.isFreeDrink ? value : null;
  const kind = {
    discount_type: of.isFreeDrink ? "free_drink" : "percentage",
    discount_value: value,
    is_single_use: of.isSingleUse,
    is_renewable: of.isRenewable,
    expires_at: of.isRenewable ? null : expiries[of.expiry],
  };
  const uses = Math.min(of.uses, limit ?? of.uses);
  const own = {
    max_uses: limit,
    is_active: of.isActive,
    is_deleted: of.isDeleted,
    deleted_at: of.isDeleted ? now : null,
    period_uses: uses,
    activation_count: uses,
    period_key: of.isRenewable ? (of.wasCounted === "this month" ? month : month - 1) : 0,
  };
  const generation = of.isOfGeneration ? await insertGeneration(kind) : null;
  const ids = generation
    ? await insertCodes(generation, 1, { ...kind, ...own, has_own_set: of.hasOwnMachines })
    : [await insertPromotion({ ...kind, ...own })];
  const isOwn = !generation || of.hasOwnMachines;
  if (target)
    await (isOwn
      ? assign("promotions", ids[0]!, target)
      : assign("mass_generations", generation!, target));
  const { code } = await db()("promotions").where({ id: ids[0] }).first("code");
  return {
    code: of.code === "there" ? (code as string) : newCode(),
    serialNumber: of.machine === "unknown" ? `nowhere ${machine.id}` : machine.serial_number,
  };
}

/** Content of all tables, which a check must not change. */
async function everything(): Promise<string> {
  const tables = ["promotions", "transactions", "redemption_attempts", "machines", "rate_limits"];
  const hashes = await Promise.all(
    tables.map((table) =>
      db().raw<{ rows: { hash: string }[] }>(
        "select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as hash from ?? t",
        [table],
      ),
    ),
  );
  return hashes.map(({ rows }) => rows[0]!.hash).join();
}

describe("the verdict", () => {
  test(
    "is what a redemption comes to in the next moment, in any state",
    { timeout: 60_000 },
    async () => {
      const seen = new Map<string, number>();
      const { secret } = await makeKey();
      await fc.assert(
        fc.asyncProperty(state, async (of) => {
          const asked = await build(of);
          const { verdict } = await checkCode(asked, now);
          const answer = await redeem(
            { ...asked, originalPrice: 200, redemptionId: `r-${asked.code}` },
            secret,
            now,
          );
          const came = answer.outcome === "applied" ? "accepted" : outcomeOf(answer);
          expect(verdict).toBe(came);
          seen.set(came, (seen.get(came) ?? 0) + 1);
        }),
        { numRuns: repetitions(40, 1_000), seed: 20_261_121 },
      );
      // None of the answers was left out. A throttled attempt is not judged; caps and hours have tests of their own.
      const others = ["throttled", "not_yet", "outside_hours", "price_too_low", "cap_reached"];
      const decided = refusalReasons.filter((reason) => !others.includes(reason));
      expect([...seen.keys()].sort()).toEqual(["accepted", ...decided].sort());
    },
  );

  test("changes with the last use, and with the month", async () => {
    const target = await insertRedeemable({ is_single_use: true, is_renewable: true, max_uses: 1 });
    const ask = (at: Date) => checkCode(target, at);
    expect((await ask(now)).verdict).toBe("accepted");
    await redeem(request(target), (await makeKey()).secret, now);
    expect((await ask(now)).verdict).toBe("used_up");
    const nextMonth = new Date("2026-11-30T23:00:00Z");
    expect((await ask(new Date(nextMonth.getTime() - 1))).verdict).toBe("used_up");
    expect((await ask(nextMonth)).verdict).toBe("accepted");
  });

  test("is given for a machine only, and nothing is consumed", async () => {
    const target = await insertRedeemable();
    const before = await everything();
    expect(await checkCode({ code: target.code, serialNumber: "" })).toMatchObject({
      promotion: { id: target.id, status: "active" },
      machine: null,
      verdict: null,
    });
    const { serialNumber } = target;
    expect(await checkCode({ code: target.code, serialNumber })).toMatchObject({
      machine: { serialNumber: target.serialNumber, isDeleted: false },
      verdict: "accepted",
    });
    expect(await checkCode({ code: newCode(), serialNumber })).toMatchObject({
      promotion: null,
      verdict: "unknown",
    });
    expect(await everything()).toBe(before);
  });

  test("compares serial numbers exactly, as a redemption does, and suggests the other case", async () => {
    const target = await insertRedeemable({}, await insertMachine({ serial_number: "Hall-3" }));
    const asked = { code: target.code, serialNumber: "HALL-3" };
    expect(await checkCode(asked)).toMatchObject({
      machine: null,
      similarSerial: "Hall-3",
      verdict: "machine_unknown",
    });
    expect(await redeem(request(asked), (await makeKey()).secret)).toEqual({
      outcome: "refused",
      reason: "machine_unknown",
    });
    expect(await checkCode({ ...asked, serialNumber: "Hall-3" })).toMatchObject({
      machine: { serialNumber: "Hall-3" },
      similarSerial: null,
      verdict: "accepted",
    });
  });

  test("means the machine that is called so exactly, where two differ in case only", async () => {
    await insertMachine({ serial_number: "vm-7", human_name: "small" });
    await insertMachine({ serial_number: "VM-7", human_name: "large" });
    for (const [typed, humanName] of [
      ["vm-7", "small"],
      ["VM-7", "large"],
    ] as const) {
      const { machine } = await checkCode({ code: newCode(), serialNumber: typed });
      expect(machine).toMatchObject({ serialNumber: typed, humanName });
    }
  });
});

test("codes that look like what was read are found, deleted ones too", async () => {
  await insertPromotion({ code: "A8CDEFGH2345" });
  await insertPromotion({ code: "ABCDEFGHZ345", is_deleted: true });
  await insertPromotion({ code: "ABCDEFGH2346" });
  expect(await findSimilarCodes("abcd-efgh-2345")).toEqual(["A8CDEFGH2345", "ABCDEFGHZ345"]);
  expect(await findSimilarCodes("ABCDEFGH23O6")).toEqual(["ABCDEFGH2346"]);
  expect(await findSimilarCodes("nothing")).toEqual([]);
});

describe("what happened at machines", () => {
  let target: Awaited<ReturnType<typeof insertRedeemable>>;
  let secret = "";

  beforeAll(async () => {
    target = await insertRedeemable({ discount_value: 25 });
    secret = (await makeKey()).secret;
  });

  test("is redemptions and refused attempts, newest first, each once", async () => {
    const elsewhere = await insertMachine();
    await redeem(request(target, { originalPrice: 200 }), secret);
    await redeem(request({ ...target, serialNumber: elsewhere.serial_number }), secret);
    await redeem(request({ ...target, serialNumber: "=nowhere" }), secret);
    // From before attempts were logged.
    await insertTransaction({
      promotion_id: target.id,
      machine_id: elsewhere.id,
      status: "rolled_back",
      original_price: 100,
      discount: 25,
      created_at: new Date("2026-01-01T12:00:00Z"),
    });
    const events = await codeActivity(target.id);
    expect(events).toMatchObject([
      { outcome: "refused", serialNumber: "=nowhere", reason: "unknown machine" },
      {
        outcome: "refused",
        serialNumber: elsewhere.serial_number,
        reason: "not assigned",
        paid: null,
      },
      { outcome: "applied", reason: null, price: "$2.00", paid: "$1.50" },
      { outcome: "rolled_back", occurredAt: "01.01.2026 13:00", paid: "$0.75" },
    ]);
    expect(new Set(events.map(({ key }) => key)).size).toBe(4);
  });

  test("ends after so many, whatever they are", async () => {
    const elsewhere = await insertMachine();
    for (let i = 0; i < 40; i++) {
      const serialNumber = i % 3 ? target.serialNumber : elsewhere.serial_number;
      await redeem(request({ ...target, serialNumber }), secret);
    }
    const events = await codeActivity(target.id);
    expect(events).toHaveLength(maxEvents);
    const outcomes = events.map(({ outcome }) => outcome);
    const newest = Array.from({ length: maxEvents }, (_, back) =>
      (39 - back) % 3 ? "applied" : "refused",
    );
    expect(outcomes).toEqual(newest);
  });
});
