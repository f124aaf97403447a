import { beforeAll, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { recordRefusals } from "../../app/features/events/record-refusals.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { countSessions } from "../support/database-sessions";
import { useDatabase } from "../support/postgres";

// Only the owner makes a trigger, which holds a statement up.
useDatabase({ isOwner: true });

let secret = "";
beforeAll(async () => {
  ({ secret } = await makeKey());
});

it("tells of a refusal that was held up after it had its id", async () => {
  await db().raw(`create function hold_up() returns trigger language plpgsql as $$ begin
    perform pg_advisory_xact_lock(77); return new; end $$`);
  await db().raw(`create trigger a_hold_up before insert on redemption_attempts
    for each row when (new.original_price = 77) execute function hold_up()`);
  const target = await insertRedeemable({ is_active: false });
  // The sequence of the ids writes to the log at its first use, which gives its transaction an id.
  await redeem(request(target, { originalPrice: 76 }), secret);
  const holding = await db().transaction();
  await holding.raw("select pg_advisory_xact_lock(77)");
  const slow = redeem(request(target, { originalPrice: 77 }), secret);
  await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
  await redeem(request(target, { originalPrice: 78 }), secret);
  // With other databases of the cluster it may have to wait; the slow refusal is not passed over meanwhile.
  for (let attempt = 0; attempt < 5; attempt++)
    if ((await recordRefusals()) === "done") break;
    else await new Promise((resolve) => setTimeout(resolve, 50));
  await holding.commit();
  await slow;
  await expect.poll(() => recordRefusals()).toBe("done");
  const rows = await db()("recorded_events")
    .where({ type: "redemption.refused" })
    .orderBy("id")
    .pluck<{ attempt: { originalPrice: number } }[]>("data");
  expect(rows.map(({ attempt }) => attempt.originalPrice)).toEqual([76, 77, 78]);
});
