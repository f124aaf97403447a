/**
 * Adds the idempotency key that a rollback was asked for with: the same one gets the first answer again.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw("alter table transactions add column rollback_key text");
}
