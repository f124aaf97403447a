import { beforeEach, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { changeKeyLimit } from "../../app/features/integrations/integrations.server";
import {
  recordThrottled,
  writeThrottled,
} from "../../app/features/redemptions/attempt-counts.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { insertMachine } from "../factories/people-and-machines";
import {
  insertRedeemable,
  makeKey,
  newCode,
  request,
  useUpLookups,
} from "../factories/redemptions";
import { attempts, key, nowhere, redeemed, secret, useRedeemer } from "../support/redeemer";
import { lockTable } from "../support/database-sessions";

useRedeemer();

describe("guessing", () => {
  let machine: { id: string; serial_number: string };
  let target: { code: string; serialNumber: string };
  beforeEach(async () => {
    machine = await insertMachine();
    target = await insertRedeemable({}, machine);
  });

  const guess = (serialNumber = machine.serial_number, by = secret, code = newCode()) =>
    redeemed(request({ code, serialNumber }), null, by);

  async function exhaust() {
    const misses = Array.from({ length: 30 }, (_, miss) =>
      guess(machine.serial_number, secret, miss % 3 === 0 ? "no code" : newCode()),
    );
    expect(new Set(await Promise.all(misses))).toEqual(new Set(["unknown"]));
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
    await useUpLookups(key.id, 270);
    const machines = await Promise.all(Array.from({ length: 3 }, () => insertMachine()));
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, miss) => guess(machines[miss % 3]!.serial_number)),
    );
    expect(outcomes.filter((outcome) => outcome === "unknown")).toHaveLength(30);
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

  test("is not what a machine that doesn't exist asks, whose answer tells nothing of a code", async () => {
    const serialNumber = nowhere();
    for (let attempt = 0; attempt < 31; attempt++)
      expect(await guess(serialNumber)).toBe("machine_unknown");
    expect(await guess(serialNumber, secret, "no code")).toBe("machine_unknown");
  });

  test("is not what a code that exists is", async () => {
    const inactive = await insertRedeemable({ is_active: false });
    for (let refusal = 0; refusal < 31; refusal++)
      expect(await redeemed(request(inactive))).toBe("inactive");
    expect(await redeemed(request(target))).toBe("applied");
  });

  test("in parallel is exactly as limited, and what is throttled does not count for the key", async () => {
    const outcomes = await Promise.all(Array.from({ length: 90 }, () => guess()));
    expect(outcomes.filter((outcome) => outcome === "unknown")).toHaveLength(30);
    expect(outcomes.filter((outcome) => outcome === "throttled")).toHaveLength(60);
    const logged = await db()("redemption_attempts")
      .where({ machine_id: machine.id })
      .count<{ count: string }[]>();
    expect(logged[0]!.count).toBe("30");
    const counters = db()("rate_limits").where({ key: `redeem/key/${key.id}` });
    expect(await counters.pluck("points")).toEqual([30]);
  });
});

test("throttled attempts whose write failed are recorded by the next one", async () => {
  const attempt = { code: newCode(), serialNumber: nowhere(), originalPrice: 100 };
  for (let nth = 0; nth < 1_001; nth++) recordThrottled(secret, attempt);
  const blocker = await lockTable("attempt_counts", "exclusive");
  await expect(writeThrottled()).rejects.toThrow("lock timeout");
  recordThrottled(secret, attempt);
  await blocker.rollback();
  await writeThrottled();
  await writeThrottled();
  expect(await db()("attempt_counts").where({ key_id: key.id }).pluck("attempts")).toEqual([1_002]);
  const recorded = { integration_id: key.integrationId, outcome: "throttled" };
  expect(await db()("redemption_attempts").where(recorded)).toHaveLength(1_000);
});
