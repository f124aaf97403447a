import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, it, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import { loadSite } from "../../app/db/site.server";
import { noCaps } from "../../app/features/caps/cap";
import { editCaps, readCaps } from "../../app/features/caps/caps.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { countSessions, openTransaction } from "../support/database-sessions";
import { useDatabase } from "../support/postgres";

useDatabase();

async function setTimeZone(time_zone: string) {
  await db()("site_settings").update({ time_zone });
  await loadSite();
}

afterAll(() => setTimeZone("Europe/Berlin"));

/** Sets a time zone in which a day ends at a time. PostgreSQL writes offsets to the east with a minus. */
function setMidnight(midnight: Date) {
  const offset = new Date(86_400_000 - (midnight.getTime() % 86_400_000));
  return setTimeZone(`<site>-${offset.toISOString().slice(11, 19)}`);
}

it("gives a use back to the day that counted it, if the redemption waited past midnight", async () => {
  const key = await makeKey();
  const promotion = await insertRedeemable({ discount_value: 50 });
  const campaign = { type: "promotion", id: promotion.id } as const;
  const midnight = new Date(Math.ceil(Date.now() / 1000) * 1000 + 2_000);
  await setMidnight(midnight);
  const caps = { ...noCaps, uses: 10, usesPerDay: 5, usesPerMachineAndDay: 5 };
  await editCaps(campaign, caps, 1, { actor: key.actor });
  const machineUses = () => db()("cap_machine_days").pluck("uses");
  const other = await openTransaction();
  await other.raw("select from cap_parts for update");
  await wait(midnight.getTime() - Date.now() - 400);
  const sent = request(promotion);
  const answer = redeem(sent, key.secret);
  await vi.waitFor(async () => expect(await countSessions("waiting for a lock")).toBe(1));
  await wait(midnight.getTime() - Date.now() + 10);
  // Leaves the parts as a redemption after midnight does.
  await other("cap_parts").update({
    day: db().raw("day + 1"),
    uses_left_of_day: db().ref("uses_a_day"),
  });
  await other.commit();

  expect((await answer).outcome).toBe("applied");
  expect((await readCaps(campaign)).use).toMatchObject({ usesToday: 1 });
  expect(await machineUses()).toEqual([1]);
  expect((await rollBack(sent.redemptionId, key.secret)).outcome).toBe("rolled_back");
  expect((await readCaps(campaign)).use).toMatchObject({ usesToday: 0 });
  expect(await machineUses()).toEqual([0]);
});
