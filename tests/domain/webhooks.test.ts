import { Webhook } from "standardwebhooks";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { db } from "../../app/db/connection.server";
import { claimJob } from "../../app/db/job-runner.server";
import { readFeed } from "../../app/features/events/read-events.server";
import { eventExamples } from "../../app/features/events/event-examples.server";
import { recordEvent } from "../../app/features/events/record-event.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { listJobs } from "../../app/features/jobs/jobs.server";
import {
  redeliverEvent,
  redeliverPeriod,
  sendDeliveryNow,
  sendTestEvent,
} from "../../app/features/webhooks/redeliver.server";
import { deliveryJobs } from "../../app/features/webhooks/webhook-jobs.server";
import { addDeliveries } from "../../app/features/webhooks/webhook-queue.server";
import {
  createWebhook,
  endPreviousSecret,
  getWebhook,
  rotateSecret,
  setEnabled,
} from "../../app/features/webhooks/webhooks.server";
import { webhookPoster } from "../../app/services/webhooks/post-webhook.server";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { insertWebhook } from "../factories/webhooks";
import { useActor } from "../support/actor";
import { setClockOff } from "../support/clock-off";
import { countSessions } from "../support/database-sessions";
import { useDatabase } from "../support/postgres";
import { inSoak, repetitions } from "../support/repetitions";
import { deliver, happen, makeDue, publish, rows } from "../support/webhook-deliveries";
import { acceptedBySubject, startReceiver, type ReceivedCall } from "../support/webhook-receiver";

useDatabase();
const { options } = useActor();
const admin = () => ({ ...options(), idempotencyKey: null });
let secret = "";

beforeAll(async () => {
  ({ secret } = await makeKey());
});
beforeEach(async () => {
  for (const table of ["webhooks", "outbox", "events"]) await db()(table).delete();
});

const verify = ({ body, headers }: ReceivedCall, key: string) =>
  new Webhook(key).verify(body, headers);

describe("a webhook", () => {
  inSoak(it)(
    "delivers many events in order to a receiver that fails a third of the time, over a restart",
    async () => {
      const numberOfCodes = repetitions(10, 25);
      const codes = await Promise.all(
        Array.from({ length: numberOfCodes }, () =>
          insertRedeemable({ discount_type: "free_drink", discount_value: 7 }),
        ),
      );
      let count = 0;
      const stopping = new AbortController();
      const receiver = await startReceiver((_call, response) => {
        count++;
        if (count === 30) stopping.abort();
        if (count % 9 === 0) response.destroy();
        return count % 9 === 0 ? null : count % 3 === 0 ? 500 : 204;
      });
      const { secret: signingSecret } = await insertWebhook({ url: receiver.url });
      const from = String(
        (await db()("event_log").first<{ last_position: string }>())!.last_position,
      );
      for (let use = 0; use < 7; use++)
        await Promise.all(codes.map((code) => redeem(request(code), secret)));
      await publish();
      const expected = new Map<string, string[]>();
      for (let after = from; ;) {
        const page = await readFeed(
          { after, limit: 100, types: [], waitMs: 0, reader: { role: "admin" } },
          new AbortController().signal,
        );
        for (const { subject, id } of page.events)
          expected.set(subject, [...(expected.get(subject) ?? []), id]);
        if (page.events.length === 0) break;
        after = page.next;
      }
      expect([...expected.values()].flat()).toHaveLength(8 * numberOfCodes);

      await deliver({ stopping: stopping.signal });
      for (let round = 0; round < 30; round++) {
        await makeDue();
        await deliver();
      }
      expect(acceptedBySubject(receiver.calls)).toEqual(expected);
      for (const call of receiver.calls) expect(() => verify(call, signingSecret)).not.toThrow();
      expect(new Set((await rows()).map(({ state }) => state))).toEqual(new Set(["delivered"]));
    },
  );

  it("sends nothing of a subject before what came earlier was accepted, and goes on with others", async () => {
    let isBroken = true;
    const receiver = await startReceiver(({ event }) =>
      isBroken && event.subject === "machine:1" ? 500 : 204,
    );
    await insertWebhook({ url: receiver.url });
    await happen("machine:1", 2);
    await happen("machine:2", 2);
    await deliver();
    expect(receiver.calls.map(({ event }) => event.subject).sort()).toEqual([
      "machine:1",
      "machine:2",
      "machine:2",
    ]);
    isBroken = false;
    await deliver();
    expect(receiver.calls).toHaveLength(3);
    await makeDue();
    await deliver();
    expect((await rows()).map(({ state }) => state)).toEqual(Array(4).fill("delivered"));
  });

  it("is told the events that it asked for, from its creation on", async () => {
    const receiver = await startReceiver();
    await happen();
    await insertWebhook({ url: receiver.url, event_types: ["machine.deleted"] });
    await happen();
    const { subject, data } = eventExamples["machine.unknown"];
    await recordEvent(db(), { type: "machine.unknown", subject, data: data as never });
    await publish();
    await deliver();
    expect(receiver.calls.map(({ event }) => event.type)).toEqual(["machine.deleted"]);
  });

  it("gets the body that the feed lists", async () => {
    const receiver = await startReceiver();
    await insertWebhook({ url: receiver.url });
    const [after] = (await db()("event_log").pluck<string[]>("last_position")) as [string];
    await redeem(request(await insertRedeemable()), secret);
    await publish();
    await deliver();
    const { events } = await readFeed(
      { after, limit: 100, types: ["promotion.redeemed"], waitMs: 0, reader: { role: "admin" } },
      new AbortController().signal,
    );
    expect(receiver.calls.map(({ event }) => event)).toEqual(events);
  });

  it("is served by one worker at a time", async () => {
    const receiver = await startReceiver(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return 204;
    });
    await insertWebhook({ url: receiver.url });
    await happen("machine:1", 8);
    await Promise.all([deliver(), deliver(), deliver()]);
    expect(receiver.calls).toHaveLength(8);
  });
});

it("has at most four calls of a webhook at once, whichever instances begin them", async () => {
  await insertWebhook();
  for (let machine = 0; machine < 5; machine++) await happen(`machine:${machine}`);
  await addDeliveries();
  const jobs = deliveryJobs();
  for (let call = 0; call < 3; call++) await claimJob(jobs);
  const holder = await db().transaction();
  await holder.raw("select pg_advisory_xact_lock(1)");
  // Waits in the midst of the statement, where calls are already counted.
  const waiting = "(select cast(pg_advisory_xact_lock_shared(1) as text)) is not null";
  const held = { ...jobs, conditionSql: `${jobs.conditionSql} and ${waiting}` };
  const claims = Promise.all([claimJob(held), claimJob(held)]);
  await expect.poll(() => countSessions("waiting for a lock")).toBe(2);
  await holder.commit();
  expect((await claims).filter((job) => job !== null)).toHaveLength(1);
});

describe("a receiver", () => {
  it("that fails is asked again later and later, at most a day apart, until 3 days have passed", async () => {
    const receiver = await startReceiver(() => 500);
    await insertWebhook({ url: receiver.url, last_success_at: new Date(Date.now() + 60_000) });
    await happen("machine:1", 2);
    await deliver();
    const [first, second] = await rows();
    expect(first).toMatchObject({ state: "pending", attempts: 1, response_status: 500 });
    expect(first!.waits).toBeLessThan(3);
    expect(second).toMatchObject({ state: "pending", attempts: 0 });
    await db()("webhook_deliveries").where({ id: first!.id }).update({ attempts: 30 });
    await makeDue();
    await deliver();
    const [later] = await rows();
    expect(later!.waits).toBeGreaterThan(70_000);
    expect(later!.waits).toBeLessThanOrEqual(86_400);

    const over = { give_up_at: db().fn.now() };
    await db()("webhook_deliveries").where({ id: first!.id }).update(over);
    await makeDue();
    await deliver();
    expect(await rows()).toMatchObject([
      { state: "failed", last_error: "The receiver answered 500." },
      { state: "pending", attempts: 1 },
    ]);
  });

  it("that accepts nothing for 3 days is disabled with a mail, and goes on where it stopped", async () => {
    let status = 503;
    const receiver = await startReceiver(() => status);
    const [boss] = await db()("users")
      .insert({ email: "boss@example.com", role: "admin" })
      .returning<{ id: string }[]>("id");
    const { id } = await insertWebhook({ url: receiver.url });
    await happen("machine:1", 2);
    await deliver();
    await db()("webhook_deliveries").update({ give_up_at: db().fn.now() });
    await makeDue();
    await deliver();
    const webhook = await db()("webhooks").first<Record<string, unknown>>();
    expect(webhook).toMatchObject({
      is_enabled: false,
      disabled_reason: "No event was accepted for 3 days.",
    });
    expect(await db()("outbox").select("recipient", "template")).toEqual([
      { recipient: "boss@example.com", template: "webhook_disabled" },
    ]);
    const audited = await db()("audit_log").where({ action: "webhook.disabled", subject_id: id });
    expect(audited).toMatchObject([{ actor_name: "System" }]);
    await happen("machine:2");
    const before = receiver.calls.length;
    await deliver();
    expect(receiver.calls).toHaveLength(before);

    status = 204;
    expect(await setEnabled(id, true, options())).toEqual({ changed: true });
    await deliver();
    expect((await rows()).map(({ state }) => state)).toEqual(["failed", "delivered", "delivered"]);
    await db()("users").where({ id: boss!.id }).update({ is_disabled: true });
  });

  it("that answers 410 is disabled at once", async () => {
    const receiver = await startReceiver(() => 410);
    await insertWebhook({ url: receiver.url });
    await happen("machine:1", 3);
    await deliver();
    expect(receiver.calls).toHaveLength(1);
    expect(await db()("webhooks").first()).toMatchObject({ is_enabled: false });
  });

  it("that redirects is not followed", async () => {
    const other = await startReceiver();
    const receiver = await startReceiver((_call, response) => {
      response.writeHead(307, { Location: other.url }).end();
      return null;
    });
    await insertWebhook({ url: receiver.url });
    await happen();
    await deliver();
    expect(other.calls).toEqual([]);
    expect((await rows())[0]!.last_error).toBe(
      "The receiver answered 307. Redirects are not followed.",
    );
  });

  it("that never answers, or sends without end, costs one attempt", async () => {
    const silent = await startReceiver(() => null);
    const endless = await startReceiver((_call, response) => {
      response.writeHead(500, { "Content-Type": "text/plain" });
      const write = () => {
        while (!response.destroyed && response.write("x".repeat(10_000)));
        if (!response.destroyed) response.once("drain", write);
      };
      write();
      return null;
    });
    for (const { url } of [silent, endless]) await insertWebhook({ url });
    await happen();
    await deliver();
    const [long, late] = (await rows()).sort((one, other) =>
      one.last_error!.localeCompare(other.last_error!),
    );
    expect(long!.last_error).toBe("The receiver answered 500.");
    expect(long!.response_body).toHaveLength(8_192);
    expect(late!.last_error).toBe("There was no answer within 0.5 seconds.");
  });

  it.each([
    [
      "answers 101",
      "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
      "The receiver answered 101.",
    ],
    ["hangs up", "", "The receiver closed the connection without an answer."],
    [
      "breaks off its headers",
      "HTTP/1.1 200 OK\r\nX-Bro",
      "The receiver closed the connection without an answer.",
    ],
    [
      "sends what is no HTTP",
      "hello\r\n\r\n",
      "The receiver can't be reached: Parse Error: Expected HTTP/, RTSP/ or ICE/.",
    ],
  ])("that %s costs one attempt", async (_name, bytes, message) => {
    const receiver = await startReceiver((_call, response) => {
      if (bytes.includes("101")) response.socket!.write(bytes);
      else response.socket!.end(bytes);
      return null;
    });
    await insertWebhook({ url: receiver.url });
    await happen();
    await deliver();
    expect(await rows()).toMatchObject([{ state: "pending", attempts: 1, last_error: message }]);
  });
});

it("signs with the time of the database, whatever the clock of the process says", async () => {
  const receiver = await startReceiver();
  const { secret: key } = await insertWebhook({ url: receiver.url });
  await happen();
  setClockOff(-10 * 60_000);
  onTestFinished(() => setClockOff(0));
  await deliver();
  setClockOff(0);
  expect(() => verify(receiver.calls[0]!, key)).not.toThrow();
});

describe("secrets", () => {
  it("are stored encrypted, and two are valid during a rotation", async () => {
    const receiver = await startReceiver();
    const { id, secret: first } = await insertWebhook({ url: receiver.url });
    const { secret: second } = await rotateSecret(id, admin());
    const dump = JSON.stringify(await db()("webhooks").select());
    for (const key of [first, second]) expect(dump).not.toContain(key.slice(6));
    await happen();
    await deliver();
    for (const key of [first, second]) expect(() => verify(receiver.calls[0]!, key)).not.toThrow();
    await endPreviousSecret(id, options());
    await happen();
    await deliver();
    expect(() => verify(receiver.calls[1]!, second)).not.toThrow();
    expect(() => verify(receiver.calls[1]!, first)).toThrow();
  });

  it("that can't be decrypted cost an attempt, and the event is sent once they can be", async () => {
    const receiver = await startReceiver();
    const { id } = await insertWebhook({ url: receiver.url });
    const { secret } = await db()("webhooks").first<{ secret: Buffer }>("secret");
    await db()("webhooks").update({ secret: Buffer.from("under another APP_SECRET") });
    await happen();
    await deliver();
    expect(receiver.calls).toEqual([]);
    expect(await getWebhook(id)).toMatchObject({
      isEnabled: true,
      failure: { reason: expect.stringContaining("APP_SECRET has changed") as string },
    });
    await db()("webhooks").update({ secret });
    await makeDue();
    await deliver();
    expect(receiver.calls).toHaveLength(1);
    expect(await rows()).toMatchObject([{ state: "delivered", attempts: 2 }]);
  });

  it("that were not delivered are replaced when the form is sent again", async () => {
    const key = { ...options(), idempotencyKey: "the-same-form" };
    const values = { url: "https://example.com/hook", eventTypes: ["report.ready" as const] };
    const [first, second] = [await createWebhook(values, key), await createWebhook(values, key)];
    expect(second.id).toBe(first.id);
    expect(second.secret).not.toBe(first.secret);
    expect(await db()("webhooks").select("id")).toHaveLength(1);
  });

  it("that came after them stay when the form is sent again", async () => {
    const receiver = await startReceiver();
    const once = (idempotencyKey: string) => ({ ...options(), idempotencyKey });
    const values = { url: "https://example.com/hook", eventTypes: ["machine.deleted" as const] };
    const { id } = await createWebhook(values, once("new-webhook"));
    await rotateSecret(id, once("rotation"));
    const { secret: installed } = await rotateSecret(id, admin());
    for (const repeat of [
      () => createWebhook(values, once("new-webhook")),
      () => rotateSecret(id, once("rotation")),
    ])
      await expect(repeat()).rejects.toThrow("The secret of this webhook was rotated since.");
    await db()("webhooks").where({ id }).update({ url: receiver.url });
    await happen();
    await deliver();
    expect(() => verify(receiver.calls[0]!, installed)).not.toThrow();
  });
});

describe("an address", () => {
  it.each([
    ["http://example.com/", "must begin with https"],
    ["https://127.0.0.1/", "private or reserved network"],
    ["https://0x7f.1/", "private or reserved network"],
    ["https://[::1]/", "private or reserved network"],
    ["https://169.254.169.254/latest/meta-data", "private or reserved network"],
    ["https://user:password@example.com/", "must not hold a user name"],
    ["ftp://example.com/", "must begin with https"],
    ["example.com", "complete address"],
  ])("is rejected: %s", async (url, message) => {
    const creating = createWebhook({ url, eventTypes: ["report.ready"] }, admin());
    await expect(creating).rejects.toMatchObject({
      fields: { url: expect.stringContaining(message) as string },
    });
  });

  it("that resolves to a private network is not called", async () => {
    const receiver = await startReceiver();
    const poster = webhookPoster({
      allowsPrivate: false,
      // One that is allowed does not make the other one so.
      resolve: async () => [
        { address: "93.184.216.34", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ],
    });
    await insertWebhook({ url: `https://example.com:${receiver.port}/` });
    await happen();
    await deliver({ poster });
    expect(receiver.calls).toEqual([]);
    expect((await rows())[0]!.last_error).toMatch(/private or reserved network/);
  });

  it("is resolved once, and the call goes to what was checked", async () => {
    const receiver = await startReceiver();
    const asked: string[] = [];
    const poster = webhookPoster({
      allowsPrivate: true,
      resolve: async (host) => {
        asked.push(host);
        return [{ address: asked.length === 1 ? "127.0.0.1" : "169.254.169.254", family: 4 }];
      },
    });
    await insertWebhook({ url: `http://hooks.example.com:${receiver.port}/` });
    await happen();
    await deliver({ poster });
    expect(asked).toEqual(["hooks.example.com"]);
    expect(receiver.calls[0]!.headers.host).toBe(`hooks.example.com:${receiver.port}`);
  });
});

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
