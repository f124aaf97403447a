import { expect, onTestFinished, test, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { insertRedeemable, request } from "../factories/redemptions";
import { countSessions } from "../support/database-sessions";
import { secret, useRedeemer } from "../support/redeemer";

useRedeemer();

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

test("gives a code up after one second, and requests that have waited for three at once", async () => {
  const locked = await insertRedeemable();
  await lock(locked.id);
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const waiting = Array.from({ length: 4 }, () => redeem(request(locked), secret));
  const answers = Promise.allSettled(waiting);
  await expect.poll(() => countSessions("waiting for a lock")).toBe(2);
  vi.advanceTimersByTime(3_001);
  const lockTimeout = { status: "rejected", reason: { code: "55P03" } };
  const waitedTooLong = { status: "rejected", reason: { reason: "unavailable" } };
  expect(await answers).toMatchObject([lockTimeout, lockTimeout, waitedTooLong, waitedTooLong]);
});
