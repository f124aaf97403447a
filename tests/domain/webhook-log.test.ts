import { beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { claimJobs, settleJobs } from "../../app/db/job-claims.server";
import type { Outcome } from "../../app/db/jobs.server";
import { getDelivery, listDeliveries } from "../../app/features/webhooks/deliveries.server";
import { deliveryJobs } from "../../app/features/webhooks/webhook-jobs.server";
import { addDeliveries, readBacklog } from "../../app/features/webhooks/webhook-queue.server";
import { toDeliveryView } from "../../app/features/webhooks/webhook-view";
import { getWebhook } from "../../app/features/webhooks/webhooks.server";
import { insertWebhook } from "../factories/webhooks";
import { useDatabase } from "../support/postgres";
import { deliver, happen, makeDue, rows } from "../support/webhook-deliveries";
import { startReceiver } from "../support/webhook-receiver";

useDatabase();
beforeEach(async () => {
  await db()("webhooks").delete();
});

const jobs = deliveryJobs();
const claim = async () => (await claimJobs(jobs))[0]!;
const settle = (
  job: Awaited<ReturnType<typeof claim>>,
  state: Outcome["state"],
  error: string | null = null,
) => {
  const answer = { status: null, responseHeaders: null, body: null };
  const request = { url: "https://example.com/", requestHeaders: {}, durationMs: 1 };
  const outcome = { state, error, result: { ...request, ...answer } };
  return settleJobs(jobs, [{ job, outcome }]);
};

describe("the log of a delivery", () => {
  it("has the newest 20 attempts, each with its request and its answer", async () => {
    let round = 0;
    const receiver = await startReceiver((_call, response) => {
      round++;
      response.writeHead(round === 3 ? 200 : 500, { "X-Round": String(round) });
      response.end(`${"x".repeat(2_000)}${round}`);
      return null;
    });
    const { id } = await insertWebhook({ url: receiver.url });
    await happen();
    for (let attempt = 0; attempt < 2; attempt++) {
      await deliver();
      await makeDue();
    }
    await db()("webhooks").update({ url: `${receiver.url}/moved` });
    await deliver();
    const [row] = await rows();
    const delivery = await getDelivery(id, row!.id);
    expect(delivery).toMatchObject({ state: "delivered", attempts: 3 });
    expect(delivery.attemptLog).toMatchObject([
      { url: `${receiver.url}/moved`, responseStatus: 200, error: null },
      { url: receiver.url, responseStatus: 500, error: "The receiver answered 500." },
      { url: receiver.url, responseStatus: 500, error: "The receiver answered 500." },
    ]);
    const log = delivery.attemptLog;
    expect(log.map(({ responseHeaders }) => responseHeaders!["X-Round"])).toEqual(["3", "2", "1"]);
    expect(log.map(({ responseBody }) => responseBody!.length)).toEqual([2_001, 1_000, 1_000]);
    expect(log.map(({ requestHeaders }) => requestHeaders["webhook-signature"])).toEqual(
      receiver.calls.map(({ headers }) => headers["webhook-signature"]).reverse(),
    );
    const times = log.map(({ attemptedAt }) => attemptedAt.getTime());
    expect(times).toEqual([...times].sort((one, other) => other - one));

    await db()("webhook_deliveries").update({ state: "pending", finished_at: null });
    for (let made = 0; made < 20; made++) {
      await makeDue();
      await settle(await claim(), "retry", `Attempt ${made}`);
    }
    const { attemptLog } = await getDelivery(id, row!.id);
    expect(attemptLog.map(({ error }) => error)).toEqual(
      Array.from({ length: 20 }, (_, index) => `Attempt ${19 - index}`),
    );
  });

  it("gets no attempt after its end, or after its lease was lost", async () => {
    await insertWebhook();
    await happen();
    await addDeliveries();
    const lost = await claim();
    await makeDue();
    const taken = await claim();
    await settle(lost, "retry", "No.");
    await settle(taken, "done");
    await settle(taken, "retry", "No.");
    expect(await rows()).toMatchObject([{ state: "delivered", attempts: 2, last_error: null }]);
  });
});

describe("the backlog", () => {
  it("counts what waits for webhooks that are enabled, and the age of its first event", async () => {
    const receiver = await startReceiver(({ event }) =>
      event.subject === "machine:1" ? 500 : 204,
    );
    const { id } = await insertWebhook({ url: receiver.url });
    await insertWebhook({ is_enabled: false });
    expect(await readBacklog()).toEqual({ events: 0, oldestSeconds: 0 });
    await happen("machine:1");
    await happen("machine:2", 2);
    expect((await readBacklog()).events).toBe(3);
    await deliver();
    await db()("webhook_deliveries")
      .where({ webhook_id: id })
      .update({ created_at: db().raw("now() - interval '2 hours'") });
    await happen("machine:2");
    const backlog = await readBacklog();
    expect(backlog.events).toBe(2);
    expect(backlog.oldestSeconds).toBeGreaterThanOrEqual(7_200);
    expect(backlog.oldestSeconds).toBeLessThan(8_000);
  });
});

describe("a webhook whose first call of an event is on its way", () => {
  const page = { state: null, page: 1, perPage: 25 };
  const readResult = async (id: string) => {
    const { deliveries } = await listDeliveries(id, page);
    return toDeliveryView(deliveries[0]!, "UTC").result;
  };

  it("does not fail before its receiver has failed", async () => {
    const { id } = await insertWebhook();
    await happen();
    await addDeliveries();
    const first = await claim();
    expect((await getWebhook(id)).failure).toBeNull();
    expect(await readResult(id)).toBe("Not sent yet");

    await settle(first, "retry", "The receiver answered 500.");
    const reason = "The receiver answered 500.";
    expect((await getWebhook(id)).failure).toMatchObject({ reason });
    expect(await readResult(id)).toContain(`${reason} Next attempt `);
    await makeDue();
    await claim();
    expect((await getWebhook(id)).failure).toMatchObject({ reason });
  });

  it("does not fail either if the process was killed during the call", async () => {
    const { id } = await insertWebhook();
    await happen();
    await addDeliveries();
    await claim();
    await makeDue();
    await claim();
    expect((await getWebhook(id)).failure).toBeNull();
    expect(await readResult(id)).toBe("Not sent yet");
  });
});
