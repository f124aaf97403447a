import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import type { CampaignRef } from "../../app/features/activity/subject";
import { noCaps, type Caps, type ReachableCap } from "../../app/features/caps/cap";
import { editCaps, readCaps } from "../../app/features/caps/caps.server";
import { sumEarlierUses } from "../../app/features/caps/campaign-uses.server";
import { editPromotion } from "../../app/features/promotions/form/edit-promotion.server";
import { checkRedemption } from "../../app/features/redemptions/check-redemption.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { assign } from "../factories/assignments";
import { codesOf, insertMassGeneration } from "../factories/mass-generations";
import { insertMachine } from "../factories/people-and-machines";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { countSessions, lockTable } from "../support/database-sessions";
import { assertInvariants } from "../support/invariants";
import { useDatabase } from "../support/postgres";
import { repetitions } from "../support/repetitions";
import { property } from "../support/property";

useDatabase();

let key: Awaited<ReturnType<typeof makeKey>>;
beforeAll(async () => {
  key = await makeKey();
});

async function setCaps(campaign: CampaignRef, caps: Partial<Caps>, now: Date | null = null) {
  const table = campaign.type === "promotion" ? "promotions" : "mass_generations";
  const { version } = (await db()(table).where({ id: campaign.id }).first<{ version: number }>())!;
  return editCaps(campaign, { ...noCaps, ...caps }, version, { actor: key.actor, now });
}

/** The outcome of a redemption: the reason of a refusal, and the cap. */
async function outcome(
  target: { code: string; serialNumber: string },
  originalPrice = 200,
  now: Date | null = null,
) {
  const answer = await redeem(request(target, { originalPrice }), key.secret, now);
  if (answer.outcome !== "refused") return answer.outcome;
  return answer.cap ? `${answer.reason}: ${answer.cap}` : answer.reason;
}

/** A mass generation whose codes a number of machines accept. */
async function insertCampaign(row: Record<string, unknown>, numberOfMachines: number) {
  const id = await insertMassGeneration({
    discount_type: "percentage",
    discount_value: 50,
    ...row,
  });
  const machines = [];
  for (let made = 0; made < numberOfMachines; made++) {
    const machine = await insertMachine();
    await assign("mass_generations", id, { machine_id: machine.id });
    machines.push(machine.serial_number);
  }
  const codes = await db()("promotions")
    .whereIn("id", await codesOf(id))
    .pluck<string[]>("code");
  return { id, campaign: { type: "mass_generation", id } as const, codes, machines };
}

describe("a capped campaign", () => {
  it("refuses a price below its lowest, and cuts a percentage to its highest discount", async () => {
    const promotion = await insertRedeemable({ discount_value: 50 });
    await setCaps(
      { type: "promotion", id: promotion.id },
      { lowestPrice: 150, highestDiscount: 90 },
    );
    expect(await outcome(promotion, 149)).toBe("price_too_low");
    expect(await redeem(request(promotion, { originalPrice: 150 }), key.secret)).toMatchObject({
      transaction: { discount: 75, discountedPrice: 75 },
    });
    expect(await redeem(request(promotion, { originalPrice: 500 }), key.secret)).toMatchObject({
      transaction: { discount: 90, discountedPrice: 410 },
    });
    const { serialNumber, code } = promotion;
    const check = { serialNumber, code, originalPrice: 500 };
    expect(await checkRedemption(check, key.secret)).toMatchObject({ terms: { discount: 90 } });
    expect(await checkRedemption({ ...check, originalPrice: 100 }, key.secret)).toMatchObject({
      outcome: "refused",
      reason: "price_too_low",
    });
  });

  it("refuses a free drink above its highest discount, and never pays part of one", async () => {
    const promotion = await insertRedeemable({ discount_type: "free_drink", discount_value: 3 });
    await setCaps({ type: "promotion", id: promotion.id }, { highestDiscount: 200, money: 350 });
    expect(await outcome(promotion, 201)).toBe("cap_reached: highest_discount");
    expect(await outcome(promotion, 200)).toBe("applied");
    expect(await outcome(promotion, 151)).toBe("cap_reached: money");
    expect(await outcome(promotion, 150)).toBe("applied");
    expect(await outcome(promotion, 1)).toBe("cap_reached: money");
  });

  it("counts what was redeemed before, and gives back what was rolled back", async () => {
    const promotion = await insertRedeemable({ discount_value: 50 });
    const before = request(promotion, { originalPrice: 200 });
    await redeem(before, key.secret);
    const campaign = { type: "promotion", id: promotion.id } as const;
    await setCaps(campaign, { uses: 2, money: 1_000, usesPerDay: 5 });
    expect((await readCaps(campaign)).use).toEqual({ uses: 1, usesToday: 1, money: 100 });
    expect(await outcome(promotion)).toBe("applied");
    expect(await outcome(promotion)).toBe("cap_reached: uses");
    await rollBack(before.redemptionId, key.secret);
    expect((await readCaps(campaign)).use).toEqual({ uses: 1, usesToday: 1, money: 100 });
    expect(await outcome(promotion)).toBe("applied");
    expect(await outcome(promotion)).toBe("cap_reached: uses");
  });

  it.each([["usesPerDay"], ["usesPerMachineAndDay"]])(
    "keeps the %s of the new day when a statement of the day before follows",
    async (name) => {
      const promotion = await insertRedeemable({ discount_value: 50 });
      const before = new Date("2026-11-10T22:59:59.900Z");
      const after = new Date("2026-11-10T23:00:00.100Z");
      await setCaps({ type: "promotion", id: promotion.id }, { [name]: 1 }, before);
      const outcomes = [];
      for (const now of [after, before, after, before])
        outcomes.push((await redeem(request(promotion), key.secret, now)).outcome);
      expect(outcomes).toEqual(["applied", "refused", "refused", "refused"]);
    },
  );

  it.each([
    ["existing", { uses: 10, money: 100_000 }],
    ["first", {}],
  ])("gets a use back that is rolled back while its %s caps change", async (_which, caps) => {
    const promotion = await insertRedeemable({ discount_value: 50 });
    const campaign = { type: "promotion", id: promotion.id } as const;
    await setCaps(campaign, caps);
    const asked = request(promotion, { originalPrice: 200 });
    await redeem(asked, key.secret);
    const blocking = await db().transaction();
    await blocking.raw("select from promotions where id = ? for update", [promotion.id]);
    const edited = setCaps(campaign, { uses: 20, money: 200_000 });
    await vi.waitFor(async () => expect(await countSessions("waiting for a lock")).toBe(1));
    const back = rollBack(asked.redemptionId, key.secret);
    await vi.waitFor(async () => expect(await countSessions("waiting for a lock")).toBe(2));
    await blocking.commit();
    await edited;
    expect((await back).outcome).toBe("rolled_back");
    expect((await readCaps(campaign)).use).toEqual({ uses: 0, usesToday: 0, money: 0 });
  });

  it("answers a repeated redemption as the first one, with the cap", async () => {
    const promotion = await insertRedeemable();
    const campaign = { type: "promotion", id: promotion.id } as const;
    await setCaps(campaign, { usesPerMachineAndDay: 1 });
    await outcome(promotion);
    const refused = request(promotion);
    const answer = { outcome: "refused", reason: "cap_reached", cap: "uses_per_machine_and_day" };
    expect(await redeem(refused, key.secret)).toEqual(answer);
    await setCaps(campaign, {});
    expect(await redeem(refused, key.secret)).toEqual(answer);
    expect(await outcome(promotion)).toBe("applied");
  });

  it("gives no use and no cent too many to codes that are redeemed at once, and refuses none too early", async () => {
    const uses = 90;
    const { campaign, codes, machines } = await insertCampaign(
      { num_codes: repetitions(160, 2_000), is_single_use: true, discount_type: "percentage" },
      4,
    );
    await setCaps(campaign, { uses, money: 8_000, usesPerMachineAndDay: 30 });
    const answers = await Promise.all(
      codes.map((code, index) =>
        outcome({ code, serialNumber: machines[index % 4]! }, 50 + (index % 7) * 50),
      ),
    );
    const applied = await db()("transactions as t")
      .join("promotions as p", "p.id", "t.promotion_id")
      .where("p.mass_generation_id", campaign.id)
      .select<{ discount: number; machine_id: string }[]>("t.discount", "t.machine_id");
    const money = applied.reduce((sum, { discount }) => sum + discount, 0);
    const atMachine = (id: string) => applied.filter((row) => row.machine_id === id).length;
    expect(applied.length).toBe(answers.filter((answer) => answer === "applied").length);
    expect(applied.length).toBeLessThanOrEqual(uses);
    expect(money).toBeLessThanOrEqual(8_000);
    for (const { machine_id } of applied) expect(atMachine(machine_id)).toBeLessThanOrEqual(30);
    await assertInvariants();
    // A later redemption is refused only by a cap that is reached.
    const later = codes.filter((_, index) => answers[index] !== "applied");
    for (const [index, code] of later.slice(0, 60).entries())
      await outcome({ code, serialNumber: machines[index % 4]! }, 2);
    const used = (await readCaps(campaign)).use!;
    expect(used.uses === uses || used.uses === 4 * 30 || used.money === 8_000).toBe(true);
  });

  it("holds up no redemption of a mass generation while older ones are counted for a change of its caps", async () => {
    const { campaign, codes, machines } = await insertCampaign({ num_codes: 3 }, 1);
    const [first, second, third] = codes.map((code) => ({ code, serialNumber: machines[0]! }));
    const days = 86_400_000;
    expect(await outcome(first!, 200, new Date(Date.now() - 2 * days))).toBe("applied");
    await setCaps(campaign, { uses: 20, money: 1_000 });
    const blocking = await db().transaction();
    await blocking.raw("lock table archived_campaign_activity");
    const edited = setCaps(campaign, { uses: 2, usesPerDay: 10, money: 1_000 });
    await vi.waitFor(async () => expect(await countSessions("waiting for a lock")).toBe(1));
    expect(await outcome(second!)).toBe("applied");
    await blocking.commit();
    await edited;
    expect((await readCaps(campaign)).use).toEqual({ uses: 2, usesToday: 1, money: 200 });
    expect(await outcome(third!)).toBe("cap_reached: uses");
  });

  it.each<[string, (id: string, caps: Caps, version: number) => Promise<unknown>]>([
    [
      "its caps",
      (id, caps, version) =>
        editCaps({ type: "promotion", id }, caps, version, { actor: key.actor }),
    ],
    [
      "its name and its caps",
      (id, caps, version) => {
        const edit = { name: "Counted", expirationDate: null, caps, version };
        return editPromotion(id, edit, { actor: key.actor });
      },
    ],
  ])(
    "holds up no redemption of a code while older ones are counted for a change of %s",
    async (_what, edit) => {
      const promotion = await insertRedeemable({ discount_value: 50, expires_at: null });
      const campaign = { type: "promotion", id: promotion.id } as const;
      await setCaps(campaign, { uses: 20, money: 1_000 });
      const blocking = await lockTable("archived_campaign_activity");
      const edited = edit(promotion.id, { ...noCaps, uses: 2, money: 1_000 }, 2);
      await vi.waitFor(async () => expect(await countSessions("waiting for a lock")).toBe(1));
      expect(await outcome(promotion)).toBe("applied");
      await blocking.commit();
      await edited;
      expect((await readCaps(campaign)).use).toMatchObject({ uses: 1, money: 100 });
    },
  );

  it("counts nothing for the caps that it has", async () => {
    const promotion = await insertRedeemable();
    const campaign = { type: "promotion", id: promotion.id } as const;
    await setCaps(campaign, { uses: 20 });
    await lockTable("archived_campaign_activity");
    expect(await setCaps(campaign, { uses: 20 })).toEqual({ changed: false });
  });

  it("gives the statements after its count as much time as those before", async () => {
    const { id } = await insertRedeemable();
    await db().transaction(async (trx) => {
      const timeout = () => trx.raw<{ rows: object[] }>("show statement_timeout");
      const { rows: before } = await timeout();
      await sumEarlierUses(trx, { type: "promotion", id }, null);
      expect((await timeout()).rows).toEqual(before);
    });
  });

  it("holds up no redemption while another one of the campaign is on its way", async () => {
    const { campaign, codes, machines } = await insertCampaign({ num_codes: 20 }, 1);
    await setCaps(campaign, { uses: 1_000, usesPerDay: 900, money: 1_000_000 });
    await db().transaction(async (trx) => {
      // Somebody has half of the parts.
      await trx.raw(
        `select from cap_parts part join mass_generations g on g.caps_id = part.caps_id
         where g.id = ? and part.part % 2 = 0 for update of part`,
        [campaign.id],
      );
      for (const code of codes.slice(0, 10))
        expect(await outcome({ code, serialNumber: machines[0]! })).toBe("applied");
    });
  });
});

/** The uses and money that a campaign has given, counted anew for each question. */
class Oracle {
  redemptions: { id: string; time: number; machine: string; discount: number; isBack: boolean }[] =
    [];

  reached(caps: Caps, machine: string, discount: number, time: number): ReachableCap | null {
    const applied = this.redemptions.filter(({ isBack }) => !isBack);
    const today = applied.filter((each) => dayOf(each.time) === dayOf(time));
    const money = applied.reduce((sum, each) => sum + each.discount, 0);
    if (caps.uses !== null && applied.length >= caps.uses) return "uses";
    if (caps.usesPerDay !== null && today.length >= caps.usesPerDay) return "uses_per_day";
    const atMachine = today.filter((each) => each.machine === machine).length;
    if (caps.usesPerMachineAndDay !== null && atMachine >= caps.usesPerMachineAndDay)
      return "uses_per_machine_and_day";
    if (caps.money !== null && money + discount > caps.money) return "money";
    return null;
  }
}

const zone = "Europe/Berlin";
const dayOf = (time: number) => new Date(time).toLocaleDateString("sv", { timeZone: zone });

const cap = (max: number) => fc.option(fc.integer({ min: 1, max }), { nil: null });
const someCaps = fc.record({
  uses: cap(40),
  usesPerDay: cap(20),
  usesPerMachineAndDay: cap(8),
  money: cap(60_000),
  lowestPrice: fc.constant(null),
  highestDiscount: cap(9_000),
});
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("redeem" as const),
      code: fc.nat(11),
      machine: fc.nat(1),
      price: fc.integer({ min: 0, max: 20_000 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("roll back" as const), which: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("wait" as const),
      hours: fc.integer({ min: 1, max: 30 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("edit" as const), caps: someCaps }) },
);

property([someCaps, fc.array(step, { minLength: 30, maxLength: 90 })], {
  numRuns: repetitions(2, 300),
})(
  "caps hold for any order of redemptions, rollbacks, days and edits",
  async (first, steps) => {
    const { campaign, codes, machines } = await insertCampaign({ num_codes: 12 }, 2);
    const oracle = new Oracle();
    // Over the end of summer time.
    let time = Date.UTC(2026, 9, 24, 18);
    let caps: Caps = first;
    await setCaps(campaign, caps, new Date(time));
    for (const step of steps) {
      time += 60_000;
      const now = new Date(time);
      if (step.kind === "wait") time += step.hours * 3_600_000;
      else if (step.kind === "edit") {
        ({ caps } = step);
        await setCaps(campaign, caps, now);
      } else if (step.kind === "redeem") {
        const target = { code: codes[step.code]!, serialNumber: machines[step.machine]! };
        const asked = request(target, { originalPrice: step.price });
        const discount = Math.min(
          Math.floor((step.price * 50 + 50) / 100),
          caps.highestDiscount ?? Infinity,
        );
        const reached = oracle.reached(caps, target.serialNumber, discount, time);
        const answer = await redeem(asked, key.secret, now);
        if (reached)
          expect(answer).toEqual({ outcome: "refused", reason: "cap_reached", cap: reached });
        else expect(answer).toMatchObject({ outcome: "applied", transaction: { discount } });
        if (!reached)
          oracle.redemptions.push({
            id: asked.redemptionId,
            time,
            machine: target.serialNumber,
            discount,
            isBack: false,
          });
      } else {
        const recent = oracle.redemptions.filter(
          (each) => !each.isBack && time - each.time < 590_000,
        );
        const chosen = recent[step.which % Math.max(recent.length, 1)];
        if (!chosen) continue;
        expect((await rollBack(chosen.id, key.secret, { now })).outcome).toBe("rolled_back");
        chosen.isBack = true;
      }
    }
  },
  120_000,
);
