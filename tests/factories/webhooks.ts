import { randomUUID } from "node:crypto";
import { db } from "../../app/db/connection.server";
import { eventTypes } from "../../app/features/events/event";
import {
  encryptWebhookSecret,
  newWebhookSecret,
} from "../../app/features/webhooks/webhook-secrets.server";

/** A webhook for all events from now on; say only what matters to the test. */
export async function insertWebhook(row: Record<string, unknown> = {}) {
  const secret = newWebhookSecret();
  const owner = randomUUID();
  const [webhook] = await db()("webhooks")
    .insert({
      url: "https://example.com/hook",
      event_types: Object.keys(eventTypes),
      secret_owner: owner,
      secret: encryptWebhookSecret(secret, owner),
      last_position: db()("event_log").select("last_position"),
      ...row,
    })
    .returning<{ id: string }[]>("id");
  return { id: webhook!.id, secret };
}

/** A delivery that will be tried again. */
export async function insertFailingDelivery(webhookId: string): Promise<void> {
  await db()("webhook_deliveries").insert({
    webhook_id: webhookId,
    event_id: randomUUID(),
    type: "machine.deleted",
    subject: "machine:1",
    occurred_at: db().fn.now(),
    attempts: 1,
    attempted_at: db().fn.now(),
    last_error: "The receiver answered 500.",
  });
}
