/** Sends events by hand: a test, one event again, or those of a period. A receiver knows them by their ids. */
import type { Knex } from "knex";
import { db, one, query } from "../../db/connection.server";
import { isRunningSql } from "../../db/jobs.server";
import { isSinceDaySql, isUntilDaySql, siteTimeZone } from "../../db/site.server";
import { conflict, invalidFields, notFound } from "../../errors";
import { formatNumber } from "../../format/number";
import { parseRecordId } from "../../forms/record-id";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { runOnce, type ActionOptions } from "../activity/idempotency.server";
import { testType } from "../events/event";
import { laterDeliveriesSql } from "./deliveries.server";
import type { DeliveryState, Webhook } from "./webhook";
import { lockWebhook } from "./webhooks.server";

const maxRedelivered = 10_000;

const columns = "webhook_id, position, event_id, type, subject, occurred_at, is_redelivery";

/** @throws DomainError conflict: the webhook is disabled */
async function lockEnabledWebhook(trx: Knex, id: string): Promise<Webhook> {
  const webhook = await lockWebhook(trx, id);
  if (!webhook.isEnabled) throw conflict("Enable the webhook first.");
  return webhook;
}

/**
 * Adds to the queue of a webhook, once for each idempotency key.
 * @throws DomainError not_found; conflict: the webhook is disabled
 */
function addToQueue<Result extends object | void>(
  webhookId: string,
  input: object,
  options: ActionOptions,
  add: (trx: Knex, webhook: Webhook) => Promise<Result>,
): Promise<Result> {
  return runOnce(options, input, async (trx) => add(trx, await lockEnabledWebhook(trx, webhookId)));
}

/**
 * Queues an event that tells of nothing.
 * @throws DomainError not_found; conflict: the webhook is disabled
 */
export async function sendTestEvent(webhookId: string, options: ActionOptions): Promise<void> {
  await addToQueue(webhookId, { tested: webhookId }, options, async (trx, { id }) => {
    await query(
      trx,
      `insert into webhook_deliveries (webhook_id, event_id, type, subject, occurred_at)
       select :id, test, :testType, 'test:' || test, now() from gen_random_uuid() test`,
      { id, testType },
    );
    await recordAction(trx, options.actor, "webhook.tested", id);
  });
}

/**
 * Queues the event of a delivery once more, behind what waits already.
 * @throws DomainError not_found; conflict: the webhook is disabled, or the event still waits
 */
export async function redeliverEvent(
  webhookId: string,
  deliveryId: string,
  options: ActionOptions,
): Promise<void> {
  await addToQueue(webhookId, { redelivered: deliveryId }, options, async (trx, { id }) => {
    const delivery = await one<{ isWaiting: boolean }>(
      trx,
      `select exists (select from webhook_deliveries w where w.webhook_id = d.webhook_id
           and w.subject = d.subject and w.event_id = d.event_id and w.state = 'pending') as is_waiting
       from webhook_deliveries d where id = :deliveryId and webhook_id = :id`,
      { deliveryId: parseRecordId(deliveryId), id },
    );
    if (!delivery) throw notFound("Delivery not found");
    if (delivery.isWaiting) throw conflict("This event is already waiting to be sent.");
    await addRedelivery(trx, { webhookId: id, deliveryId }, options.actor);
  });
}

type DeliveryOfWebhook = { webhookId: string; deliveryId: string };

async function addRedelivery(
  trx: Knex,
  { webhookId, deliveryId }: DeliveryOfWebhook,
  actor: Actor,
): Promise<void> {
  await query(
    trx,
    `insert into webhook_deliveries (${columns})
     select webhook_id, position, event_id, type, subject, occurred_at, true
     from webhook_deliveries where id = :deliveryId`,
    { deliveryId },
  );
  await recordAction(trx, actor, "webhook.redelivered", webhookId, {
    details: { delivery: deliveryId },
  });
}

const alreadyDelivered = "This event was already delivered.";

/**
 * Makes a delivery that waits due, with what comes before it of its subject, or queues one that has failed once more.
 * @returns `changed`: false if it is due or runs already, or the event waits once more
 * @throws DomainError not_found; conflict: the webhook is disabled, or the event was delivered, this time or later
 */
export async function sendDeliveryNow(
  id: string,
  { actor }: { actor: Actor },
): Promise<{ changed: boolean }> {
  const delivery = await one<{ webhookId: string; state: DeliveryState }>(
    db(),
    "select webhook_id, state from webhook_deliveries where id = :id",
    { id },
  );
  if (!delivery) throw notFound("Delivery not found");
  const { webhookId, state } = delivery;
  if (state === "delivered") throw conflict(alreadyDelivered);
  if (state === "failed") return redeliverFailed({ webhookId, deliveryId: id }, actor);
  return db().transaction(async (trx) => {
    await lockEnabledWebhook(trx, webhookId);
    const due = await query(
      trx,
      `update webhook_deliveries job set next_attempt_at = now() from webhook_deliveries d
       where d.id = :id and job.webhook_id = d.webhook_id and job.subject = d.subject and job.id <= d.id
         and job.state = 'pending' and job.next_attempt_at > now() and not ${isRunningSql} returning job.id`,
      { id },
    );
    if (due.length > 0)
      await recordAction(trx, actor, "webhook.delivery_run_now", webhookId, {
        details: { delivery: id },
      });
    return { changed: due.length > 0 };
  });
}

/** @throws DomainError conflict: the webhook is disabled, or a redelivery was accepted */
async function redeliverFailed(
  delivery: DeliveryOfWebhook,
  actor: Actor,
): Promise<{ changed: boolean }> {
  return db().transaction(async (trx) => {
    await lockEnabledWebhook(trx, delivery.webhookId);
    const later = await one<{ state: DeliveryState }>(
      trx,
      `select later.state from webhook_deliveries d, ${laterDeliveriesSql("d")} and d.id = :deliveryId
       order by later.id desc limit 1`,
      delivery,
    );
    if (later?.state === "delivered") throw conflict(alreadyDelivered);
    if (!later) await addRedelivery(trx, delivery, actor);
    return { changed: later === null };
  });
}

/**
 * Makes all deliveries of a webhook that wait due; those of one subject are still sent one after the other.
 * @returns how many were not due yet
 * @throws DomainError not_found; conflict: the webhook is disabled
 */
export async function sendWaitingNow(
  webhookId: string,
  { actor }: { actor: Actor },
): Promise<number> {
  return db().transaction(async (trx) => {
    const { id } = await lockEnabledWebhook(trx, webhookId);
    const due = await query(
      trx,
      `update webhook_deliveries job set next_attempt_at = now()
       where webhook_id = :id and state = 'pending' and next_attempt_at > now() and not ${isRunningSql}
       returning id`,
      { id },
    );
    if (due.length > 0)
      await recordAction(trx, actor, "webhook.delivery_run_now", id, { covered: due.length });
    return due.length;
  });
}

type RedeliveryPeriod = {
  /** YYYY-MM-DD; both days belong to it. */
  firstDay: string;
  lastDay: string;
  /** Whether only events are sent that were given up and neither wait again nor were accepted since. */
  isFailedOnly: boolean;
};

/**
 * Queues the events of a webhook's types that happened in a period of site-local days and don't wait, in their order.
 * @returns how many
 * @throws DomainError not_found; conflict: the webhook is disabled; invalid: `fields.last_day`: there are too many
 */
export async function redeliverPeriod(
  webhookId: string,
  { firstDay, lastDay, isFailedOnly }: RedeliveryPeriod,
  options: ActionOptions,
): Promise<number> {
  const input = { webhookId, firstDay, lastDay, isFailedOnly };
  const { count } = await addToQueue(webhookId, input, options, async (trx, webhook) => {
    const added = await query(
      trx,
      `insert into webhook_deliveries (${columns})
       select :webhookId, e.position, e.id, e.type, e.subject, e.occurred_at, true
       from events e
       where ${isSinceDaySql("e.occurred_at", "firstDay")}
         and ${isUntilDaySql("e.occurred_at", "lastDay")}
         and e.type = any(:eventTypes)
         and e.position <= (select last_position from webhooks where id = :webhookId)
         and not exists (select from webhook_deliveries w where w.webhook_id = :webhookId
           and w.subject = e.subject and w.event_id = e.id and w.state = 'pending')
         and (not :isFailedOnly or e.position in (
           select d.position from webhook_deliveries d
           where d.webhook_id = :webhookId and d.state = 'failed'
             and not exists (select from ${laterDeliveriesSql("d")})))
       order by e.position limit ${maxRedelivered + 1}
       returning id`,
      {
        webhookId: webhook.id,
        eventTypes: webhook.eventTypes,
        isFailedOnly,
        firstDay,
        lastDay,
        timeZone: siteTimeZone(),
      },
    );
    if (added.length > maxRedelivered)
      throw invalidFields({
        last_day: `These are more than ${formatNumber(maxRedelivered)} events. Choose a shorter period.`,
      });
    if (added.length > 0)
      await recordAction(trx, options.actor, "webhook.period_redelivered", webhook.id, {
        covered: added.length,
        details: { first_day: firstDay, last_day: lastDay, failed_only: isFailedOnly },
      });
    return { count: added.length };
  });
  return count;
}
