import { expect, onTestFinished, test, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { insertRedeemable, makeKey, outcomeOf, request } from "../factories/redemptions";
import { countSessions, openTransaction } from "../support/database-sessions";
import { secret, useRedeemer } from "../support/redeemer";

useRedeemer({ isOwner: true });

/** Locks the code until the test releases it or ends. */
const lock = (promotionId: string) =>
  hold("select from promotions where id = ? for update", [promotionId]);

async function hold(sql: string, bindings: string[] = []) {
  const holder = await openTransaction();
  await holder.raw(sql, bindings);
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

test("redeems a code for a key while those of another key wait for their turn at it", async () => {
  const free = await insertRedeemable();
  const locked = await Promise.all([1, 2, 3].map(() => insertRedeemable()));
  const holder = await openTransaction();
  await holder("promotions")
    .whereIn(
      "id",
      locked.map(({ id }) => id),
    )
    .forUpdate();
  let settled = 0;
  const waiting = [...locked, ...locked, free, free].map((target) =>
    redeem(request(target), secret).finally(() => settled++),
  );
  await expect.poll(() => countSessions("waiting for a lock")).toBe(5);
  const other = await makeKey();
  expect(outcomeOf(await redeem(request(free), other.secret))).toBe("applied");
  expect(settled).toBe(0);
  await holder.rollback();
  await Promise.all(waiting);
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

test("gives a redemption up that has waited for three seconds for all of its turns together", async () => {
  const free = await insertRedeemable();
  const locked = await Promise.all(Array.from({ length: 10 }, () => insertRedeemable()));
  const ids = locked.map(({ id }) => id);
  await hold("select from promotions where id = any(?) for update", [`{${ids.join()}}`]);
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const start = (target: (typeof locked)[number]) => redeem(request(target), secret);
  const areWaiting = () => expect.poll(() => countSessions("waiting for a lock")).toBe(5);

  // All connections of the key, those that run next, one that first waits for these, and those that run before it.
  const waiting = locked.slice(0, 5).map(start);
  await areWaiting();
  const [next, last, late] = [start(free), start(free), start(free)];
  waiting.push(...locked.slice(5).map(start));
  const settled = Promise.allSettled([...waiting, late]);
  vi.advanceTimersByTime(2_000);
  await Promise.all([next, last]);
  await areWaiting();
  vi.advanceTimersByTime(1_500);
  await expect(late).rejects.toMatchObject({ reason: "unavailable" });
  await settled;
});

test("gives the use back of a redemption that has recorded its id and not committed yet", async () => {
  const target = await insertRedeemable({ is_single_use: true, max_uses: 1 });
  const sent = request(target);
  await db().raw(`create function hold_up() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock(77); return new; end $$;
    create trigger z_hold_up before insert on redemption_attempts
      for each row execute function hold_up()`);
  onTestFinished(() => db().raw("drop function hold_up cascade"));
  const { release } = await hold("select pg_advisory_xact_lock(77)");
  const redeeming = redeem(sent, secret);
  await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
  const rollingBack = rollBack(sent.redemptionId, secret);
  await expect.poll(() => countSessions("waiting for a lock")).toBe(2);
  await release();
  expect(outcomeOf(await redeeming)).toBe("applied");
  expect((await rollingBack).outcome).toBe("rolled_back");
  expect(outcomeOf(await redeem(request(target), secret))).toBe("applied");
});

test("refuses a redemption that was rolled back while it waited for its code", async () => {
  const target = await insertRedeemable({ is_single_use: true, max_uses: 1 });
  const sent = request(target);
  const { release } = await lock(target.id);
  const redeeming = redeem(sent, secret);
  await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
  expect((await rollBack(sent.redemptionId, secret)).outcome).toBe("not_found");
  await release();
  expect(outcomeOf(await redeeming)).toBe("rolled_back");
  expect((await rollBack(sent.redemptionId, secret)).outcome).toBe("not_found");
  expect(outcomeOf(await redeem(request(target), secret))).toBe("applied");
});
