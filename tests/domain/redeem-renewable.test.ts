import { describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { createIntegration } from "../../app/features/integrations/integrations.server";
import { createKey } from "../../app/features/integrations/new-keys.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { insertMachine } from "../factories/people-and-machines";
import { insertRedeemable, makeKey, newCode, request } from "../factories/redemptions";
import { counters, key, redeemed, secret, useRedeemer } from "../support/redeemer";
import { rowById } from "../factories/rows";
import { moveRedemption } from "../factories/transactions";

useRedeemer();

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

describe("a rollback", () => {
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
    await moveRedemption(sent.redemptionId, "1 day");
    expect(await rollBack(sent.redemptionId, secret)).toMatchObject({ outcome: "repeated" });
    expect(await counters(target.id)).toMatchObject({ activation_count: 1, period_uses: 1 });
  });

  test("comes within 10 minutes or not at all", async () => {
    const target = await insertRedeemable();
    const [young, old] = [request(target), request(target)];
    await redeem(young, secret);
    await redeem(old, secret);
    await moveRedemption(young.redemptionId, "9 minutes 58 seconds");
    await moveRedemption(old.redemptionId, "10 minutes 1 millisecond");
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

  test("uses up an id that is not there for all keys of the integration, whichever asks", async () => {
    const target = await insertRedeemable();
    const sent = request(target);
    const machineSerial = (await insertMachine()).serial_number;
    const owner = { actor: key.actor };
    const other = await createKey(key.integrationId, { machineSerial, days: 1 }, owner);
    expect(await rollBack(sent.redemptionId, other.secret)).toEqual({ outcome: "not_found" });
    expect(await redeemed(sent)).toBe("rolled_back");
    expect(await redeemed(request(target))).toBe("applied");
  });

  test("is possible whatever has become of the promotion", async () => {
    const target = await insertRedeemable({ is_single_use: true, max_uses: 1 });
    const sent = request(target);
    await redeem(sent, secret);
    await rowById("promotions", target.id).update({
      is_deleted: true,
      deleted_at: db().raw("clock_timestamp()"),
      is_active: false,
    });
    expect((await rollBack(sent.redemptionId, secret)).outcome).toBe("rolled_back");
    expect(await redeemed(request(target))).toBe("deleted");
  });
});
