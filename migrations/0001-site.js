/**
 * Settings of the installation, and counters of attempts.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create extension if not exists pg_trgm;

    -- What is decided once for the installation; one row.
    create table site_settings (
      only_row boolean primary key default true check (only_row),
      time_zone text not null,
      created_at timestamptz not null default now(),
      -- A restored database sends nothing by itself until an admin resumes that: its receivers belong to the original.
      is_outgoing_paused boolean not null default false
    );

    -- Points until expire, in ms since 1970.
    create table rate_limits (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    );
  `);
}
