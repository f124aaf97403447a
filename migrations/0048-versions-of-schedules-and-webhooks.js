/**
 * Counts the edits of report schedules and webhooks, so that an edit which is based on an older one is refused. Instances
 * of the release before edit without counting.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw("alter table report_schedules add column version integer not null default 1");
  await knex.raw("alter table webhooks add column version integer not null default 1");
}
