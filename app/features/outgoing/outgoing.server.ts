/** Messages that leave by themselves, which wait in a restored database until an admin resumes them (RULES E7). */
import { db } from "../../db/connection.server";
import { isOutgoingPaused, unpauseOutgoing } from "../../db/outgoing.server";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { countOpenMails, restartMails } from "../mail/outbox.server";
import { countDueSchedules } from "../report-schedules/schedules.server";
import { readBacklog, restartDeliveries } from "../webhooks/webhook-queue.server";
import type { WaitingMessages } from "./outgoing-notice";

/** @returns null if nothing is paused, or the role may not resume it */
export async function readPausedOutgoing(role: string): Promise<WaitingMessages | null> {
  if (role !== "admin" || !(await isOutgoingPaused())) return null;
  const [{ pending: mails }, { events }, reports] = await Promise.all([
    countOpenMails(),
    readBacklog(),
    countDueSchedules(),
  ]);
  return { mails, events, reports };
}

/**
 * Returns the message about what was queued, or that it waits while outgoing messages are paused.
 * @param waiting a sentence without its end, such as 'A test mail will be sent'
 */
export async function queuedMessage<Queued extends { text: string }>(
  message: Queued,
  waiting: string,
): Promise<Queued | (Queued & { kind: "info" })> {
  if (!(await isOutgoingPaused())) return message;
  const text = `${waiting} once an admin resumes outgoing messages, which are paused.`;
  return { ...message, kind: "info", text };
}

/**
 * Lets waiting messages leave. Mails get another 5 days, as if they were new, and events for webhooks another 3 days, as if
 * their webhooks were enabled now.
 * @returns `changed`: false if nothing was paused
 */
export async function resumeOutgoing({ actor }: { actor: Actor }): Promise<{ changed: boolean }> {
  return db().transaction(async (trx) => {
    if (!(await unpauseOutgoing(trx))) return { changed: false };
    await restartMails(trx);
    await restartDeliveries(trx, null);
    await recordAction(trx, actor, "site.outgoing_messages_resumed", "1");
    return { changed: true };
  });
}
