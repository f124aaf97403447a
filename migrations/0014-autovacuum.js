/**
 * Has autovacuum look after the large tables in time: its defaults wait for a fifth of a table to change.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  for (const table of ["promotions", "transactions", "redemption_attempts"])
    await knex.raw(
      `alter table ${table} set (
         autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05,
         autovacuum_analyze_scale_factor = 0.02)`,
    );
}
