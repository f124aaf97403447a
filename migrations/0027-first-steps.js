/**
 * When the codes of the site were printed or downloaded for the first time, which is one of its first steps.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    alter table site_settings add column codes_downloaded_at timestamptz;
    -- A site with redemptions is beyond its first steps.
    update site_settings set codes_downloaded_at = created_at where exists (select from transactions);
  `);
}
