/**
 * The hour at which a report is mailed, in the site's time zone.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    alter table report_schedules add column hour integer not null default 7 check (hour between 0 and 23)`);
}
