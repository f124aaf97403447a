import { beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { noCaps } from "../../app/features/caps/cap";
import { editCaps } from "../../app/features/caps/caps.server";
import { recordRefusals } from "../../app/features/events/record-refusals.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { insertActor } from "../factories/people-and-machines";
import { insertRedeemable, request } from "../factories/redemptions";
import { countSessions, lockTable } from "../support/database-sessions";
import { typesOf, useEvents } from "../support/published-events";

// Only the owner makes a trigger, which holds a statement up.
const feed = useEvents({ isOwner: true });

it("tells of a refusal that was held up after it had its id", async () => {
  await db().raw(`create function hold_up() returns trigger language plpgsql as $$ begin
    perform set_config('lock_timeout', '0', true);
    perform pg_advisory_xact_lock(77); return new; end $$`);
  await db().raw(`create trigger a_hold_up before insert on redemption_attempts
    for each row when (new.original_price = 77) execute function hold_up()`);
  const target = await insertRedeemable({ is_active: false });
  // The sequence of the ids writes to the log at its first use, which gives its transaction an id.
  await redeem(request(target, { originalPrice: 76 }), feed.key.secret);
  const holding = await db().transaction();
  await holding.raw("select pg_advisory_xact_lock(77)");
  const slow = redeem(request(target, { originalPrice: 77 }), feed.key.secret);
  await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
  await redeem(request(target, { originalPrice: 78 }), feed.key.secret);
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

describe("a refused attempt", () => {
  const publishAll = async () => {
    await expect.poll(() => recordRefusals()).toBe("done");
    return feed.published();
  };

  beforeEach(publishAll);
  beforeEach(feed.beginHere);

  it("is an event with its reason, also when it is repeated only once", async () => {
    const target = await insertRedeemable({ is_active: false, name: "Summer" });
    const asked = request(target);
    for (const again of [asked, asked]) await redeem(again, feed.key.secret);
    await redeem(request({ ...target, code: "no code" }), feed.key.secret);
    const [event, noCode, ...others] = await publishAll();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: "redemption.refused",
      subject: `machine:${target.machine.id}`,
      data: {
        promotion: { id: Number(target.id), code: target.code, name: "Summer" },
        machine: { serialNumber: target.serialNumber, humanName: "Lobby" },
        attempt: { redemptionId: asked.redemptionId, reason: "inactive", originalPrice: 250 },
      },
    });
    expect(noCode!.data).toMatchObject({
      promotion: null,
      attempt: { code: "no code", reason: "unknown" },
    });
  });

  it("names the cap that was reached", async () => {
    const target = await insertRedeemable({
      discount_type: "free_drink",
      discount_value: 1,
      max_uses: 1,
    });
    const campaign = { type: "promotion", id: target.id } as const;
    await editCaps(campaign, { ...noCaps, highestDiscount: 1 }, 1, {
      actor: await insertActor("admin"),
    });
    await redeem(request(target), feed.key.secret);
    const [event] = await publishAll();
    expect(event!.data).toMatchObject({
      attempt: { reason: "cap_reached", cap: "highest_discount" },
    });
  });

  it("at an unknown machine tells of that machine once a day", async () => {
    const { code } = await insertRedeemable();
    const serialNumber = "VM-unheard-of";
    const ask = () => redeem(request({ code, serialNumber }), feed.key.secret);
    await ask();
    await ask();
    const refused = "redemption.refused";
    expect(typesOf(await publishAll())).toEqual(["machine.unknown", refused, refused]);
    await ask();
    expect(typesOf(await publishAll())).toEqual(["machine.unknown", ...Array(3).fill(refused)]);
    await db()("events").update({ occurred_at: db().raw("occurred_at - interval '25 hours'") });
    await ask();
    expect(typesOf(await publishAll()).slice(-2)).toEqual(["machine.unknown", refused]);
  });

  it("waits for one that began before it and has not ended", async () => {
    const target = await insertRedeemable({ is_active: false });
    const trx = await db().transaction();
    await trx("redemption_attempts").insert({
      redemption_id: "slow",
      code: target.code,
      serial_number: target.serialNumber,
      original_price: 100,
      machine_id: target.machine.id,
      outcome: "unknown",
    });
    await redeem(request(target), feed.key.secret);
    expect(await recordRefusals()).toBe("waiting");
    expect(await feed.published()).toEqual([]);
    await trx.commit();
    const events = await publishAll();
    expect(events.map(({ data }) => (data as { attempt: object }).attempt)).toMatchObject([
      { redemptionId: "slow" },
      { reason: "inactive" },
    ]);
  });

  it("that another instance has recorded meanwhile is told once", async () => {
    const target = await insertRedeemable({ is_active: false });
    await redeem(request(target), feed.key.secret);
    // Statements that only read go on, so that the ids are read before the other instance gets further.
    const other = await lockTable("event_log", "exclusive");
    const recording = recordRefusals();
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    await redeem(request(target), feed.key.secret);
    await other.raw(
      "update event_log set last_attempt_id = (select max(id) from redemption_attempts)",
    );
    const young = request(target);
    await redeem(young, feed.key.secret);
    await other.commit();
    await recording;
    expect((await publishAll()).map(({ data }) => data)).toMatchObject([
      { attempt: { redemptionId: young.redemptionId } },
    ]);
  });
});
