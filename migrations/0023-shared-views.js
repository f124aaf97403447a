/**
 * Views that colleagues see too, and those that were deleted within a day. A shared view of a deleted user has no
 * user_id.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    alter table saved_views
      alter column user_id drop not null,
      add column is_shared boolean not null default false,
      add column version integer not null default 1;
    create unique index saved_views_shared_name on saved_views (lower(name)) where is_shared;

    create table deleted_views (
      id bigint primary key,
      user_id bigint references users on delete cascade,
      name text not null,
      parameters text not null,
      is_default boolean not null,
      is_shared boolean not null,
      version integer not null,
      created_at timestamptz not null,
      deleted_at timestamptz not null default now()
    );
    create index deleted_views_user on deleted_views (user_id)`);
}
