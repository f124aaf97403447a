import { describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import type { ApiEvent } from "../../app/features/events/event";
import { publishEvents } from "../../app/features/events/publish-events.server";
import { recordExpiredCampaigns } from "../../app/features/events/record-event.server";
import { syncMachines } from "../../app/features/machines/sync-machines.server";
import { createMassGeneration } from "../../app/features/mass-generations/create-mass-generation.server";
import { changeLifecycle } from "../../app/features/promotions/lifecycle/promotion-lifecycle.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { insertMachine } from "../factories/people-and-machines";
import { insertGeneration, insertPromotion, newPromotion } from "../factories/promotions";
import { insertRedeemable, newCode, request, useUpLookups } from "../factories/redemptions";
import { useActor } from "../support/actor";
import { publish, typesOf, useEvents } from "../support/published-events";
import { repetitions } from "../support/repetitions";
import { rowById } from "../factories/rows";

const feed = useEvents();
const { options } = useActor();
const idsOf = (events: ApiEvent[]) =>
  events.map(
    ({ data }) => (data as { transaction: { redemptionId: string } }).transaction.redemptionId,
  );

describe("a redemption", () => {
  it("is an event with its promotion and its transaction, unless it is repeated or refused", async () => {
    const target = await insertRedeemable();
    const asked = request(target);
    const refused = request(await insertRedeemable({ is_active: false }));
    for (const sent of [asked, asked, refused]) await redeem(sent, feed.key.secret);
    const [event, ...others] = await feed.published();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: "promotion.redeemed",
      subject: `promotion:${target.id}`,
      data: {
        promotion: { id: Number(target.id), code: target.code, mass_generation_id: null },
        transaction: {
          redemptionId: asked.redemptionId,
          machine: target.serialNumber,
          originalPrice: 250,
          discount: 63,
          discountedPrice: 187,
          status: "Applied",
        },
      },
    });
  });

  it("that takes the last use tells of it, and a rollback follows both", async () => {
    const target = await insertRedeemable({ discount_type: "free_drink", discount_value: 2 });
    const [first, second] = [request(target), request(target)];
    for (const asked of [first, second]) await redeem(asked, feed.key.secret);
    await rollBack(second.redemptionId, feed.key.secret);
    await redeem(request(target), feed.key.secret);
    const events = await feed.published();
    expect(typesOf(events)).toEqual([
      "promotion.redeemed",
      "promotion.redeemed",
      "promotion.used_up",
      "promotion.rolled_back",
      "promotion.redeemed",
      "promotion.used_up",
    ]);
    expect(events[3]!.data).toMatchObject({
      transaction: { redemptionId: second.redemptionId, status: "Rolled back" },
    });
    expect(events[1]!.data).toMatchObject({ transaction: { status: "Applied" } });
  });

  it("that has begun and not ended holds back whatever is committed after it", async () => {
    const [slow, quick] = [await insertRedeemable(), await insertRedeemable()];
    const insert = (database: typeof db extends () => infer Type ? Type : never, id: string) =>
      database.raw(
        `insert into transactions (redemption_id, promotion_id, machine_id, type, original_price, discount)
         values (?, ?, ?, 'percentage', 100, 25)`,
        [id, slow.id, slow.machine.id],
      );
    const trx = await db().transaction();
    // A redemption, too, writes the code's row before it takes an id.
    await trx("promotions").where({ id: slow.id }).update({ activation_count: 1 });
    await insert(trx, "slow");
    await redeem(request(quick), feed.key.secret);
    expect(await publishEvents()).toBe("waiting");
    expect((await feed.read()).events).toEqual([]);
    await trx.commit();
    const events = await feed.published();
    expect(typesOf(events)).toEqual(["promotion.redeemed", "promotion.redeemed"]);
    expect(idsOf(events)[0]).toBe("slow");
  });

  it("that began last and has not ended is waited for", async () => {
    await redeem(request(await insertRedeemable()), feed.key.secret);
    await publish();
    const before = (await feed.read({ after: null })).next;
    const redeeming = await db().transaction();
    // Nothing that began later has ended: as if these were the only requests.
    await redeeming.raw(
      `insert into transactions (redemption_id, promotion_id, machine_id, type, original_price, discount)
       select 'last', promotion_id, machine_id, type, 100, 25 from transactions limit 1`,
    );
    expect(await publishEvents()).toBe("waiting");
    await redeeming.commit();
    await publish();
    expect(idsOf((await feed.read({ after: before })).events)).toEqual(["last"]);
  });

  it("publishes many redemptions at once one by one and in order, while the log is read and published", async () => {
    const codes = await Promise.all(
      Array.from({ length: 4 }, () =>
        insertRedeemable({ discount_type: "free_drink", discount_value: 3 }),
      ),
    );
    const seen: ApiEvent[] = [];
    let isOver = false;
    let after = feed.start;
    const follow = async () => {
      for (;;) {
        const wasOver = isOver;
        const outcome = await publishEvents({ chunkSize: 3 });
        const { events, next } = await feed.read({ after });
        seen.push(...events);
        after = next;
        if (wasOver && outcome === "done" && events.length === 0) return;
      }
    };
    const accepted: string[] = [];
    const work = Promise.all(
      codes.flatMap((code) =>
        Array.from({ length: repetitions(12, 200) }, async (_, index) => {
          const asked = request(code);
          const answer = await redeem(asked, feed.key.secret);
          if (answer.outcome !== "applied") return;
          accepted.push(asked.redemptionId);
          if (index % 3 > 0) await rollBack(asked.redemptionId, feed.key.secret);
        }),
      ),
    ).finally(() => (isOver = true));
    await Promise.all([follow(), work]);

    const redeemed = seen.filter(({ type }) => type === "promotion.redeemed");
    expect(idsOf(redeemed).sort()).toEqual(accepted.sort());
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    // A reader who replays the events of a code counts its uses right at every moment.
    const uses = new Map<string, Set<string>>();
    for (const event of seen) {
      const [id] = idsOf([event]) as [string];
      const open = uses.get(event.subject) ?? new Set<string>();
      uses.set(event.subject, open);
      if (event.type === "promotion.redeemed") {
        open.add(id);
        expect(open.size).toBeLessThanOrEqual(3);
      } else if (event.type === "promotion.rolled_back") expect(open.delete(id)).toBe(true);
      else expect(open.size).toBe(3);
    }
    for (const code of codes) {
      const row = await rowById("promotions", code.id).first<{ period_uses: number }>();
      expect(uses.get(`promotion:${code.id}`)!.size).toBe(row!.period_uses);
    }
  });
});

describe("other events", () => {
  it("publishes events of a machine with the list that lacks it, and with the one that has it again", async () => {
    const lists = [["A", "B"], ["A"], ["A", "B"]];
    for (const serials of lists)
      await syncMachines({
        platform: {
          listMachines: async () => ({
            machines: serials.map((serial) => ({
              serialNumber: `EV-${serial}`,
              humanName: serial,
              lastSeen: null,
            })),
            unclear: (await db()("machines").pluck<string[]>("serial_number")).filter(
              (serial) => !serial.startsWith("EV-"),
            ),
            badItems: { count: 0, examples: [] },
          }),
        },
      });
    const events = await feed.published();
    expect(typesOf(events)).toEqual(["machine.deleted", "machine.restored"]);
    expect(events[0]!.data).toEqual({ machine: { serialNumber: "EV-B", humanName: "B" } });
    expect(events[0]!.subject).toBe(events[1]!.subject);
  });

  it("publishes the event of a mass generation exactly if it was committed", async () => {
    const input = { ...newPromotion({ name: "Fair", isSingleUse: true }), numCodes: 3 };
    const creating = { ...options(), idempotencyKey: null };
    const { id } = await createMassGeneration(input, creating);
    const random = () => {
      throw new Error("no entropy");
    };
    await expect(createMassGeneration(input, { ...creating, random })).rejects.toThrow(
      "no entropy",
    );
    expect(await feed.published()).toMatchObject([
      {
        type: "campaign.created",
        data: { campaign: { id: Number(id), type: "mass", name: "Fair", num_codes: 3 } },
      },
    ]);
  });

  it("publishes the event of a deactivation for a single promotion and for a whole mass generation", async () => {
    const single = await insertPromotion({ name: "Lunch" });
    const generation = await insertGeneration({ name: "Fair" });
    const [code] = [await insertPromotion({ mass_generation_id: generation })];
    for (const target of [
      { type: "promotion", id: code! },
      { type: "promotion", id: single },
      { type: "mass_generation", id: generation },
    ] as const)
      await changeLifecycle(target, "deactivate", options());
    const events = await feed.published();
    expect(events.map(({ type, subject }) => [type, subject])).toEqual([
      ["campaign.deactivated", `promotion:${single}`],
      ["campaign.deactivated", `mass_generation:${generation}`],
    ]);
    expect(events[0]!.data).toMatchObject({ campaign: { type: "single", name: "Lunch" } });
  });

  it("publishes an expiration once for each campaign, and again after an extension", async () => {
    const now = new Date();
    const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
    await db()("event_log").update({ expired_until: ago(60) });
    const single = await insertPromotion({ expires_at: ago(30) });
    const generation = await insertGeneration({ expires_at: ago(20) });
    for (let made = 0; made < 3; made++)
      await insertPromotion({ mass_generation_id: generation, expires_at: ago(20) });
    await insertPromotion({ expires_at: ago(10), is_deleted: true });
    await insertPromotion({ expires_at: ago(90) });
    await insertPromotion({ expires_at: new Date(now.getTime() + 60_000) });
    const sweep = async () => {
      await recordExpiredCampaigns(now);
      await db()("event_log").update({ expired_until: ago(60) });
      await recordExpiredCampaigns(now);
    };
    await sweep();
    const subjects = [`promotion:${single}`, `mass_generation:${generation}`];
    expect((await feed.published()).map(({ subject }) => subject)).toEqual(subjects);
    await sweep();
    expect(await feed.published()).toHaveLength(2);
    await rowById("promotions", single).update({ expires_at: ago(5) });
    await sweep();
    const events = await feed.published();
    expect(typesOf(events)).toEqual(Array(3).fill("promotion.expired"));
    expect(events[2]).toMatchObject({ subject: subjects[0], timestamp: ago(5).toISOString() });
  });

  it("publishes the event of a throttled key with the line of the audit log", async () => {
    const machine = await insertMachine();
    await useUpLookups(feed.key.id, 299);
    await redeem(
      request({ code: newCode(), serialNumber: machine.serial_number }),
      feed.key.secret,
    );
    const events = await feed.published();
    expect(events).toMatchObject([
      {
        type: "key.throttled",
        subject: `key:${feed.key.id}`,
        data: { key: { id: Number(feed.key.id) }, limit: 300 },
      },
    ]);
    await db()("rate_limits").delete();
  });
});
