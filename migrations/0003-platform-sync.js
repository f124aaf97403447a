/**
 * Stores the state of the vending platform: when it was asked, with which result, and a list that is
 * held back until an admin confirms it (RULES M5).
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- One row. attempted_at is the end of the last attempt. failing_since, failure_* and
    -- failures_in_row are of the attempts since the last one that worked. bad_items and held_* are
    -- of the last list that could be read: held_id names exactly this set of machines.
    create table platform_sync (
      only_row boolean primary key default true check (only_row),
      attempted_at timestamptz,
      succeeded_at timestamptz,
      failing_since timestamptz,
      failure_reason text,
      failure_status integer,
      failures_in_row integer not null default 0 check (failures_in_row >= 0),
      bad_items integer not null default 0 check (bad_items >= 0),
      bad_item_examples text[] not null default '{}',
      held_id uuid,
      held_at timestamptz,
      held_listed integer,
      held_machine_ids bigint[] not null default '{}',
      check ((failures_in_row > 0) = (failing_since is not null)),
      check ((failures_in_row > 0) = (failure_reason is not null)),
      check (num_nonnulls(held_id, held_at, held_listed) in (0, 3)),
      check ((held_id is not null) = (held_machine_ids <> '{}'))
    );
    insert into platform_sync default values;
  `);
}
