import { describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { listJobs } from "../../app/features/jobs/jobs.server";
import {
  redeliverEvent,
  redeliverPeriod,
  sendDeliveryNow,
  sendTestEvent,
} from "../../app/features/webhooks/redeliver.server";
import { insertWebhook } from "../factories/webhooks";
import { deliver, happen, rows, useWebhooks } from "../support/webhook-deliveries";
import { startReceiver } from "../support/webhook-receiver";

const { options, admin } = useWebhooks();

describe("sending again", () => {
  it("repeats one event with its id, and a test has one of its own", async () => {
    const receiver = await startReceiver();
    const { id } = await insertWebhook({ url: receiver.url });
    await happen();
    await deliver();
    await redeliverEvent(id, (await rows())[0]!.id, admin());
    await sendTestEvent(id, admin());
    await deliver();
    const [first, second, test] = receiver.calls
      .sort((one, other) => one.event.type.localeCompare(other.event.type))
      .map(({ headers }) => headers["webhook-id"]);
    expect(second).toBe(first);
    expect(test).not.toBe(first);
    expect(receiver.calls[2]!.event.type).toBe("webhook.test");
  });

  it("queues a period, an event and a test once for each idempotency key", async () => {
    const receiver = await startReceiver();
    const { id } = await insertWebhook({ url: receiver.url });
    await happen("machine:1", 2);
    await deliver();
    const [first] = await rows();
    const today = new Date().toISOString().slice(0, 10);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const period = { firstDay: today, lastDay: tomorrow, isFailedOnly: false };
    const once = (idempotencyKey: string) => ({ ...options(), idempotencyKey });
    for (const repeat of [
      () => redeliverPeriod(id, period, once("period")),
      () => redeliverEvent(id, first!.id, once("event")),
      () => sendTestEvent(id, once("test")),
    ]) {
      const result = await repeat();
      await deliver();
      const count = (await rows()).length;
      expect(await repeat()).toEqual(result);
      expect(await rows()).toHaveLength(count);
    }
  });

  it("repeats a period in order, all of it or what has failed", async () => {
    const receiver = await startReceiver();
    const { id } = await insertWebhook({ url: receiver.url });
    await happen("machine:1", 3);
    await deliver();
    const [, middle] = await rows();
    await db()("webhook_deliveries").where({ id: middle!.id }).update({ state: "failed" });
    const today = new Date().toISOString().slice(0, 10);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const period = { firstDay: today, lastDay: tomorrow };
    expect(await redeliverPeriod(id, { ...period, isFailedOnly: true }, admin())).toBe(1);
    await deliver();
    expect(receiver.calls.at(-1)!.event.id).toBe(receiver.calls[1]!.event.id);
    expect(await redeliverPeriod(id, { ...period, isFailedOnly: false }, admin())).toBe(3);
    await deliver();
    const ids = receiver.calls.map(({ event }) => event.id);
    expect(ids.slice(-3)).toEqual(ids.slice(0, 3));
  });

  it("repeats none of a period that waits already", async () => {
    const receiver = await startReceiver();
    const { id } = await insertWebhook({ url: receiver.url });
    await happen("machine:1", 2);
    await deliver();
    const { id: waiting } = (await rows())[1]!;
    const queue = db()("webhook_deliveries");
    await queue.where({ id: waiting }).update({ state: "pending", finished_at: null });
    const today = new Date().toISOString().slice(0, 10);
    const period = { firstDay: today, lastDay: "2099-12-31", isFailedOnly: false };
    expect(await redeliverPeriod(id, period, admin())).toBe(1);
    expect(await redeliverPeriod(id, period, admin())).toBe(0);
    expect(await rows()).toHaveLength(3);
  });

  it("neither offers nor repeats a failed event whose repetition waits or was accepted", async () => {
    const receiver = await startReceiver();
    const { id } = await insertWebhook({ url: receiver.url });
    await happen();
    await deliver();
    const [failed] = await rows();
    await db()("webhook_deliveries").update({ state: "failed" });
    const sendNow = () => sendDeliveryNow(failed!.id, options());
    const day = new Date().toISOString().slice(0, 10);
    const period = { firstDay: day, lastDay: "2099-12-31", isFailedOnly: true };
    const failedJobs = { state: "failed", kind: "webhook", page: 1, perPage: 25 } as const;
    const offered = async () => (await listJobs(failedJobs)).rows.map(({ canRun }) => canRun);
    expect(await offered()).toEqual([true]);
    expect(await sendNow()).toEqual({ changed: true });
    expect(await sendNow()).toEqual({ changed: false });
    expect(await offered()).toEqual([false]);
    expect(await redeliverPeriod(id, period, admin())).toBe(0);
    await deliver();
    await expect(sendNow()).rejects.toThrow("This event was already delivered.");
    expect(await offered()).toEqual([false]);
    expect(await redeliverPeriod(id, period, admin())).toBe(0);
    await deliver();
    expect(receiver.calls).toHaveLength(2);
  });
});
