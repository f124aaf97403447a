/**
 * Webhooks: addresses that events are sent to, and a log of their deliveries.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create table webhooks (
      id bigint generated always as identity primary key,
      url text not null check (length(url) between 1 and 2000),
      event_types text[] not null check (cardinality(event_types) >= 1),
      -- Encrypted under APP_SECRET for the owner. During a rotation calls are signed with both.
      secret_owner uuid not null default gen_random_uuid(),
      secret bytea not null,
      previous_secret bytea,
      previous_secret_until timestamptz,
      is_enabled boolean not null default true,
      -- Why it was disabled automatically.
      disabled_reason text,
      -- Events up to here have their deliveries.
      last_position bigint not null,
      last_success_at timestamptz,
      -- The one worker that sends for it, so that events of a subject stay in order.
      lease_id uuid,
      leased_until timestamptz not null default now(),
      created_by bigint references users on delete set null,
      created_at timestamptz not null default now(),
      check ((previous_secret is null) = (previous_secret_until is null)),
      check (disabled_reason is null or not is_enabled)
    );

    -- An event for one webhook; of one subject they are sent in the order of their ids. The last attempt is kept with
    -- its request and its answer; earlier attempts are a value of their delivery, oldest first: most have none, and
    -- they end with it. A test has no position.
    create table webhook_deliveries (
      id bigint generated always as identity primary key,
      webhook_id bigint not null references webhooks on delete cascade,
      position bigint,
      event_id uuid not null,
      type text not null,
      subject text not null,
      occurred_at timestamptz not null,
      is_redelivery boolean not null default false,
      state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
      attempts integer not null default 0,
      next_attempt_at timestamptz not null default now(),
      give_up_at timestamptz not null default now() + interval '3 days',
      created_at timestamptz not null default now(),
      finished_at timestamptz,
      attempted_at timestamptz,
      duration_ms integer,
      request_headers jsonb,
      response_status integer,
      response_headers jsonb,
      response_body text,
      last_error text,
      request_url text,
      earlier_attempts jsonb not null default '[]',
      check ((state = 'pending') = (finished_at is null))
    );
    create index webhook_deliveries_pending on webhook_deliveries (webhook_id, id) where state = 'pending';
    create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, subject)
      where state = 'pending' and attempts > 0;
    create index webhook_deliveries_log on webhook_deliveries (webhook_id, id desc);
    create index webhook_deliveries_finished on webhook_deliveries (finished_at) where finished_at is not null;
  `);
}
