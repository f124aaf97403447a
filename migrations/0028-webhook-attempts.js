/**
 * Keeps the attempts of a delivery before the last one, and the address to which each was sent.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- Earlier attempts are a value of their delivery, oldest first: most have none, and they end with it.
    alter table webhook_deliveries
      add column request_url text,
      add column earlier_attempts jsonb not null default '[]';
  `);
}
