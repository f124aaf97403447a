/**
 * Reports that are mailed to addresses at 07:00 of the site's time zone.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create table report_schedules (
      id bigint generated always as identity primary key,
      frequency text not null check (frequency in ('daily', 'weekly', 'monthly')),
      recipients text[] not null check (cardinality(recipients) between 1 and 20),
      is_paused boolean not null default false,
      next_run_at timestamptz not null,
      last_run_at timestamptz,
      created_by bigint references users on delete set null,
      created_at timestamptz not null default now()
    );
    create index report_schedules_due on report_schedules (next_run_at) where not is_paused;
  `);
}
