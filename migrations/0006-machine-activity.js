/**
 * Indexes for a machine's own page: its transactions of a period, and its attempts that were
 * refused. Each index takes the place of one that every redemption writes anyway; the second leaves
 * accepted attempts out, so that a redemption that succeeds writes one entry less than before.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    drop index transactions_machine;
    create index transactions_machine on transactions (machine_id, created_at desc, id desc);
    drop index redemption_attempts_machine;
    create index redemption_attempts_machine
      on redemption_attempts (machine_id, created_at desc, id desc) where outcome <> 'accepted';
  `);
}
