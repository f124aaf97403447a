/**
 * Groups of machines say what they are, and know when somebody else has edited them.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    alter table machine_groups
      add column kind text not null default 'other'
        check (kind in ('site', 'route', 'customer', 'other')),
      add column version integer not null default 1;
  `);
}
