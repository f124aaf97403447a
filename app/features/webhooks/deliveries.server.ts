/** The log of deliveries. */
import { db, one } from "../../db/connection.server";
import { queryPage, type PageQuery } from "../../db/pages.server";
import { DomainError } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import type { ApiEvent } from "../events/event";
import type { Delivery, DeliveryState } from "./webhook";
import { readDeliveredEvent } from "./webhook-queue.server";

const columns = `id, webhook_id, event_id, type, subject, occurred_at, is_redelivery, state, attempts,
  next_attempt_at, give_up_at, created_at, attempted_at, duration_ms, response_status, last_error`;

/** Longer logs show their newest part. */
const maxListed = 10_000;

/** Lists deliveries of a webhook, newest first. */
export async function listDeliveries(
  webhookId: string,
  { state, ...pageQuery }: { state: DeliveryState | null } & PageQuery,
) {
  const from = `(select ${columns} from webhook_deliveries
    where webhook_id = :webhookId ${state ? "and state = :state" : ""}
    order by id desc limit ${maxListed}) deliveries`;
  const { rows, ...list } = await queryPage<Delivery>(
    { from, rows: `select * from ${from} order by id desc limit :perPage offset :offset` },
    { webhookId, ...(state && { state }) },
    pageQuery,
  );
  return { deliveries: rows, ...list };
}

export type DeliveryDetails = Delivery & {
  url: string;
  /** null before the first attempt. */
  requestHeaders: Record<string, string> | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  /** null for an event that is no longer kept. */
  event: ApiEvent | null;
};

/** @throws DomainError not_found, also for malformed ids and for a delivery of another webhook */
export async function getDelivery(webhookId: string, id: string): Promise<DeliveryDetails> {
  const delivery = await one<Omit<DeliveryDetails, "event">>(
    db(),
    `select d.*, w.url from webhook_deliveries d join webhooks w on w.id = d.webhook_id
     where d.id = :id and d.webhook_id = :webhookId`,
    { id: parseRecordId(id), webhookId: parseRecordId(webhookId) },
  );
  if (!delivery) throw new DomainError("not_found", "Delivery not found");
  return { ...delivery, event: await readDeliveredEvent(delivery.id) };
}
