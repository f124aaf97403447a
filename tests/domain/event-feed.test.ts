import { describe, expect, it, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { insertRedeemable, request } from "../factories/redemptions";
import { keepCollecting } from "../support/garbage";
import { publish, typesOf, useEvents } from "../support/published-events";

const feed = useEvents();

describe("the feed", () => {
  it("is read page by page, and by types", async () => {
    const target = await insertRedeemable({ discount_type: "free_drink", discount_value: 3 });
    for (let use = 0; use < 3; use++) await redeem(request(target), feed.key.secret);
    await publish();
    const first = await feed.read({ limit: 2 });
    const second = await feed.read({ limit: 2, after: first.next });
    expect(typesOf([...first.events, ...second.events])).toEqual([
      "promotion.redeemed",
      "promotion.redeemed",
      "promotion.redeemed",
      "promotion.used_up",
    ]);
    expect(await feed.read({ after: second.next })).toEqual({ events: [], next: second.next });
    const usedUp = await feed.read({ types: ["promotion.used_up"] });
    expect(typesOf(usedUp.events)).toEqual(["promotion.used_up"]);
    expect((await feed.read({ after: usedUp.next })).events).toEqual([]);
  });

  it("waits for the next event", async () => {
    const waiting = feed.read({ waitMs: 20_000 });
    await redeem(request(await insertRedeemable()), feed.key.secret);
    await publish();
    expect(typesOf((await waiting).events)).toEqual(["promotion.redeemed"]);
  });

  it("stops waiting in time, whatever garbage is collected meanwhile", async () => {
    keepCollecting();
    expect((await feed.read({ waitMs: 300 })).events).toEqual([]);
  });

  it("stops waiting when the client leaves", async () => {
    const leaving = new AbortController();
    const waiting = feed.read({ waitMs: 20_000 }, leaving.signal);
    leaving.abort();
    expect((await waiting).events).toEqual([]);
  });

  it("ends a long search after 2 seconds, or when the client leaves, and goes on from there", async () => {
    const target = await insertRedeemable({ discount_type: "free_drink", discount_value: 2 });
    await redeem(request(target), feed.key.secret);
    await publish();
    await db()("event_log").increment("last_position", 120_000);
    await redeem(request(target), feed.key.secret);
    await publish();
    const types = ["promotion.used_up" as const];
    const reached = { events: [], next: String(Number(feed.start) + 50_000) };
    expect(await feed.read({ types }, AbortSignal.abort())).toEqual(reached);
    const clock = vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValue(2_000);
    expect(await feed.read({ types }).finally(() => clock.mockRestore())).toEqual(reached);
    expect(typesOf((await feed.read({ types, after: reached.next })).events)).toEqual(types);
  });

  it("rejects a cursor of the future, and one whose events are no longer kept", async () => {
    await redeem(request(await insertRedeemable()), feed.key.secret);
    await publish();
    await expect(feed.read({ after: "99999999" })).rejects.toMatchObject({ reason: "invalid" });
    await db()("events").delete();
    const { next } = await feed.read({ after: null });
    await expect(feed.read({ after: feed.start })).rejects.toMatchObject({ reason: "invalid" });
    expect(await feed.read({ after: next })).toEqual({ events: [], next });
  });
});
