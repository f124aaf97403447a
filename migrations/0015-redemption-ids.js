/**
 * Makes redemption ids unique per integration: an id is made by a client, and clients of different
 * integrations don't know each other's. The id stands first in the indexes, because statements know
 * it as a value. Rows without an integration have unique ids among themselves, as before.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  for (const table of ["transactions", "redemption_attempts"])
    await knex.raw(
      `drop index ${table}_redemption_id;
       create unique index ${table}_redemption_id on ${table} (redemption_id, integration_id)
         nulls not distinct;`,
    );
}
