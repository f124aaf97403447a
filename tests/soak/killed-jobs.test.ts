import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { enqueueMail } from "../../app/features/mail/outbox.server";
import { insertWebhook } from "../factories/webhooks";
import { testSecret } from "../support/app-secret";
import { dataFolder, startApp } from "../support/app";
import { openClone } from "../support/postgres";
import { startSmtp } from "../support/smtp";
import { happen } from "../support/webhook-deliveries";
import { startReceiver } from "../support/webhook-receiver";

it("runs the jobs of a killed instance again within 60 s, and drains those of one that is stopped", async () => {
  let isHanging = true;
  const smtp = await startSmtp({
    onRecipient: (_address, answer) => {
      if (!isHanging) answer(null);
    },
  });
  const receiver = await startReceiver(() => (isHanging ? null : 204));
  const clone = await openClone();
  const environment = {
    DATABASE_URL: clone.url,
    APP_SECRET: testSecret,
    WEBHOOK_PRIVATE: "1",
    SMTP_URL: smtp.url,
    MAIL_FROM: "promo@example.com",
  };
  const start = async () => {
    const app = await startApp({ ...environment, DATA_DIR: dataFolder() });
    await app.ready();
    return app;
  };
  const killed = await start();
  // The site raises alerts, which are events, too.
  await insertWebhook({ url: receiver.url, event_types: ["machine.deleted"] });
  await enqueueMail(db(), {
    template: "test",
    data: { askedBy: "ada@example.com" },
    recipient: "boss@example.com",
    dedupKey: randomUUID(),
  });
  await happen("machine:1", 2);
  await expect.poll(() => [smtp.connectionCount(), receiver.calls.length]).toEqual([1, 1]);
  killed.signal("SIGKILL");
  await killed.ended;
  const begin = performance.now();
  isHanging = false;
  const app = await start();
  const states = async () => [
    ...(await db()("outbox").pluck<string[]>("state")),
    ...(await db()("webhook_deliveries").orderBy("id").pluck<string[]>("state")),
  ];
  await expect.poll(states, { timeout: 60_000 }).toEqual(["sent", "delivered", "delivered"]);
  expect(performance.now() - begin).toBeLessThan(60_000);
  expect(receiver.calls.map(({ event }) => event.data)).toMatchObject(
    [0, 0, 1].map((made) => ({ machine: { serialNumber: `VM-${made}` } })),
  );

  isHanging = true;
  await happen("machine:1");
  await expect.poll(() => receiver.calls.length).toBe(4);
  app.signal("SIGTERM");
  expect(await app.ended).toBe(0);
  expect(await db()("webhook_deliveries").where({ state: "pending" })).toMatchObject([
    { attempts: 0, is_running: false },
  ]);
  await clone.close();
});
