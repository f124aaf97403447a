import { randomUUID } from "node:crypto";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import {
  changeKeyLimit,
  createIntegration,
} from "../../app/features/integrations/integrations.server";
import { createKey } from "../../app/features/integrations/new-keys.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { type RedemptionRequest } from "../../app/features/redemptions/redemption-api";
import type { RefusalReason } from "../../app/features/redemptions/refusal-reason";
import { assign, assignMachines, setIdOf } from "../factories/assignments";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine, insertMachines } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import {
  insertRedeemable,
  makeKey,
  newCode,
  outcomeOf,
  request,
  useUpLookups,
} from "../factories/redemptions";
import { assertInvariants } from "../support/invariants";
import { useDatabase } from "../support/postgres";
import { isSoak, repetitions } from "../support/repetitions";

useDatabase();
afterAll(assertInvariants);

let key: Awaited<ReturnType<typeof makeKey>>;
let secret = "";
// One key's misses are nobody else's business.
beforeEach(async () => {
  key = await makeKey();
  secret = key.secret;
});

/** A serial number that no machine has; misses are counted for each. */
const nowhere = () => `nowhere ${randomUUID()}`;

const redeemed = async (sent: RedemptionRequest, now: Date | null = null, by = secret) =>
  outcomeOf(await redeem(sent, by, now));

async function counters(id: string) {
  const row = await db()("promotions")
    .where({ id })
    .first("activation_count", "period_uses", "period_key", "version");
  return row as Record<string, number>;
}

async function attempts(redemptionId: string) {
  return db()("redemption_attempts")
    .where({ redemption_id: redemptionId })
    .select("outcome", "code", "promotion_id", "machine_id", "transaction_id", "integration_id");
}

describe("an accepted redemption", () => {
  test("is a transaction, an attempt, a use, and the last use of machine and key", async () => {
    const target = await insertRedeemable({ discount_value: 33, name: "Night market" });
    const sent = request(target, { originalPrice: 199 });
    const answer = await redeem(sent, secret);
    expect(answer).toEqual({
      outcome: "applied",
      transaction: {
        id: expect.stringMatching(/^\d+$/) as string,
        redemptionId: sent.redemptionId,
        machine: { serialNumber: target.serialNumber, humanName: "Lobby" },
        promotion: { id: target.id, name: "Night market", code: target.code },
        originalPrice: 199,
        discount: 66,
        discountedPrice: 133,
        savings: 33,
        occurredAt: expect.any(Date) as Date,
        status: "applied",
        type: "percentage",
      },
    });
    if (answer.outcome !== "applied") return;
    expect(await attempts(sent.redemptionId)).toEqual([
      {
        outcome: "accepted",
        code: target.code,
        promotion_id: target.id,
        machine_id: target.machine.id,
        transaction_id: answer.transaction.id,
        integration_id: key.integrationId,
      },
    ]);
    expect(await counters(target.id)).toMatchObject({ activation_count: 1, version: 1 });
    const { rows } = await db().raw<{ rows: { machine: boolean; key: boolean }[] }>(
      `select m.last_qr_used_at = t.created_at as machine,
         k.last_used_at = t.created_at and t.created_at > now() - interval '1 minute' as key
       from transactions t join machines m on m.id = t.machine_id, api_keys k
       where t.id = :id and k.id = :keyId`,
      { id: answer.transaction.id, keyId: key.id },
    );
    expect(rows).toEqual([{ machine: true, key: true }]);
  });

  test("notes the key's use at most once a minute", async () => {
    const target = await insertRedeemable();
    const lastUse = async () => {
      const row = await db()("api_keys").where({ id: key.id }).first("last_used_at");
      return (row as { last_used_at: Date }).last_used_at;
    };
    await redeem(request(target), secret);
    const first = await lastUse();
    await redeem(request(target), secret);
    expect(await lastUse()).toEqual(first);
    const before = db().raw("now() - interval '61 seconds'");
    await db()("api_keys").where({ id: key.id }).update({ last_used_at: before });
    await redeem(request({ ...target, code: "no code" }), secret);
    expect(Number(await lastUse())).toBeGreaterThanOrEqual(Number(first));
  });

  test("costs nothing for a free drink, whatever the price", async () => {
    const target = await insertRedeemable({ discount_type: "free_drink", discount_value: 3 });
    for (const originalPrice of [250, 0, 1_000_000]) {
      const answer = await redeem(request(target, { originalPrice }), secret);
      expect(answer).toMatchObject({
        transaction: { discount: originalPrice, discountedPrice: 0, type: "free_drink" },
      });
    }
    expect(await redeemed(request(target))).toBe("used_up");
  });

  test("knows the code however it is written", async () => {
    const target = await insertRedeemable();
    const [a, b, c] = [0, 4, 8].map((at) => target.code.slice(at, at + 4).toLowerCase());
    for (const code of [`${a}-${b}-${c}`, ` ${a} ${b} ${c} `, `${a}–${b}${c?.toUpperCase()}`])
      expect(await redeemed(request({ ...target, code }))).toBe("applied");
  });

  test("has no limit where there is none", async () => {
    const target = await insertRedeemable();
    for (let use = 0; use < 25; use++) expect(await redeemed(request(target))).toBe("applied");
    expect(await counters(target.id)).toMatchObject({ activation_count: 25, period_uses: 25 });
  });
});

test("percentages are rounded half up to the cent, exactly", async () => {
  const machine = await insertMachine();
  const byPercent = new Map<number, { code: string; serialNumber: string }>();
  for (let percent = 1; percent <= 100; percent++)
    byPercent.set(percent, await insertRedeemable({ discount_value: percent }, machine));
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 100 }),
      fc.oneof(
        fc.integer({ min: 0, max: 1_000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.constant(1_000_000),
        // Where 50 % is half a cent.
        fc.integer({ min: 0, max: 500 }).map((half) => half * 2 + 1),
      ),
      async (percent, originalPrice) => {
        const answer = await redeem(request(byPercent.get(percent)!, { originalPrice }), secret);
        const hundredths = BigInt(originalPrice) * BigInt(percent);
        const discount = hundredths / 100n + (hundredths % 100n >= 50n ? 1n : 0n);
        const percentSaved =
          originalPrice === 0
            ? 0n
            : (discount * 200n + BigInt(originalPrice)) / (2n * BigInt(originalPrice));
        expect(answer).toMatchObject({
          outcome: "applied",
          transaction: {
            discount: Number(discount),
            discountedPrice: originalPrice - Number(discount),
            savings: Number(percentSaved),
          },
        });
      },
    ),
    { numRuns: repetitions(100, 3_000) },
  );
});

describe("a refusal", () => {
  const order = [
    ...(["deleted", "inactive", "expired", "used_up", "not_assigned"] as const),
    ...(["not_yet", "outside_hours"] as const),
  ];
  type State = Record<(typeof order)[number], boolean>;
  const states = Array.from({ length: 128 }, (_, bits): State => {
    const has = (bit: number) => ((bits >> bit) & 1) === 1;
    return {
      deleted: has(0),
      inactive: has(1),
      expired: has(2),
      used_up: has(3),
      not_assigned: has(4),
      not_yet: has(5),
      outside_hours: has(6),
    };
  });

  /** A single-use code that is all of this; brought there by what brings it there. */
  async function inState(state: State) {
    const target = await insertRedeemable({ is_single_use: true, max_uses: 1 });
    if (state.used_up) expect(await redeemed(request(target))).toBe("applied");
    await db()("promotions")
      .where({ id: target.id })
      .update({
        is_deleted: state.deleted,
        deleted_at: state.deleted ? db().raw("clock_timestamp()") : null,
        is_active: !state.inactive,
        expires_at: state.expired ? db().raw("now() - interval '1 second'") : null,
        starts_at: state.not_yet ? db().raw("now() + interval '1 hour'") : null,
        open_minutes: state.outside_hours ? "{}" : null,
      });
    if (state.not_assigned) {
      // It has machines, only not this one.
      const { id: machine_id } = await insertMachine();
      await db()("assignments")
        .where({ set_id: await setIdOf("promotions", target.id) })
        .update({ machine_id });
    }
    return target;
  }

  /** Pairs are enough to tell an order; the soak tries all combinations. */
  const tried = states.filter((state) => {
    const count = order.filter((name) => state[name]).length;
    return isSoak || count <= 2 || count === order.length;
  });

  test.each(tried)("gives the first reason that holds: %o", async (state) => {
    const target = await inState(state);
    const reason: RefusalReason | undefined = order.find((name) => state[name]);
    const gone = await insertMachine({ is_deleted: true });
    const before = await counters(target.id);

    const sent = request(target);
    expect(await redeemed(sent)).toBe(reason ?? "applied");
    expect(await attempts(sent.redemptionId)).toMatchObject([
      {
        outcome: reason ?? "accepted",
        promotion_id: target.id,
        machine_id: target.machine.id,
        ...(reason && { transaction_id: null }),
      },
    ]);
    for (const serialNumber of [gone.serial_number, nowhere()]) {
      const elsewhere = request({ ...target, serialNumber });
      expect(await redeemed(elsewhere)).toBe("machine_unknown");
      expect(await attempts(elsewhere.redemptionId)).toMatchObject([
        {
          outcome: "machine_unknown",
          machine_id: serialNumber === gone.serial_number ? gone.id : null,
        },
      ]);
    }
    if (reason) expect(await counters(target.id)).toEqual(before);
  });

  test("is 'unknown' for a code that was never issued, and logged", async () => {
    const { serial_number: serialNumber } = await insertMachine();
    const sent = request({ code: newCode(), serialNumber });
    expect(await redeemed(sent)).toBe("unknown");
    expect(await attempts(sent.redemptionId)).toMatchObject([
      { outcome: "unknown", code: sent.code, promotion_id: null },
    ]);
  });

  test.each(["", "ABCD", "ABCD-EFG", "ABCD-EFGH-JKM!", "' or 1=1 --", "x".repeat(5_000)])(
    "of what can't be a code asks nothing about codes, and is logged with its text: %j",
    async (code) => {
      const { serial_number: serialNumber } = await insertMachine();
      const sent = request({ code, serialNumber });
      await redeem(sent, secret);
      const query = vi.spyOn(pg.Client.prototype, "query");
      try {
        expect(await redeemed(sent)).toBe("unknown");
        const asked = query.mock.calls as unknown as [{ text: string }][];
        const texts = asked.map(([{ text }]) => text);
        expect(texts).toHaveLength(1);
        expect(texts[0]).not.toContain("promotions");
      } finally {
        query.mockRestore();
      }
      expect(await attempts(sent.redemptionId)).toMatchObject([
        { outcome: "unknown", code: code.slice(0, 200), promotion_id: null },
      ]);
      const unknownMachine = request({ code, serialNumber: nowhere() });
      expect(await redeemed(unknownMachine)).toBe("machine_unknown");
    },
  );

  test.each([null, "", "vqm_", "x", `vqk_${"a".repeat(49)}`, `vqm_${"a".repeat(49)}`])(
    "of a key that can't be one asks nothing at all: %j",
    async (mistyped) => {
      const target = await insertRedeemable();
      const query = vi.spyOn(pg.Client.prototype, "query");
      try {
        expect(await redeem(request(target), mistyped ?? `${secret}x`)).toEqual({
          outcome: "bad_key",
        });
        expect(await rollBack("r-1", mistyped ?? `${secret}x`)).toEqual({ outcome: "bad_key" });
        expect(query).not.toHaveBeenCalled();
      } finally {
        query.mockRestore();
      }
    },
  );
});

describe("the same redemption id", () => {
  test("gets the first answer, whatever has changed, and consumes nothing", async () => {
    const target = await insertRedeemable({ is_single_use: true, max_uses: 1 });
    const sent = request(target);
    const first = await redeem(sent, secret);
    expect(first.outcome).toBe("applied");
    await db()("promotions").where({ id: target.id }).update({ is_active: false });
    expect(await redeem(sent, secret)).toEqual(first);
    const written = target.code.replace(/^(....)(....)/, "$1-$2-").toLowerCase();
    expect(await redeem({ ...sent, code: written }, secret)).toEqual(first);
    const other = await createKey(
      key.integrationId,
      { machineSerial: target.serialNumber, days: 1 },
      { actor: key.actor },
    );
    expect(await redeem(sent, other.secret)).toEqual(first);
    expect(await counters(target.id)).toMatchObject({ activation_count: 1 });
    expect(await attempts(sent.redemptionId)).toHaveLength(1);
  });

  test("stays refused when it was", async () => {
    const target = await insertRedeemable({ is_active: false });
    const sent = request(target);
    expect(await redeemed(sent)).toBe("inactive");
    await db()("promotions").where({ id: target.id }).update({ is_active: true });
    expect(await redeemed(sent)).toBe("inactive");
    expect(await redeemed(request(target))).toBe("applied");
    expect(await attempts(sent.redemptionId)).toHaveLength(1);
  });

  test("is not accepted again after a rollback, and consumes nothing", async () => {
    const target = await insertRedeemable({ is_single_use: true, max_uses: 1 });
    const sent = request(target);
    await redeem(sent, secret);
    await rollBack(sent.redemptionId, secret);
    expect(await redeem(sent, secret)).toEqual({ outcome: "rolled_back" });
    expect(await redeemed({ ...sent, originalPrice: 1 })).toBe("conflict");
    expect(await counters(target.id)).toMatchObject({ activation_count: 0 });
  });

  test("is a conflict with anything else, and gives nothing away", async () => {
    const target = await insertRedeemable();
    const twin = await insertRedeemable({}, target.machine);
    for (const sent of [request(target), request({ ...target, code: newCode() })]) {
      await redeem(sent, secret);
      const before = await db()("redemption_attempts").count();
      const others: RedemptionRequest[] = [
        { ...sent, originalPrice: sent.originalPrice + 1 },
        { ...sent, code: twin.code },
        { ...sent, code: newCode() },
        { ...sent, code: "no code" },
        { ...sent, serialNumber: (await insertMachine()).serial_number },
        { ...sent, serialNumber: nowhere() },
      ];
      for (const other of others)
        expect(await redeem(other, secret)).toEqual({ outcome: "conflict" });
      expect(await db()("redemption_attempts").count()).toEqual(before);
    }
    expect(await counters(twin.id)).toMatchObject({ activation_count: 0 });
  });
});

test("equal redemption ids of two integrations are two redemptions", async () => {
  const target = await insertRedeemable({ discount_type: "free_drink", discount_value: 2 });
  const other = await makeKey();
  const sent = request(target);
  const [mine, theirs] = [await redeem(sent, secret), await redeem(sent, other.secret)];
  if (mine.outcome !== "applied" || theirs.outcome !== "applied") throw new Error("Refused");
  expect(theirs.transaction.id).not.toBe(mine.transaction.id);
  expect(await counters(target.id)).toMatchObject({ activation_count: 2 });

  const rolledBack = await rollBack(sent.redemptionId, other.secret);
  expect(rolledBack).toMatchObject({ transaction: { id: theirs.transaction.id } });
  expect(await redeem(sent, secret)).toEqual(mine);
  expect(await redeemed(sent, null, other.secret)).toBe("rolled_back");
  expect(await counters(target.id)).toMatchObject({ activation_count: 1 });

  const [unknown, refused] = [newCode(), { ...request(target), code: newCode() }];
  expect(await redeemed(refused)).toBe("unknown");
  expect(await redeemed({ ...refused, code: unknown }, null, other.secret)).toBe("unknown");
  expect((await rollBack(refused.redemptionId, other.secret)).outcome).toBe("conflict");
});

describe("a renewable code", () => {
  const drinks = { discount_type: "free_drink", discount_value: 2, is_renewable: true };
  // Europe/Berlin
  const march = new Date("2027-03-31T21:59:59.999Z");
  const april = new Date("2027-03-31T22:00:00.000Z");

  test("has its limit in every month, and what is left over is lost", async () => {
    const target = await insertRedeemable({ ...drinks, period_key: 202701 });
    expect(await redeemed(request(target), march)).toBe("applied");
    expect(await counters(target.id)).toMatchObject({ period_key: 202703, period_uses: 1 });
    for (const outcome of ["applied", "applied", "used_up"])
      expect(await redeemed(request(target), april)).toBe(outcome);
    expect(await counters(target.id)).toMatchObject({
      period_key: 202704,
      period_uses: 2,
      activation_count: 3,
    });
  });

  test("never goes back to a month that is over", async () => {
    const target = await insertRedeemable({ ...drinks, period_key: 202701 });
    expect(await redeemed(request(target), april)).toBe("applied");
    expect(await redeemed(request(target), march)).toBe("applied");
    expect(await redeemed(request(target), march)).toBe("used_up");
    expect(await counters(target.id)).toMatchObject({ period_key: 202704, period_uses: 2 });
  });

  test("gets a use back only in the month it was spent in", async () => {
    const target = await insertRedeemable({ ...drinks, period_key: 202701 });
    const [old, young] = [request(target), request(target)];
    await redeem(old, secret, march);
    await redeem(young, secret, april);
    expect((await rollBack(old.redemptionId, secret, { now: april })).outcome).toBe("rolled_back");
    expect(await counters(target.id)).toMatchObject({ period_uses: 1, activation_count: 1 });
    expect((await rollBack(young.redemptionId, secret, { now: april })).outcome).toBe(
      "rolled_back",
    );
    expect(await counters(target.id)).toMatchObject({ period_uses: 0, activation_count: 0 });
  });

  test("counts its months without a limit too", async () => {
    const target = await insertRedeemable({ is_renewable: true, period_key: 202701 });
    expect(await redeemed(request(target), march)).toBe("applied");
    expect(await redeemed(request(target), april)).toBe("applied");
    expect(await counters(target.id)).toMatchObject({ period_uses: 1, activation_count: 2 });
  });
});

describe("the machines of a code", () => {
  test("are those of its groups, as the groups are now", async () => {
    const [inside, outside] = [await insertMachine(), await insertMachine()];
    const group = await insertGroup([inside.id]);
    const code = newCode();
    const id = await insertPromotion({ code, is_assigned: true });
    await assign("promotions", id, { group_id: group });
    const at = (machine: { serial_number: string }) =>
      redeemed(request({ code, serialNumber: machine.serial_number }));
    expect(await at(inside)).toBe("applied");
    expect(await at(outside)).toBe("not_assigned");
    await db()("machine_group_members").insert({ group_id: group, machine_id: outside.id });
    expect(await at(outside)).toBe("applied");
    await db()("machine_group_members").where({ machine_id: inside.id }).delete();
    expect(await at(inside)).toBe("not_assigned");
  });

  test("are those of its generation until it has its own", async () => {
    const [first, second, inGroup, own] = await insertMachines(4);
    const generation = await insertGeneration({ num_codes: 2, is_assigned: true });
    const [shared, exception] = await insertCodes(generation, 2, { is_assigned: true });
    await assign(
      "mass_generations",
      generation,
      { machine_id: first!.id },
      { machine_id: second!.id },
      { group_id: await insertGroup([inGroup!.id]) },
    );
    const acceptedAt = async (id: string) => {
      const { code } = (await db()("promotions").where({ id }).first("code")) as { code: string };
      const outcomes = [];
      for (const machine of [first!, second!, inGroup!, own!])
        outcomes.push(await redeemed(request({ code, serialNumber: machine.serial_number })));
      return outcomes.map((outcome) => (outcome === "not_assigned" ? "-" : outcome)).join(" ");
    };
    expect(await acceptedAt(shared!)).toBe("applied applied applied -");
    expect(await acceptedAt(exception!)).toBe("applied applied applied -");

    await assignMachines(exception!, [own!.serial_number], { actor: key.actor });
    expect(await acceptedAt(exception!)).toBe("applied applied applied applied");
    const [ownSet, sharedSet] = [
      await setIdOf("promotions", exception!),
      await setIdOf("mass_generations", generation),
    ];
    await db()("assignments").where({ set_id: ownSet, machine_id: first!.id }).delete();
    await db()("assignments").where({ set_id: sharedSet, machine_id: second!.id }).delete();
    expect(await acceptedAt(exception!)).toBe("- applied applied applied");
    expect(await acceptedAt(shared!)).toBe("applied - applied -");
  });
});

describe("a key", () => {
  test("that is bound redeems at its machine alone", async () => {
    const target = await insertRedeemable();
    const bound = await makeKey(target.serialNumber);
    expect(await redeemed(request(target), null, bound.secret)).toBe("applied");
    for (const serialNumber of [(await insertMachine()).serial_number, nowhere()]) {
      const sent = request({ ...target, serialNumber });
      expect(await redeemed(sent, null, bound.secret)).toBe("wrong_key");
      expect(await redeemed({ ...sent, code: "no code" }, null, bound.secret)).toBe("wrong_key");
      expect(await attempts(sent.redemptionId)).toEqual([]);
    }
    await db()("machines").where({ id: target.machine.id }).update({
      is_deleted: true,
      deleted_at: new Date(),
    });
    expect(await redeemed(request(target), null, bound.secret)).toBe("machine_unknown");
  });

  test("that has ended or has no scope may nothing, replays included", async () => {
    const sent = request(await insertRedeemable());
    await redeem(sent, secret);
    const change = (to: object) => db()("api_keys").where({ id: key.id }).update(to);
    await change({ scopes: "{}" });
    expect(await redeemed(sent)).toBe("wrong_key");
    expect((await rollBack(sent.redemptionId, secret)).outcome).toBe("wrong_key");
    await change({ scopes: "{redeem}", expires_at: db().raw("now()") });
    expect(await redeemed(sent)).toBe("bad_key");
    expect((await rollBack(sent.redemptionId, secret)).outcome).toBe("bad_key");
    await change({ expires_at: db().raw("now() + interval '1 hour'"), revoked_at: new Date() });
    expect(await redeemed(sent)).toBe("bad_key");
    expect((await rollBack(sent.redemptionId, secret)).outcome).toBe("bad_key");
  });
});

describe("guessing", () => {
  let machine: { id: string; serial_number: string };
  let target: { code: string; serialNumber: string };
  beforeEach(async () => {
    machine = await insertMachine();
    target = await insertRedeemable({}, machine);
  });

  const guess = (serialNumber = machine.serial_number, by = secret, code = newCode()) =>
    redeemed(request({ code, serialNumber }), null, by);

  async function exhaust(serialNumber = machine.serial_number) {
    for (let miss = 0; miss < 30; miss++)
      expect(await guess(serialNumber, secret, miss % 3 === 0 ? "no code" : newCode())).toBe(
        "unknown",
      );
  }

  async function endThrottles() {
    const past = db().raw("(extract(epoch from now()) * 1000)::bigint - 1");
    await db()("rate_limits").whereLike("key", "redeem/%").update({ expire: past });
  }

  const throttlesLogged = () =>
    db()("audit_log")
      .where({ action: "integration.key_throttled", subject_id: key.integrationId })
      .select("actor_id", "details");

  test("ends after 30 misses of a key at a machine in a minute", async () => {
    const known = request(target);
    const first = await redeem(known, secret);
    await exhaust();
    expect(await guess()).toBe("throttled");
    expect(await guess(machine.serial_number, secret, "no code")).toBe("throttled");
    const fresh = request(target);
    const answer = await redeem(fresh, secret);
    expect(answer.outcome).toBe("throttled");
    if (answer.outcome !== "throttled") return;
    expect(answer.retryAfterSeconds).toBeGreaterThan(0);
    expect(answer.retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(await attempts(fresh.redemptionId)).toEqual([]);
    expect(await throttlesLogged()).toEqual([]);

    // The first answer is given again, and the redemption can be rolled back.
    expect(await redeem(known, secret)).toEqual(first);
    expect(await redeemed({ ...known, originalPrice: 1 })).toBe("conflict");
    expect((await rollBack(known.redemptionId, secret)).outcome).toBe("rolled_back");

    await endThrottles();
    expect(await redeemed(fresh)).toBe("applied");
    await exhaust();
    expect(await guess()).toBe("throttled");
  });

  test("slows neither the key at other machines nor other keys at the machine", async () => {
    await exhaust();
    expect(await redeemed(request(await insertRedeemable()))).toBe("applied");
    const other = await makeKey();
    expect(await redeemed(request(target), null, other.secret)).toBe("applied");
    expect(await guess(machine.serial_number, other.secret)).toBe("unknown");
  });

  test("ends after 300 misses of a key in a minute, wherever it guesses", async () => {
    const serials = Array.from({ length: 11 }, nowhere);
    const outcomes = await Promise.all(
      Array.from({ length: 330 }, (_, miss) => guess(serials[miss % serials.length])),
    );
    expect(outcomes.filter((outcome) => outcome === "machine_unknown")).toHaveLength(300);
    expect(outcomes.filter((outcome) => outcome === "throttled")).toHaveLength(30);
    expect(await redeemed(request(target))).toBe("throttled");
    expect(await redeemed(request(target), null, (await makeKey()).secret)).toBe("applied");
    const line = {
      actor_id: null,
      details: { key: key.id, last_four: secret.slice(-4), limit: 300 },
    };
    expect(await throttlesLogged()).toEqual([line]);

    await endThrottles();
    expect(await redeemed(request(target))).toBe("applied");
    expect(await throttlesLogged()).toEqual([line]);
  });

  test("goes on with a key whose limit is raised", async () => {
    await useUpLookups(key.id);
    expect(await redeemed(request(target))).toBe("throttled");
    await changeKeyLimit(key.integrationId, key.id, 301, { actor: key.actor });
    expect(await guess()).toBe("unknown");
    expect(await redeemed(request(target))).toBe("throttled");
  });

  test("that the throttle at a machine rejects does not count for the key", async () => {
    await Promise.all(Array.from({ length: 90 }, () => guess()));
    const counters = db()("rate_limits").where({ key: `redeem/key/${key.id}` });
    expect(await counters.pluck("points")).toEqual([30]);
  });

  test("counts machines that do not exist", async () => {
    const serialNumber = nowhere();
    for (let miss = 0; miss < 30; miss++) expect(await guess(serialNumber)).toBe("machine_unknown");
    expect(await guess(serialNumber)).toBe("throttled");
  });

  test("is not what a code that exists is", async () => {
    const inactive = await insertRedeemable({ is_active: false });
    for (let refusal = 0; refusal < 40; refusal++)
      expect(await redeemed(request(inactive))).toBe("inactive");
    expect(await redeemed(request(target))).toBe("applied");
  });

  test("in parallel is exactly as limited", async () => {
    const outcomes = await Promise.all(Array.from({ length: 90 }, () => guess()));
    expect(outcomes.filter((outcome) => outcome === "unknown")).toHaveLength(30);
    expect(outcomes.filter((outcome) => outcome === "throttled")).toHaveLength(60);
    const logged = await db()("redemption_attempts")
      .where({ machine_id: machine.id })
      .count<{ count: string }[]>();
    expect(logged[0]!.count).toBe("30");
  });
});

describe("a rollback", () => {
  /** Moves a redemption into the past. */
  async function later(redemptionId: string, age: string): Promise<void> {
    await db().raw(
      `with moved as (
         update transactions set created_at = now() - cast(:age as interval)
         where redemption_id = :redemptionId returning redemption_id, created_at
       )
       update redemption_attempts a set created_at = moved.created_at from moved
       where a.redemption_id = moved.redemption_id`,
      { redemptionId, age },
    );
    await db().raw(
      `update machines m set last_qr_used_at =
         (select max(t.created_at) from transactions t where t.machine_id = m.id)`,
    );
  }

  test("gives the use back once, and tells a repetition so", async () => {
    const target = await insertRedeemable({ is_single_use: true, max_uses: 1 });
    const sent = request(target);
    const first = await redeem(sent, secret);
    expect(await redeemed(request(target))).toBe("used_up");
    const answer = await rollBack(sent.redemptionId, secret);
    if (first.outcome !== "applied") throw new Error(first.outcome);
    expect(answer).toEqual({
      outcome: "rolled_back",
      transaction: { ...first.transaction, status: "rolled_back" },
    });
    expect(await counters(target.id)).toMatchObject({ activation_count: 0, period_uses: 0 });
    expect(await rollBack(sent.redemptionId, secret)).toEqual({ ...answer, outcome: "repeated" });
    expect(await counters(target.id)).toMatchObject({ activation_count: 0, period_uses: 0 });

    expect(await redeemed(request(target))).toBe("applied");
    await later(sent.redemptionId, "1 day");
    expect(await rollBack(sent.redemptionId, secret)).toMatchObject({ outcome: "repeated" });
    expect(await counters(target.id)).toMatchObject({ activation_count: 1, period_uses: 1 });
  });

  test("comes within 10 minutes or not at all", async () => {
    const target = await insertRedeemable();
    const [young, old] = [request(target), request(target)];
    await redeem(young, secret);
    await redeem(old, secret);
    await later(young.redemptionId, "9 minutes 58 seconds");
    await later(old.redemptionId, "10 minutes 1 millisecond");
    expect((await rollBack(young.redemptionId, secret)).outcome).toBe("rolled_back");
    expect(await rollBack(old.redemptionId, secret)).toEqual({
      outcome: "conflict",
      message: "This redemption is more than 10 minutes old and can't be rolled back.",
    });
    expect(await counters(target.id)).toMatchObject({ activation_count: 1 });
  });

  test("has nothing to do after a refusal", async () => {
    const sent = request(await insertRedeemable({ is_active: false }));
    await redeem(sent, secret);
    expect((await rollBack(sent.redemptionId, secret)).outcome).toBe("conflict");
  });

  test("is for keys of the same integration, and of that machine when they are bound", async () => {
    const target = await insertRedeemable();
    const sent = request(target);
    const refused = request({ ...target, code: newCode() });
    await redeem(sent, secret);
    await redeem(refused, secret);
    const options = { actor: key.actor };
    const bound = (machineSerial: string) =>
      createKey(key.integrationId, { machineSerial, days: 1 }, options);
    const other = await createIntegration({ name: "Other" }, options);
    const nobody = [
      (await makeKey()).secret,
      (await makeKey(target.serialNumber)).secret,
      (await createKey(other.id, { machineSerial: null, days: 1 }, options)).secret,
      (await bound((await insertMachine()).serial_number)).secret,
    ];
    for (const by of nobody)
      for (const { redemptionId } of [sent, refused])
        expect(await rollBack(redemptionId, by)).toEqual({ outcome: "not_found" });
    expect(await rollBack("never used", secret)).toEqual({ outcome: "not_found" });
    expect(await counters(target.id)).toMatchObject({ activation_count: 1 });

    const machines = await bound(target.serialNumber);
    expect((await rollBack(sent.redemptionId, machines.secret)).outcome).toBe("rolled_back");
    for (const by of nobody)
      expect(await rollBack(sent.redemptionId, by)).toEqual({ outcome: "not_found" });
  });

  test("is possible whatever has become of the promotion", async () => {
    const target = await insertRedeemable({ is_single_use: true, max_uses: 1 });
    const sent = request(target);
    await redeem(sent, secret);
    await db()("promotions")
      .where({ id: target.id })
      .update({ is_deleted: true, deleted_at: db().raw("clock_timestamp()"), is_active: false });
    expect((await rollBack(sent.redemptionId, secret)).outcome).toBe("rolled_back");
    expect(await redeemed(request(target))).toBe("deleted");
  });
});

/** Locks the code until the test releases it or ends. */
async function lock(promotionId: string) {
  const holder = await db().transaction();
  onTestFinished(async () => {
    if (!holder.isCompleted()) await holder.rollback();
  });
  await holder.raw("select from promotions where id = ? for update", [promotionId]);
  return { release: () => holder.rollback() };
}

test("redeems other codes while 20 redemptions and 20 rollbacks of a locked code wait", async () => {
  const [locked, other] = [await insertRedeemable(), await insertRedeemable()];
  const done = request(locked);
  await redeem(done, secret);
  const { release } = await lock(locked.id);
  let settled = 0;
  const waiting = Array.from({ length: 20 }, () => [
    redeem(request(locked), secret).finally(() => settled++),
    rollBack(done.redemptionId, secret).finally(() => settled++),
  ]).flat();

  const answers = await Promise.all([1, 2, 3].map(() => redeem(request(other), secret)));
  expect(answers.map(({ outcome }) => outcome)).toEqual(["applied", "applied", "applied"]);
  expect(settled).toBe(0);

  await release();
  const outcomes = (await Promise.all(waiting)).map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome === "applied")).toHaveLength(20);
  expect(outcomes.filter((outcome) => outcome === "rolled_back")).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === "repeated")).toHaveLength(19);
});

test("gives a code up after one second, and every request for it within four", async () => {
  const locked = await insertRedeemable();
  await lock(locked.id);
  const waiting = Array.from({ length: 10 }, () => redeem(request(locked), secret));
  const answers = await Promise.allSettled(waiting);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => "rejected"));
});
