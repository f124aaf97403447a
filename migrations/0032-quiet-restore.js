/**
 * A restored database sends nothing by itself until an admin resumes that: its receivers belong to the original.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(
    "alter table site_settings add column is_outgoing_paused boolean not null default false",
  );
}
