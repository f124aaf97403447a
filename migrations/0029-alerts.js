/**
 * Alerts, and when the last whole backup was made. Single promotions get an index of their expirations: that of all
 * codes has as many entries of one day as a mass generation has codes.
 */
export const config = { transaction: false };

/** @param {import("knex").Knex} knex */
export async function up(knex) {
  const concurrently = knex.isTransaction ? "" : "concurrently";
  // An index that was interrupted is there, but not valid.
  await knex.raw(`drop index ${concurrently} if exists promotions_single_expiry`);
  await knex.raw(`
    create index ${concurrently} promotions_single_expiry on promotions (coalesce(expires_at, 'infinity'), id)
      where not is_deleted and mass_generation_id is null`);
  await knex.raw(`
    -- One row from the moment at which something is found to the one at which it is found no more. message and button
    -- are what people read and press; they follow what is found.
    create table alerts (
      id bigint generated always as identity primary key,
      kind text not null,
      -- The thing that it is about, such as 'machine:3'.
      subject text not null,
      message text not null,
      button jsonb not null,
      -- False where something else mails it.
      is_mailed boolean not null,
      raised_at timestamptz not null default now(),
      cleared_at timestamptz,
      dismissed_at timestamptz,
      -- The address of whoever did it.
      dismissed_by text,
      check ((dismissed_at is null) = (dismissed_by is null))
    );
    create unique index alerts_open on alerts (kind, subject) where cleared_at is null;
    create index alerts_subject on alerts (kind, subject, cleared_at);
    create index alerts_cleared on alerts (cleared_at);

    create table alert_mutes (
      kind text not null,
      subject text not null,
      until timestamptz not null,
      muted_by text not null,
      primary key (kind, subject)
    );

    -- People who get mails about alerts. Alerts up to last_alert_id were mailed, or raised before the choice.
    create table alert_mails (
      user_id bigint primary key references users on delete cascade,
      frequency text not null check (frequency in ('at_once', 'daily')),
      next_mail_at timestamptz,
      last_alert_id bigint not null,
      check ((frequency = 'daily') = (next_mail_at is not null))
    );

    alter table site_settings add column backed_up_at timestamptz;`);
}
