import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { countOpenMails, enqueueMail } from "../../app/features/mail/outbox.server";
import { useInstances } from "../support/app";
import { reportFigures } from "../support/fault-figures";
import { send } from "../support/server";
import { smtpError, startSmtp } from "../support/smtp";

let isHanging = false;
const smtp = await startSmtp(
  {
    onRecipient(address, answer) {
      if (isHanging) return;
      answer(address.startsWith("gone") ? smtpError(550, "No such user") : null);
    },
  },
  afterAll,
);
const environment = { SMTP_URL: smtp.url, MAIL_FROM: "Promo Console <promo@example.com>" };
const instances = useInstances([environment, environment]);

beforeEach(async () => {
  await db()("outbox").delete();
  smtp.received.length = 0;
});

const enqueue = (recipient: string) =>
  enqueueMail(db(), {
    template: "test",
    data: { askedBy: "ada@example.com" },
    recipient,
    dedupKey: randomUUID(),
  });

describe("two instances with one mail server", () => {
  it("send each mail once, and show the one that was rejected as failed", async () => {
    const recipients = Array.from({ length: 15 }, (_, at) => `boss${at}@example.com`);
    for (const recipient of [...recipients, "gone@example.com"]) await enqueue(recipient);
    await expect.poll(countOpenMails).toEqual({ pending: 0, failed: 1 });
    expect(smtp.received.flatMap((mail) => mail.recipients).sort()).toEqual(recipients.sort());
  });

  it("answer while the mail server hangs, and the mail arrives once when it does no longer", async () => {
    isHanging = true;
    const before = smtp.connectionCount();
    await enqueue("boss@example.com");
    await expect.poll(smtp.connectionCount).toBe(before + 1);
    const durations: number[] = [];
    for (const { origin } of instances)
      for (const path of ["/login", "/readyz"]) {
        const { status, duration } = await send(origin, path);
        expect(status).toBe(200);
        durations.push(duration);
      }
    reportFigures(
      "F30",
      `server hangs: ${durations.length} pages within ${Math.round(Math.max(...durations))} ms`,
    );
    expect(await countOpenMails()).toEqual({ pending: 1, failed: 0 });

    isHanging = false;
    smtp.dropConnections();
    await expect.poll(() => db()("outbox").pluck("last_error")).not.toEqual([null]);
    await db()("outbox").update({ next_attempt_at: db().raw("now()") });
    await expect.poll(countOpenMails).toEqual({ pending: 0, failed: 0 });
    expect(smtp.received).toHaveLength(1);
  });
});
