/**
 * The queue of each webhook: events become deliveries, and one worker at a time holds the lease of a webhook and sends
 * them, so that events of a subject stay in order. A process that dies leaves a lease that ends, and whatever it had
 * not recorded as delivered is sent again.
 */
import type { Knex } from "knex";
import { db, one, query } from "../../db/connection.server";
import { isOutgoingPaused } from "../../db/outgoing.server";
import type { Leftovers } from "../../db/sweep.server";
import { eventDays, testType, type ApiEvent, type EventType } from "../events/event";
import { readEvents } from "../events/read-events.server";

/** Finished deliveries are kept as long as their events. */
export const oldDeliveries: Leftovers = {
  table: "webhook_deliveries",
  conditionSql: `finished_at < now() - interval '${eventDays} days'`,
};

/** Renewed long before its end. It is how long a webhook waits after a process was killed. */
export const leaseMs = 30_000;
const leaseSql = `interval '${leaseMs} milliseconds'`;

/** More events wait in the log itself, so that a receiver that is away makes no long queue. */
const maxPending = 5_000;
/** The number of positions of the log that are searched at once, and of events that are found there. */
const [windowSize, maxAdded] = [10_000, 500];
/** Deliveries that are read at once, and those of one subject among them. */
const [batchSize, maxOfSubject] = [200, 10];

export type LeasedWebhook = {
  id: string;
  leaseId: string;
  url: string;
  eventTypes: EventType[];
  secretOwner: string;
  secret: Buffer;
  /** null when no rotation is going on. */
  previousSecret: Buffer | null;
};

export type DueDelivery = {
  id: string;
  subject: string;
  attempts: number;
  /** null for an event that is no longer kept. */
  event: ApiEvent | null;
};

/** Lists the webhooks that may have something to send and that no worker holds; none while outgoing messages are paused. */
export async function dueWebhooks(): Promise<string[]> {
  if (await isOutgoingPaused()) return [];
  const rows = await query<{ id: string }>(
    db(),
    `select w.id from webhooks w, event_log l
     where w.is_enabled and w.leased_until <= now() and (w.last_position < l.last_position
       or exists (select from webhook_deliveries d
         where d.webhook_id = w.id and d.state = 'pending' and d.next_attempt_at <= now()))
     order by w.id`,
  );
  return rows.map(({ id }) => id);
}

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
    `update webhook_deliveries set attempts = 0, next_attempt_at = now(),
       give_up_at = now() + interval '3 days'
     where state = 'pending' and webhook_id = coalesce(cast(:webhookId as bigint), webhook_id)`,
    { webhookId },
  );
}

const leasedColumns = `id, lease_id, url, event_types, secret_owner, secret,
  case when previous_secret_until > now() then previous_secret end as previous_secret`;

/** @returns null if another worker holds it, or it was disabled */
export function leaseWebhook(id: string): Promise<LeasedWebhook | null> {
  return one(
    db(),
    `update webhooks set lease_id = gen_random_uuid(), leased_until = now() + ${leaseSql}
     where id = :id and is_enabled and leased_until <= now() returning ${leasedColumns}`,
    { id },
  );
}

/** Prolongs a lease and reads the webhook again; null if it was lost, or the webhook disabled or removed. */
export function renewLease({ id, leaseId }: LeasedWebhook): Promise<LeasedWebhook | null> {
  return one(
    db(),
    `update webhooks set leased_until = now() + ${leaseSql}
     where id = :id and is_enabled and lease_id = :leaseId returning ${leasedColumns}`,
    { id, leaseId },
  );
}

export async function releaseLease({ id, leaseId }: LeasedWebhook): Promise<void> {
  await query(
    db(),
    "update webhooks set leased_until = now(), lease_id = null where id = :id and lease_id = :leaseId",
    { id, leaseId },
  );
}

/**
 * Adds deliveries for the next events of the log that have none yet, up to the limit of what may wait.
 * @returns whether there is more to look through, and place for it
 */
export async function addDeliveries({ id, leaseId }: LeasedWebhook): Promise<boolean> {
  const row = await one<{ isUnfinished: boolean }>(
    db(),
    `with hook as materialized (
       select w.id, w.event_types, w.last_position,
         least(l.last_position, greatest(w.last_position,
           (select min(position) - 1 from events)) + ${windowSize}) as until,
         l.last_position as log_end, least(${maxAdded}, ${maxPending} - (select count(*) from (
           select from webhook_deliveries d where d.webhook_id = w.id and d.state = 'pending'
           limit ${maxPending}) waiting)) as room
       from webhooks w, event_log l where w.id = :id and w.lease_id = :leaseId
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
    { id, leaseId },
  );
  return row?.isUnfinished ?? false;
}

type DeliveryRow = {
  id: string;
  webhookId: string;
  position: string | null;
  eventId: string;
  subject: string;
  occurredAt: Date;
  attempts: number;
};

/** Reads the next deliveries in order, without the subjects that wait for their next attempt. */
export async function readDueDeliveries(webhook: LeasedWebhook): Promise<DueDelivery[]> {
  const rows = await query<DeliveryRow>(
    db(),
    `select id, webhook_id, position, event_id, subject, occurred_at, attempts from (
       select d.*, row_number() over (partition by d.subject order by d.id) as turn
       from webhook_deliveries d
       where d.webhook_id = :id and d.state = 'pending' and not exists (
         select from webhook_deliveries w where w.webhook_id = d.webhook_id and w.subject = d.subject
           and w.state = 'pending' and w.attempts > 0 and w.next_attempt_at > now())) due
     where turn <= ${maxOfSubject} order by id limit ${batchSize}`,
    { id: webhook.id },
  );
  return withEvents(rows);
}

async function withEvents(rows: readonly DeliveryRow[]): Promise<DueDelivery[]> {
  const positions = rows.flatMap(({ position }) => position ?? []);
  const events = new Map(
    (
      await readEvents(db(), "position = any(cast(:positions as bigint[]))", {
        positions: `{${positions.join(",")}}`,
      })
    ).map(({ position, event }) => [position, event]),
  );
  return rows.map((row) => ({
    ...{ id: row.id, subject: row.subject, attempts: row.attempts },
    event: row.position === null ? testEvent(row) : (events.get(row.position) ?? null),
  }));
}

function testEvent({ eventId, subject, occurredAt, webhookId }: DeliveryRow): ApiEvent {
  return {
    ...{ id: eventId, type: testType, timestamp: occurredAt.toISOString(), subject },
    data: { webhook: { id: Number(webhookId) } },
  };
}

/** Reads the body that a delivery has or had; null for an event that is no longer kept. */
export async function readDeliveredEvent(deliveryId: string): Promise<ApiEvent | null> {
  const rows = await query<DeliveryRow>(
    db(),
    `select id, webhook_id, position, event_id, subject, occurred_at, attempts
     from webhook_deliveries where id = :deliveryId`,
    { deliveryId },
  );
  return (await withEvents(rows))[0]?.event ?? null;
}
