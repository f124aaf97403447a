import { beforeAll, describe, expect, test, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import { noCaps } from "../../app/features/caps/cap";
import { editCaps } from "../../app/features/caps/caps.server";
import { readGenerationAssigned } from "../../app/features/mass-generations/mass-generation.server";
import { replacePromotion } from "../../app/features/promotions/form/replace-promotion.server";
import { getPromotion } from "../../app/features/promotions/promotions.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { assign, assignmentsOf } from "../factories/assignments";
import { insertGroup } from "../factories/machine-groups";
import { insertMassGeneration } from "../factories/mass-generations";
import { insertMachine } from "../factories/people-and-machines";
import { insertRedeemable, makeKey, outcomeOf, request } from "../factories/redemptions";
import { countSessions, openTransaction } from "../support/database-sessions";
import { assertInvariants } from "../support/invariants";
import { useDatabase } from "../support/postgres";
import { repetitions } from "../support/repetitions";

useDatabase();

let key: Awaited<ReturnType<typeof makeKey>>;
let secret = "";
beforeAll(async () => {
  key = await makeKey();
  ({ secret } = key);
});

test.each(["promotions", "mass_generations"])(
  "a used-up code is not replaced once its row of %s is inactive",
  async (table) => {
    const row = { num_codes: 1, discount_value: 1, is_single_use: true };
    const generationId = await insertMassGeneration(row);
    const { id: machine_id, serial_number: serialNumber } = await insertMachine();
    await assign("mass_generations", generationId, { machine_id });
    const [used] = await db()("promotions").where({ mass_generation_id: generationId });
    await redeem(request({ code: used.code, serialNumber }), secret);
    const id = table === "promotions" ? used.id : generationId;
    await db()(table).where({ id }).update({ is_active: false });
    await expect(
      replacePromotion(used.id, { actor: key.actor, idempotencyKey: null }),
    ).rejects.toMatchObject({ reason: "conflict", message: "This code is inactive." });
  },
);

describe("a code that was replaced", () => {
  const single = { is_single_use: true, max_uses: 1 };
  const replace = (id: string) => replacePromotion(id, { actor: key.actor, idempotencyKey: null });
  const outcomeAt = async (target: { code: string; serialNumber: string }, originalPrice = 200) =>
    outcomeOf(await redeem(request(target, { originalPrice }), secret));

  test("gets no use back by a rollback, which is accepted", async () => {
    const target = await insertRedeemable({ ...single, discount_value: 50 });
    const sent = request(target);
    await redeem(sent, secret);
    const replacement = await replace(target.id);
    expect((await rollBack(sent.redemptionId, secret)).outcome).toBe("rolled_back");
    expect(await outcomeAt(target)).toBe("used_up");
    expect(await getPromotion(target.id)).toMatchObject({
      status: "used_up",
      remainingUses: 0,
      activationCount: 0,
    });
    expect(await outcomeAt({ ...target, code: replacement.code })).toBe("applied");
  });

  test("leaves its machines to a code that is no exception of the campaign", async () => {
    const row = { num_codes: 1, discount_value: 1, is_single_use: true };
    const generationId = await insertMassGeneration(row);
    const machine = await insertMachine();
    await assign("mass_generations", generationId, { machine_id: machine.id });
    const [replaced] = await db()("promotions").where({ mass_generation_id: generationId });
    const target = { code: replaced.code, serialNumber: machine.serial_number };
    expect(await outcomeAt(target)).toBe("applied");
    const { code } = await replace(replaced.id);
    expect((await readGenerationAssigned(generationId)).ownCodes).toBe(0);
    expect(await outcomeAt({ ...target, code })).toBe("applied");
    await assertInvariants();
  });

  test("waits for a group whose deletion is not decided", async () => {
    const target = await insertRedeemable(single);
    await redeem(request(target), secret);
    const group = await insertGroup();
    await assign("promotions", target.id, { group_id: group });
    const deletion = await openTransaction();
    await deletion("machine_groups").where({ id: group }).forUpdate();
    const replaced = replace(target.id);
    await vi.waitUntil(async () => (await countSessions("waiting for a lock")) === 1);
    await deletion.rollback();
    expect(await assignmentsOf("promotions", (await replaced).id)).toHaveLength(2);
  });

  test("and its replacement give one use together when it is replaced during a rollback", async () => {
    for (let round = 0; round < repetitions(10, 200); round++) {
      const target = await insertRedeemable({ ...single, discount_value: 50 });
      const sent = request(target);
      await redeem(sent, secret);
      const [replacement, back] = await Promise.all([
        replace(target.id).catch(() => null),
        rollBack(sent.redemptionId, secret),
      ]);
      expect(back.outcome).toBe("rolled_back");
      const codes = [target.code, ...(replacement ? [replacement.code] : [])];
      const outcomes = [];
      for (const code of codes) outcomes.push(await outcomeAt({ ...target, code }));
      expect(outcomes.filter((outcome) => outcome === "applied")).toHaveLength(1);
    }
  });

  test("gets uses back in a later month, if it is renewable", async () => {
    const target = await insertRedeemable({ ...single, is_renewable: true });
    const sent = request(target);
    await redeem(sent, secret);
    await replace(target.id);
    const later = new Date(Date.now() + 40 * 86_400_000);
    const next = request(target);
    expect(outcomeOf(await redeem(next, secret, later))).toBe("applied");
    await rollBack(next.redemptionId, secret, { now: later });
    expect(outcomeOf(await redeem(request(target), secret, later))).toBe("applied");
  });

  test("passes its lowest price and its highest discount on, and no other cap", async () => {
    const target = await insertRedeemable({
      discount_type: "free_drink",
      discount_value: 1,
      ...single,
    });
    const caps = { ...noCaps, uses: 1, lowestPrice: 100, highestDiscount: 200 };
    await editCaps({ type: "promotion", id: target.id }, caps, 1, { actor: key.actor });
    await outcomeAt(target);
    const replacement = await replace(target.id);
    expect(replacement.caps).toEqual({ ...noCaps, lowestPrice: 100, highestDiscount: 200 });
    const other = { ...target, code: replacement.code };
    expect(await outcomeAt(other, 99)).toBe("price_too_low");
    expect(await outcomeAt(other, 90_000)).toBe("cap_reached");
    expect(await outcomeAt(other, 200)).toBe("applied");
  });
});
