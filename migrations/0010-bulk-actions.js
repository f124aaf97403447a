/**
 * Keeps what the confirmation of a bulk action counted as an operation that has not started, and lets
 * the history of a mass generation find the bulk actions that changed its codes.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    alter table lifecycle_operations add column started_at timestamptz;
    update lifecycle_operations set started_at = created_at;
    drop index lifecycle_operations_pending;
    create index lifecycle_operations_pending on lifecycle_operations (id)
      where started_at is not null and done_at is null;

    -- details.generations of a bulk action: [{id, codes}]
    create index audit_log_generations on audit_log
      using gin ((details -> 'generations') jsonb_path_ops)
      where details -> 'generations' is not null;
  `);
}
