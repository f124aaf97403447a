import { expect, onTestFinished, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { insertRedeemable, request } from "../factories/redemptions";
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

test("gives a code up after one second, and every request for it within four", async () => {
  const locked = await insertRedeemable();
  await lock(locked.id);
  const waiting = Array.from({ length: 10 }, () => redeem(request(locked), secret));
  const answers = await Promise.allSettled(waiting);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => "rejected"));
});
