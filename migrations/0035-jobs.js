/**
 * Background jobs. Mails, which are rows of the outbox, have the columns of other jobs.
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

    alter table outbox add column is_running boolean not null default false;
  `);
}
