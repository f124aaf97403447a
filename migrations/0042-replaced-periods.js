/**
 * Says for which period (RULES U4) a code was replaced: what a rollback gives back to it is redeemable only in a later one.
 * Test codes are never replaced; their statements read an empty table of the same name.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    alter table replacements add column period_key integer not null default 0;
    update replacements r set period_key = p.period_key from promotions p where p.id = r.replaced_id and p.is_renewable;
    create table test_mode.replacements (like replacements including all);
  `);
}
