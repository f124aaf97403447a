import { beforeAll, describe, expect, test } from "vitest";
import { noCaps } from "../../app/features/caps/cap";
import { editCaps } from "../../app/features/caps/caps.server";
import { replacePromotion } from "../../app/features/promotions/form/replace-promotion.server";
import { getPromotion } from "../../app/features/promotions/promotions.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { insertRedeemable, makeKey, outcomeOf, request } from "../factories/redemptions";
import { useDatabase } from "../support/postgres";
import { repetitions } from "../support/repetitions";

useDatabase();

let key: Awaited<ReturnType<typeof makeKey>>;
let secret = "";
beforeAll(async () => {
  key = await makeKey();
  ({ secret } = key);
});

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
