/**
 * Background jobs. Mails and deliveries of webhooks are jobs in tables of their own, which have the columns of others.
 * A webhook has no worker of its own any more: its lease is for instances of release 1.0.0.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create table jobs (
      id bigint generated always as identity primary key,
      kind text not null,
      -- The record that it is about; '' for a job that is repeated.
      subject text not null default '',
      state text not null default 'pending' check (state in ('pending', 'done', 'failed')),
      -- Attempts that have begun; tells the attempts of two workers apart.
      attempts integer not null default 0,
      -- True from the beginning of an attempt to its end, or to the end of the lease of a worker that died.
      is_running boolean not null default false,
      -- During an attempt, the end of its lease.
      next_attempt_at timestamptz not null default now(),
      give_up_at timestamptz not null default 'infinity',
      last_error text,
      created_at timestamptz not null default now(),
      finished_at timestamptz,
      unique (kind, subject),
      check ((state = 'pending') = (finished_at is null))
    );
    create index jobs_due on jobs (next_attempt_at) where state = 'pending';
    create index jobs_finished on jobs (finished_at);

    -- Actions that a process of an earlier release has left unfinished.
    insert into jobs (kind, subject)
    select 'bulk_action', id from lifecycle_operations where started_at is not null and done_at is null order by id;

    alter table outbox add column is_running boolean not null default false;

    alter table webhook_deliveries add column is_running boolean not null default false;
    create index webhook_deliveries_due on webhook_deliveries (id) where state = 'pending';
    create index webhook_deliveries_subjects on webhook_deliveries (webhook_id, subject, id) where state = 'pending';
    create index webhook_deliveries_failed on webhook_deliveries (id) where state = 'failed';
    create index webhook_deliveries_running on webhook_deliveries (webhook_id) where is_running;
  `);
}
