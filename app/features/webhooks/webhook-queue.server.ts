/** The queue of each webhook: events become deliveries, which are jobs. */
import type { Knex } from "knex";
import { db, one, query } from "../../db/connection.server";
import { isRunningSql, type Job } from "../../db/jobs.server";
import type { Leftovers } from "../../db/sweep.server";
import { testType, type ApiEvent } from "../events/event";
import { readEventsAt } from "../events/read-events.server";
import { settings } from "../settings/settings.server";

export const oldDeliveries = (): Leftovers => ({
  table: "webhook_deliveries",
  conditionSql: `finished_at < now() - interval '${settings().eventDays} days'`,
});

/** More events wait in the log itself, so that a receiver that is away makes no long queue. */
const maxPending = 5_000;
/** The number of positions of the log that are searched at once, and of events that are found there. */
const [windowSize, maxAdded] = [10_000, 500];

/**
 * Counts the events that wait for webhooks that are enabled: those to be sent, and those of the log that have not been
 * looked at. Tells how long the first of them has waited, in seconds; 0 if there is none.
 */
export async function readBacklog(): Promise<{ events: number; oldestSeconds: number }> {
  const backlog = await one<{ events: number; oldestSeconds: number }>(
    db(),
    `select coalesce(sum(queue.length + greatest(l.last_position - seen.position, 0)), 0)::float as events,
       coalesce(extract(epoch from now() - min(least(queue.since, next.occurred_at))), 0)::float as oldest_seconds
     from event_log l, webhooks w
       cross join lateral (select greatest(w.last_position, (select min(position) - 1 from events)) as position) seen
       cross join lateral (select count(*) as length, min(created_at) as since from webhook_deliveries d
         where d.webhook_id = w.id and d.state = 'pending') queue
       left join events next on next.position = seen.position + 1
     where w.is_enabled`,
  );
  return backlog!;
}

/** Makes the deliveries that wait due at once, with another 3 days: those of one webhook, or of all. */
export async function restartDeliveries(trx: Knex, webhookId: string | null): Promise<void> {
  await query(
    trx,
    `update webhook_deliveries job set attempts = 0, next_attempt_at = now(),
       give_up_at = now() + interval '3 days'
     where state = 'pending' and not ${isRunningSql} and webhook_id = coalesce(cast(:webhookId as bigint), webhook_id)`,
    { webhookId },
  );
}

/**
 * Adds deliveries for the events of the log that have none yet, up to the limit of what may wait for a webhook.
 * @returns whether there are any
 */
export async function addDeliveries(): Promise<boolean> {
  const webhooks = await query<{ id: string }>(
    db(),
    `select w.id from webhooks w, event_log l
     where w.is_enabled and w.last_position < l.last_position order by w.id`,
  );
  for (const { id } of webhooks) while (await addNextDeliveries(id));
  return webhooks.length > 0;
}

/**
 * Adds deliveries for the next events of the log that have none yet, up to the limit of what may wait.
 * @returns whether there is more to look through, and place for it
 */
async function addNextDeliveries(id: string): Promise<boolean> {
  const row = await one<{ isUnfinished: boolean }>(
    db(),
    `with hook as materialized (
       select w.id, w.event_types, w.last_position,
         least(l.last_position, greatest(w.last_position,
           (select min(position) - 1 from events)) + ${windowSize}) as until,
         l.last_position as log_end, least(${maxAdded}, ${maxPending} - (select count(*) from (
           select from webhook_deliveries d where d.webhook_id = w.id and d.state = 'pending'
           limit ${maxPending}) waiting)) as room
       from webhooks w, event_log l where w.id = :id and w.is_enabled
       for no key update of w
     ), added as (
       insert into webhook_deliveries (webhook_id, position, event_id, type, subject, occurred_at)
       select hook.id, e.position, e.id, e.type, e.subject, e.occurred_at from hook, lateral (
         select * from events where position > hook.last_position and position <= hook.until
           and type = any (hook.event_types)
         order by position limit hook.room) e
       order by e.position
       returning position
     ), reached as (
       select hook.id, log_end, case when (select count(*) from added) = room
         then coalesce((select max(position) from added), hook.last_position) else until end as position
       from hook
     )
     update webhooks w set last_position = reached.position from reached
     where w.id = reached.id and w.last_position < reached.position
     returning reached.position < log_end as is_unfinished`,
    { id },
  );
  return row?.isUnfinished ?? false;
}

type DeliveredEvent = {
  webhookId: string;
  /** null for a test. */
  position: string | null;
  eventId: string;
  subject: string;
  occurredAt: Date;
};

export type DeliveryJob = Job &
  DeliveredEvent & { /** Whether this is the last attempt. */ isExpired: boolean };

export const deliveryColumns = "webhook_id, position, event_id, subject, occurred_at";

/** Reads the bodies of deliveries; null in the place of an event that is no longer kept. */
export async function readBodies(
  deliveries: readonly DeliveredEvent[],
): Promise<(ApiEvent | null)[]> {
  const places = deliveries.flatMap(({ position, occurredAt }) =>
    position === null ? [] : { position, occurredAt },
  );
  const events = await readEventsAt(places);
  return deliveries.map((delivery) =>
    delivery.position === null ? testEvent(delivery) : (events.get(delivery.position) ?? null),
  );
}

function testEvent({ eventId, subject, occurredAt, webhookId }: DeliveredEvent): ApiEvent {
  return {
    id: eventId,
    type: testType,
    timestamp: occurredAt.toISOString(),
    subject,
    data: { webhook: { id: Number(webhookId) } },
  };
}
