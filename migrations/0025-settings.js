/**
 * What admins set on the settings screen; null is the default, which the product knows. The logo has a row if there
 * is one. Retentions are in days. Once refused attempts were deleted, their sums can't be counted again.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    alter table site_settings
      add column site_name text,
      add column week_start text,
      add column theme text,
      add column currency_symbol text,
      add column currency_place text,
      add column max_codes integer,
      add column allow_signup boolean,
      add column refusal_days integer check (refusal_days >= 30),
      add column event_days integer check (event_days >= 30),
      add column mail_days integer check (mail_days >= 30),
      add column version integer not null default 1;

    create table site_logo (
      only_row boolean primary key default true check (only_row),
      name text not null,
      -- Of the content, in hexadecimal.
      digest text not null,
      width integer not null,
      height integer not null,
      content bytea not null check (length(content) <= 65536)
    );

    alter table activity_summary add column keeps_refusals boolean not null default false`);
}
