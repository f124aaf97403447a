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
