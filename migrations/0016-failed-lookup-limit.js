/**
 * Gives each key a limit of its own for codes that don't exist, in redemptions a minute.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(
    `alter table api_keys add column max_failed_lookups integer not null default 300
       check (max_failed_lookups between 300 and 10000)`,
  );
}
