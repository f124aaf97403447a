import { db, one, query, type Database } from "../../db/connection.server";
import { nowSql } from "../../db/site.server";
import type { Leftovers } from "../../db/sweep.server";
import { settings } from "../settings/settings.server";
import type { EventType } from "./event";
import type { EventData } from "./event-data";

export const oldEvents = (): Leftovers => ({
  table: "events",
  key: ["position", "occurred_at"],
  conditionSql: `occurred_at < now() - interval '${settings().eventDays} days'`,
});

type NewEvent<Type extends EventType> = { type: Type; subject: string; data: EventData<Type> };

/**
 * Records an event in the transaction that causes it. Redemptions, refusals, rollbacks, deactivations, machines and
 * throttled keys need no call: their events come from transactions, attempts and triggers.
 * @param event.subject what the event is about, such as 'mass_generation:4'
 */
export function recordEvent<Type extends EventType>(
  trx: Database,
  event: NewEvent<Type>,
): Promise<void> {
  return recordEvents(trx, [event]);
}

export async function recordEvents<Type extends EventType>(
  trx: Database,
  events: readonly NewEvent<Type>[],
): Promise<void> {
  await query(
    trx,
    `insert into recorded_events (type, subject, data)
     select type, subject, data
     from jsonb_to_recordset(cast(:events as jsonb)) as e (type text, subject text, data jsonb)`,
    { events: JSON.stringify(events) },
  );
}

/** An expiration may have been stored by a transaction that was open for so long. */
const overlapSql = "interval '10 minutes'";

const expiredSql = `
  select 'promotion:' || p.id as subject, p.expires_at, jsonb_build_object('promotion', jsonb_build_object(
      'id', p.id, 'code', p.code, 'name', p.name, 'activation_count', p.activation_count)) as data
  from promotions p, span
  where not p.is_deleted and p.mass_generation_id is null
    and coalesce(p.expires_at, 'infinity') > since and coalesce(p.expires_at, 'infinity') <= until
  union all
  select 'mass_generation:' || g.id, g.expires_at, jsonb_build_object('mass_generation', jsonb_build_object(
      'id', g.id, 'name', g.name, 'num_codes', g.num_codes))
  from mass_generations g, span
  where not g.is_deleted and g.expires_at > since and g.expires_at <= until`;

/**
 * Records the campaigns that have expired since the last time: one event for a single promotion, and one for a mass
 * generation with all its codes. A campaign that was extended and expires again is another event.
 * @param now replaces the database's clock, in tests
 */
export async function recordExpiredCampaigns(now: Date | null = null): Promise<void> {
  await db().transaction(async (trx) => {
    // One instance at a time; the next one finds the events of this one.
    await one(trx, "select from event_log for no key update");
    await query(
      trx,
      `with span as materialized (
         select coalesce(expired_until, until) - ${overlapSql} as since, until
         from event_log, (select ${nowSql} as until) clock
       ), recorded as (
         insert into recorded_events (type, subject, data, occurred_at)
         select 'promotion.expired', subject, data, expires_at from (${expiredSql}) expired
         where not exists (select from events e where e.occurred_at = expires_at
             and e.type = 'promotion.expired' and e.subject = expired.subject)
           and not exists (select from recorded_events r where r.occurred_at = expires_at
             and r.type = 'promotion.expired' and r.subject = expired.subject)
         order by expires_at, subject
       )
       update event_log set expired_until = span.until from span`,
      { now },
    );
  });
}
