/**
 * Gives what instances of release 1.0.0 write during a rolling upgrade what this release needs: a job for a bulk action
 * that they start, because nothing else continues it after their end, and the type 'campaign.created' for the event and
 * for webhooks, which `0021` renamed only once. The release after the next drops these triggers.
 *
 * It has a transaction for each table, because redemptions may wait for `recorded_events`.
 */
export const config = { transaction: false };

const renamedDataSql = (/** @type {string} */ data) =>
  `jsonb_build_object('campaign', ${data} -> 'mass_generation' || '{"type": "mass", "code": null}')`;

/** @param {import("knex").Knex} knex */
export async function up(knex) {
  await knex.raw(`
    create or replace function rename_recorded_event() returns trigger language plpgsql as $$
    begin
      new.type := 'campaign.created';
      new.data := ${renamedDataSql("new.data")};
      return new;
    end $$;
    create or replace trigger recorded_events_renamed before insert on recorded_events for each row
      when (new.type = 'mass_generation.created') execute function rename_recorded_event();
    update recorded_events set type = 'campaign.created', data = ${renamedDataSql("data")}
      where type = 'mass_generation.created';
  `);
  await knex.raw(`
    -- Runs at the end of the transaction, when this release has added the job itself. The instance that starts the
    -- action has a while to do it alone.
    create or replace function add_bulk_action_job() returns trigger language plpgsql as $$
    begin
      insert into jobs (kind, subject, next_attempt_at) values ('bulk_action', new.id, now() + interval '30 seconds')
        on conflict (kind, subject) do nothing;
      return null;
    end $$;
    drop trigger if exists lifecycle_operations_job on lifecycle_operations;
    create constraint trigger lifecycle_operations_job after insert or update of started_at on lifecycle_operations
      deferrable initially deferred for each row when (new.started_at is not null and new.done_at is null)
      execute function add_bulk_action_job();
    insert into jobs (kind, subject)
      select 'bulk_action', id from lifecycle_operations where started_at is not null and done_at is null order by id
      on conflict (kind, subject) do nothing;
  `);
  await knex.raw(`
    create or replace function rename_event_types() returns trigger language plpgsql as $$
    begin
      new.event_types := array_replace(new.event_types, 'mass_generation.created', 'campaign.created');
      return new;
    end $$;
    create or replace trigger webhooks_event_types_renamed before insert or update of event_types on webhooks
      for each row when ('mass_generation.created' = any (new.event_types)) execute function rename_event_types();
    update webhooks set event_types = event_types where 'mass_generation.created' = any (event_types);

    -- Events that webhooks have left behind since 0021.
    insert into webhook_deliveries (webhook_id, position, event_id, type, subject, occurred_at)
      select w.id, e.position, e.id, e.type, e.subject, e.occurred_at
      from events e join webhooks w on 'campaign.created' = any (w.event_types)
        and w.created_at <= e.occurred_at and w.last_position >= e.position
      where e.type = 'mass_generation.created'
        and not exists (select from webhook_deliveries d where d.webhook_id = w.id and d.event_id = e.id)
      order by e.position;
    update webhook_deliveries set type = 'campaign.created' where type = 'mass_generation.created';
    update events set type = 'campaign.created', data = ${renamedDataSql("data")}
      where type = 'mass_generation.created';
  `);
}
