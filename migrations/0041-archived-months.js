/**
 * Months whose transactions, attempts and events were archived in a file, with what was summed up of them: the summary
 * is checked and built anew with these sums in place of the rows.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create table archived_months (
      -- The first day of a month in UTC.
      month date primary key check (extract(day from month) = 1),
      transactions bigint not null,
      -- Those that were not rolled back, and their discount in cents.
      redemptions bigint not null,
      discount bigint not null,
      attempts bigint not null,
      events bigint not null,
      -- Of the file.
      sha256 text not null,
      archived_at timestamptz not null default now(),
      -- Until then its rows are being deleted, and count no longer.
      is_removed boolean not null default false
    );

    create table archived_daily_activity (
      archived_month date not null references archived_months on delete cascade,
      like daily_activity including defaults,
      primary key (archived_month, day, machine_id)
    );
    create table archived_campaign_activity (
      archived_month date not null references archived_months on delete cascade,
      like campaign_activity including defaults,
      primary key (archived_month, month, campaign_id)
    );
    create index archived_campaign_activity_campaign on archived_campaign_activity (campaign_id);
  `);
}
