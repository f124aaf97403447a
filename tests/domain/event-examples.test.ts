import { expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { updateAlerts } from "../../app/features/alerts/update-alerts.server";
import { eventTypes, type ApiEvent, type EventType } from "../../app/features/events/event";
import { eventData } from "../../app/features/events/event-data";
import { eventExamples } from "../../app/features/events/event-examples.server";
import { publishEvents } from "../../app/features/events/publish-events.server";
import { readFeed } from "../../app/features/events/read-events.server";
import { recordExpiredCampaigns } from "../../app/features/events/record-event.server";
import { recordRefusals } from "../../app/features/events/record-refusals.server";
import { addCodes } from "../../app/features/mass-generations/add-codes.server";
import { createPromotion } from "../../app/features/promotions/form/create-promotion.server";
import { changeLifecycle } from "../../app/features/promotions/lifecycle/promotion-lifecycle.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { sendDueReports } from "../../app/features/report-schedules/send-reports.server";
import { insertMassGeneration } from "../factories/mass-generations";
import { insertMachine } from "../factories/people-and-machines";
import { insertPromotion, newPromotion } from "../factories/promotions";
import {
  insertRedeemable,
  makeKey,
  newCode,
  request,
  useUpLookups,
} from "../factories/redemptions";
import { useActor } from "../support/actor";
import { useDatabase } from "../support/postgres";
import { rowById } from "../factories/rows";

useDatabase();
const { actor, options } = useActor();

/** Makes one event of each type happen. */
async function makeAllHappen(): Promise<void> {
  const { secret } = await makeKey();
  const code = await insertRedeemable({ is_single_use: true });
  const asked = request(code);
  await redeem(asked, secret);
  await redeem(request(code), secret);
  await redeem(request({ code: code.code, serialNumber: "nowhere" }), secret);
  await rollBack(asked.redemptionId, secret);
  const created = { ...options(), idempotencyKey: null };
  const { promotion } = await createPromotion(newPromotion({ name: "Fair" }), created);
  await changeLifecycle({ type: "promotion", id: promotion.id }, "deactivate", options());
  const generation = await insertMassGeneration({ num_codes: 2 });
  await addCodes(generation, 1, created);
  const now = new Date();
  await db()("event_log").update({ expired_until: new Date(now.getTime() - 3_600_000) });
  await insertPromotion({ expires_at: new Date(now.getTime() - 60_000) });
  await recordExpiredCampaigns(now);
  const machine = await insertMachine();
  for (const isDeleted of [true, false])
    await rowById("machines", machine.id).update({
      is_deleted: isDeleted,
      deleted_at: isDeleted ? now : null,
    });
  await db()("report_schedules").insert({
    frequency: "weekly",
    recipients: ["ops@example.com"],
    created_by: actor.id,
    next_run_at: now,
  });
  await sendDueReports(new Date(now.getTime() + 1_000));
  const unassigned = await insertPromotion();
  await updateAlerts();
  await rowById("promotions", unassigned).update({ is_active: false });
  await updateAlerts();
  const guessing = await makeKey();
  await useUpLookups(guessing.id, 299);
  await redeem(request({ code: newCode(), serialNumber: machine.serial_number }), guessing.secret);
}

/** Returns the names of all fields, those of parts with the names of these. */
function keysOf(value: unknown, prefix = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [
    `${prefix}${name}`,
    ...keysOf(part, `${prefix}${name}.`),
  ]);
}

/** Reads the events that have happened. */
async function readNewest(): Promise<ApiEvent[]> {
  await expect.poll(() => recordRefusals()).toBe("done");
  await expect.poll(() => publishEvents()).toBe("done");
  const reader = { role: "admin" } as const;
  const query = { after: null, limit: 100, types: [], waitMs: 0, reader };
  return (await readFeed(query, new AbortController().signal)).events;
}

it("has an example of each event with the fields of a real one", async () => {
  await makeAllHappen();
  const events = await readNewest();
  const happened = new Map<EventType, ApiEvent>();
  for (const event of events.toReversed()) happened.set(event.type as EventType, event);
  for (const type of Object.keys(eventTypes) as EventType[]) {
    const real = happened.get(type);
    expect([type, keysOf(eventExamples[type]).toSorted()]).toEqual([type, keysOf(real).toSorted()]);
    for (const { data } of [real!, eventExamples[type]])
      expect(eventData[type].safeParse(data).error).toBeUndefined();
  }
});

it("has the names of now in events of redemptions, and those of its time in all others", async () => {
  const { secret } = await makeKey();
  const code = await insertRedeemable({ is_single_use: true, name: "Before" });
  await redeem(request(code), secret);
  await redeem(request(code), secret);
  await readNewest();
  await db()("promotions").where({ code: code.code }).update({ name: "After" });
  const told = (await readNewest()).flatMap(({ type, data }) => {
    const { promotion } = data as { promotion?: { code: string; name: string } | null };
    return promotion?.code === code.code ? [[type, promotion.name]] : [];
  });
  expect(Object.fromEntries(told)).toEqual({
    "promotion.redeemed": "After",
    "promotion.used_up": "After",
    "redemption.refused": "Before",
  });
});
