import type { Knex } from "knex";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { db } from "../../app/db/connection.server";
import { claimJobs, settleJobs } from "../../app/db/job-claims.server";
import { runDueJobs } from "../../app/db/job-runner.server";
import { readFeed } from "../../app/features/events/read-events.server";
import { eventExamples } from "../../app/features/events/event-examples.server";
import { recordEvent } from "../../app/features/events/record-event.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { deliveryJobs } from "../../app/features/webhooks/webhook-jobs.server";
import { addDeliveries } from "../../app/features/webhooks/webhook-queue.server";
import { maxWebhooks } from "../../app/features/webhooks/webhook";
import type { WebhookPoster } from "../../app/services/webhooks/post-webhook.server";
import {
  createWebhook,
  editWebhook,
  setEnabled,
} from "../../app/features/webhooks/webhooks.server";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { insertFailingDelivery, insertWebhook } from "../factories/webhooks";
import { countSessions, lockTable } from "../support/database-sessions";
import { inSoak, repetitions } from "../support/repetitions";
import {
  deliver,
  happen,
  makeDue,
  publish,
  rows,
  useWebhooks,
} from "../support/webhook-deliveries";
import { acceptedBySubject, startReceiver, verify } from "../support/webhook-receiver";

const { options } = useWebhooks();
let secret = "";

beforeAll(async () => {
  ({ secret } = await makeKey());
});

it("is created as long as there are fewer than 20, by several admins at once, too", async () => {
  for (let made = 1; made < maxWebhooks; made++) await insertWebhook();
  const create = (path: number) =>
    createWebhook(
      { url: `https://example.com/${path}`, eventTypes: ["machine.deleted"] },
      options(),
    );
  const holder = await lockTable("webhooks", "share");
  const creations = Promise.allSettled([create(1), create(2)]);
  await expect.poll(() => countSessions("waiting for a lock")).toBe(2);
  await holder.commit();
  const results = await creations;
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { message: "There are 20 webhooks already. Remove one first." },
  });
});

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

it("is claimed from by indexes alone, with statistics from before its queue grew", async () => {
  const { id } = await insertWebhook();
  await insertFailingDelivery(id);
  await db()("webhook_deliveries").update({ state: "delivered", finished_at: db().fn.now() });
  await db().raw("analyze webhook_deliveries");
  await db().raw(
    `insert into webhook_deliveries (webhook_id, event_id, type, subject, occurred_at)
     select :id, gen_random_uuid(), 'machine.deleted', 'machine:' || n, now() from generate_series(1, 2000) n`,
    { id },
  );
  const statements: { sql: string; bindings: string[] }[] = [];
  const note = (statement: (typeof statements)[number]) => void statements.push(statement);
  db().on("query", note);
  onTestFinished(() => void db().off("query", note));
  const jobs = deliveryJobs();
  const claimed = await claimJobs(jobs, 8);
  const ended = claimed.map((job) => ({ job, outcome: { state: "released" as const } }));
  await settleJobs(jobs, ended);
  const [begin, lock, claim, commit, settle] = statements;
  expect([begin!.sql, commit!.sql]).toEqual(["BEGIN;", "COMMIT;"]);
  const inDatabase = ({ sql }: { sql: string }) => sql.replace(/\$\d+/g, "?");
  const planOf = async (trx: Knex, statement: (typeof statements)[number]) => {
    const explain = `explain ${inDatabase(statement)}`;
    const { rows: lines } = await trx.raw<{ rows: object[] }>(explain, statement.bindings);
    return JSON.stringify(lines);
  };
  const [claimPlan, settlePlan] = await db().transaction(async (trx) => {
    await trx.raw(inDatabase(lock!), lock!.bindings);
    return [await planOf(trx, claim!), await planOf(trx, settle!)];
  });
  expect(claimPlan).toMatch(
    /Index Scan using webhook_deliveries_(pending|due) on webhook_deliveries waiting/,
  );
  expect(claimPlan).toMatch(/Index Cond: \(ROW\(webhook_id, subject, id\) >= /);
  expect(claimPlan).not.toContain("Sort");
  expect(settlePlan).toContain("webhook_deliveries_pkey");
  expect(settlePlan).not.toContain("Bitmap");
});

it("reads what is claimed at once in one statement, and writes what ends at once in another", async () => {
  await insertWebhook();
  for (let machine = 0; machine < 8; machine++) await happen(`machine:${machine}`);
  await addDeliveries();
  let began = 0;
  let answer = () => {};
  const allBegan = new Promise<void>((resolve) => (answer = resolve));
  const poster: WebhookPoster = {
    async post() {
      began += 1;
      if (began === 8) answer();
      await allBegan;
      return { status: 204, headers: {}, body: "" };
    },
    close() {},
  };
  const statements: string[] = [];
  const note = ({ sql }: { sql: string }) => void statements.push(sql);
  db().on("query", note);
  onTestFinished(() => void db().off("query", note));
  await runDueJobs(deliveryJobs(poster));
  expect(await rows()).toMatchObject(Array(8).fill({ state: "delivered", attempts: 1 }));
  const count = (pattern: RegExp) => statements.filter((sql) => pattern.test(sql)).length;
  expect(count(/^select e\.position/)).toBe(1);
  expect(count(/^select id, url, secret_owner/)).toBe(1);
  expect(count(/^update webhooks set last_success_at/)).toBe(1);
  expect(count(/^update webhook_deliveries job set is_running = false/)).toBe(1);
});

it("has at most eight calls of a webhook at once, whichever instances begin them", async () => {
  await insertWebhook();
  for (let machine = 0; machine < 10; machine++) await happen(`machine:${machine}`);
  await addDeliveries();
  const jobs = deliveryJobs();
  for (let call = 0; call < 7; call++) await claimJobs(jobs);
  const holder = await db().transaction();
  await holder.raw("select pg_advisory_xact_lock(1)");
  // Waits in the midst of the statement, where calls are already counted.
  const waiting = "(select cast(pg_advisory_xact_lock_shared(1) as text)) is not null";
  const held = { ...jobs, conditionSql: `${jobs.conditionSql} and ${waiting}` };
  const claims = Promise.all([claimJobs(held, 4), claimJobs(held, 4)]);
  await expect.poll(() => countSessions("waiting for a lock")).toBe(2);
  await holder.commit();
  expect((await claims).flat()).toHaveLength(1);
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

  it("whose address was corrected gets at once what waited for the wrong one", async () => {
    const { id } = await insertWebhook();
    await insertFailingDelivery(id);
    const later = db().raw("now() + interval '20 hours'");
    await db()("webhook_deliveries").update({ attempts: 9, next_attempt_at: later });
    const edited = { eventTypes: ["machine.deleted" as const], version: 1 };
    await editWebhook(id, { url: "https://example.com/hook", ...edited }, options());
    expect((await rows())[0]!.waits).toBeGreaterThan(70_000);
    const url = "https://example.com/right";
    await editWebhook(id, { url, ...edited, version: 2 }, options());
    expect(await rows()).toMatchObject([{ attempts: 0, waits: expect.any(Number) }]);
    expect((await rows())[0]!.waits).toBeLessThanOrEqual(0);
  });

  it("that answers 410 is disabled at once", async () => {
    const receiver = await startReceiver(() => 410);
    await insertWebhook({ url: receiver.url });
    await happen("machine:1", 3);
    await deliver();
    expect(receiver.calls).toHaveLength(1);
    expect(await db()("webhooks").first()).toMatchObject({ is_enabled: false });
  });

  it("that answers 410 to a call from before its address was changed leaves the webhook enabled", async () => {
    const receiver = await startReceiver(async () => {
      await db()("webhooks").update({ url: "https://example.com/moved" });
      return 410;
    });
    await insertWebhook({ url: receiver.url });
    await happen();
    await deliver();
    expect(await db()("webhooks").first()).toMatchObject({ is_enabled: true });
    expect(await rows()).toMatchObject([{ state: "pending", response_status: 410 }]);
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

  it("that accepts an event and never ends its answer gets it once", async () => {
    const receiver = await startReceiver((_call, response) => {
      response.writeHead(200, { "Content-Type": "text/plain" }).write("Thanks");
      return null;
    });
    await insertWebhook({ url: receiver.url });
    await happen();
    await deliver();
    expect(await rows()).toMatchObject([
      { state: "delivered", response_status: 200, response_body: "Thanks" },
    ]);
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
