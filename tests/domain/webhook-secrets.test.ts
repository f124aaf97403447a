import { describe, expect, it, onTestFinished } from "vitest";
import { db } from "../../app/db/connection.server";
import {
  createWebhook,
  endPreviousSecret,
  getWebhook,
  rotateSecret,
} from "../../app/features/webhooks/webhooks.server";
import { webhookPoster } from "../../app/services/webhooks/post-webhook.server";
import { insertWebhook } from "../factories/webhooks";
import { setClockOff } from "../support/clock-off";
import { deliver, happen, makeDue, rows, useWebhooks } from "../support/webhook-deliveries";
import { startReceiver, verify } from "../support/webhook-receiver";

const { options, admin } = useWebhooks();

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
