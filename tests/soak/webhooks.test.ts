import { expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { Webhook } from "standardwebhooks";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { insertWebhook } from "../factories/webhooks";
import { testSecret } from "../support/app-secret";
import { dataFolder, startApp } from "../support/app";
import { openClone } from "../support/postgres";
import { acceptedBySubject, startReceiver, type ReceivedCall } from "../support/webhook-receiver";

const [numberOfCodes, usesEach, kills] = [500, 20, 4];
const type = "promotion.redeemed";
const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

it(
  "delivers 10,000 events at least once and in order, while receiver and product fail, stall and restart",
  { timeout: 1_200_000 },
  async () => {
    const clone = await openClone();
    const started = performance.now();
    const environment = {
      DATABASE_URL: clone.url,
      DATA_DIR: dataFolder(),
      APP_SECRET: testSecret,
      WEBHOOK_PRIVATE: "1",
    };
    const calls: ReceivedCall[] = [];
    const verifiers: Webhook[] = [];
    let [count, stallUntil] = [0, 0];
    const open = (port = 0) =>
      startReceiver(async (call, response) => {
        calls.push(call);
        for (const verifier of verifiers) verifier.verify(call.body, call.headers);
        count++;
        await pause(stallUntil - performance.now());
        if (count % 9 === 0) response.destroy();
        return count % 9 === 0 ? null : count % 3 === 0 ? 500 : 204;
      }, port);
    let receiver = await open();
    const { port } = receiver;
    // The site raises alerts, which are events, too.
    const { secret: signingSecret } = await insertWebhook({
      url: receiver.url,
      event_types: [type],
    });
    verifiers.push(new Webhook(signingSecret));
    let app = await startApp(environment);
    await app.ready();

    const { secret } = await makeKey();
    const codes = [];
    for (let made = 0; made < numberOfCodes; made++) codes.push(await insertRedeemable());
    const redeeming = (async () => {
      for (let use = 0; use < usesEach; use++)
        for (let at = 0; at < codes.length; at += 8)
          await Promise.all(codes.slice(at, at + 8).map((code) => redeem(request(code), secret)));
    })();
    for (let kill = 0; kill < kills; kill++) {
      await pause(8_000 + kill * 3_000);
      app.signal("SIGKILL");
      await app.ended;
      app = await startApp(environment);
      await app.ready();
      stallUntil = performance.now() + 12_000;
      await pause(15_000);
      await receiver.close();
      await pause(3_000);
      receiver = await open(port);
    }
    await redeeming;

    const total = numberOfCodes * usesEach;
    const delivered = async () => {
      // A receiver that fails five times in a row would wait for many minutes.
      await db()("webhook_deliveries")
        .where({ state: "pending" })
        .andWhere("attempts", ">", 2)
        .update({ next_attempt_at: db().fn.now() });
      return (await db()("webhook_deliveries").where({ state: "delivered" }).pluck("id")).length;
    };
    await expect.poll(delivered, { timeout: 900_000, interval: 2_000 }).toBe(total);

    const expected = new Map<string, string[]>();
    const events = await db()("events")
      .where({ type })
      .orderBy("position")
      .select<{ id: string; subject: string }[]>();
    for (const { id, subject } of events)
      expected.set(subject, [...(expected.get(subject) ?? []), id]);
    expect(events).toHaveLength(total);
    expect(acceptedBySubject(calls)).toEqual(expected);

    // Nothing of a subject was sent before what came earlier was accepted.
    const accepted = new Set<string>();
    const previous = new Map<string, string>();
    for (const ids of expected.values())
      ids.forEach((id, at) => at > 0 && previous.set(id, ids[at - 1]!));
    let repeated = 0;
    for (const { event, status } of calls) {
      const before = previous.get(event.id);
      if (before !== undefined) expect(accepted.has(before)).toBe(true);
      if (accepted.has(event.id)) repeated++;
      if (status !== null && status < 300) accepted.add(event.id);
    }
    const seconds = Math.round((performance.now() - started) / 1_000);
    process.stdout.write(
      `${total} events, ${calls.length} calls, ${repeated} of them of events accepted before, ${kills} kills, ${seconds} s\n`,
    );
    app.signal("SIGTERM");
    await app.ended;
    await clone.close();
  },
);
