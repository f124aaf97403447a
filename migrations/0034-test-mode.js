/**
 * Test mode: tables of their own for test codes, so that no list, count or report of the site can read one. The statement
 * of a redemption meets them by `search_path`; what is not made here, such as keys, is the site's.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  const copied = [
    "machines",
    "promotions",
    "transactions",
    "redemption_attempts",
    "attempt_counts",
    "audit_log",
  ];
  await knex.raw(`
    alter table api_keys add column is_test boolean not null default false;
    create schema test_mode;
    ${copied.map((table) => `create table test_mode.${table} (like ${table} including all);`).join("\n")}

    -- A test code belongs to the set 1 where the test machine accepts it.
    alter table test_mode.promotions alter column set_id set default 1;
    create view test_mode.effective_machines as
      select cast(1 as bigint) as set_id, m.id as machine_id from test_mode.machines m where not m.is_deleted;
    insert into test_mode.machines (serial_number, human_name) values ('TEST-MACHINE', 'Test machine');
  `);
}
