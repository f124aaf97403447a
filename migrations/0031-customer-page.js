/**
 * What admins set for the page that customers see of a code; null is the default, which the product knows.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    alter table site_settings
      add column customer_page boolean,
      add column customer_name text,
      add column customer_colour text,
      add column customer_text text,
      add column customer_contact text`);
}
