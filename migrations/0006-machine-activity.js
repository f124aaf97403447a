/**
 * What a machine's own page asks for: its transactions of a period, and its attempts that were
 * refused. The first takes the place of an index of the same size. The second does too, and leaves
 * accepted attempts out: a redemption that succeeds writes one index entry less than before.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create index transactions_of_machine on transactions (machine_id, created_at desc, id desc);
    drop index transactions_machine;
    create index redemption_attempts_refused
      on redemption_attempts (machine_id, created_at desc, id desc) where outcome <> 'accepted';
    drop index redemption_attempts_machine;
  `);
}

/** @param {import("knex").Knex} knex */
export async function down(knex) {
  await knex.raw(`
    create index transactions_machine on transactions (machine_id, id desc);
    drop index transactions_of_machine;
    create index redemption_attempts_machine on redemption_attempts (machine_id, id desc);
    drop index redemption_attempts_refused;
  `);
}
