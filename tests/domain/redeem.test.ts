import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { createKey } from "../../app/features/integrations/new-keys.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { type RedemptionRequest } from "../../app/features/redemptions/redemption-api";
import { assign, assignMachines, setIdOf } from "../factories/assignments";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine, insertMachines } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { insertRedeemable, makeKey, newCode, request } from "../factories/redemptions";
import { repetitions } from "../support/repetitions";
import {
  attempts,
  counters,
  key,
  nowhere,
  redeemed,
  secret,
  useRedeemer,
} from "../support/redeemer";

useRedeemer();

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
    for (let use = 0; use < 5; use++) expect(await redeemed(request(target))).toBe("applied");
    expect(await counters(target.id)).toMatchObject({ activation_count: 5, period_uses: 5 });
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
        // These prices make 50 % half a cent.
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
