/**
 * Machines and groups of them, and the state of the vending platform that lists them (RULES M5).
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create table machines (
      id bigint generated always as identity primary key,
      serial_number text not null check (length(serial_number) between 1 and 100),
      human_name text not null check (length(human_name) <= 200),
      last_qr_used_at timestamptz,
      last_seen_at timestamptz,
      is_deleted boolean not null default false,
      deleted_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (is_deleted = (deleted_at is not null))
    );
    create unique index machines_serial_number on machines (serial_number);

    -- Filled by one query over all machines, so that no page counts machine by machine.
    create table machine_promotion_counts (
      machine_id bigint primary key references machines on delete cascade,
      active_promotions integer not null check (active_promotions >= 0),
      counted_at timestamptz not null default now()
    );

    create table machine_groups (
      id bigint generated always as identity primary key,
      name text not null check (length(name) between 1 and 200),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      kind text not null default 'other' check (kind in ('site', 'route', 'customer', 'other')),
      version integer not null default 1
    );
    create unique index machine_groups_name on machine_groups (lower(name));

    create table machine_group_members (
      group_id bigint not null references machine_groups on delete cascade,
      machine_id bigint not null references machines on delete cascade,
      created_at timestamptz not null default now(),
      primary key (group_id, machine_id)
    );
    create index machine_group_members_machine on machine_group_members (machine_id);

    -- One row. attempted_at is the end of the last attempt. failing_since, failure_* and failures_in_row are of the
    -- attempts since the last one that worked. bad_items and held_* are of the last list that could be read: held_id
    -- names exactly this set of machines, which an admin has to confirm.
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
