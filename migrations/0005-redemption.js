/**
 * Attempts are a log. What they name is looked up by the statement that writes them, and is never
 * removed; checking it once more made a refusal wait for whoever was changing the promotion, while
 * it held the redemption id that the other one might be waiting for. Money has its references in
 * transactions, and an accepted attempt has its transaction.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    alter table redemption_attempts
      drop constraint redemption_attempts_promotion_id_fkey,
      drop constraint redemption_attempts_machine_id_fkey,
      drop constraint redemption_attempts_integration_id_fkey;
  `);
}
