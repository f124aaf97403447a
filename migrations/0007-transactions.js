/**
 * The transactions of a promotion in the order in which all lists show them, so that those of a
 * code that is used very often are read a page at a time. Takes the place of the index that every
 * redemption writes anyway.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    drop index transactions_promotion;
    create index transactions_promotion on transactions (promotion_id, created_at desc, id desc);
  `);
}
