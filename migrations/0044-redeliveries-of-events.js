/** Finds what was sent again of an event, which is little beside all deliveries. */
export const config = { transaction: false };

/** @param {import("knex").Knex} knex */
export async function up(knex) {
  const concurrently = knex.isTransaction ? "" : "concurrently";
  // An index that was interrupted is there, but not valid.
  await knex.raw(`drop index ${concurrently} if exists webhook_deliveries_again`);
  await knex.raw(`
    create index ${concurrently} webhook_deliveries_again on webhook_deliveries (event_id) where is_redelivery`);
}
