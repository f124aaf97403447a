/**
 * Adds what the filters of the promotion list need: indexes for rare rows, and saved
 * views of each user.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create index promotions_inactive on promotions (created_at desc, id desc)
      where not is_deleted and not is_active;
    create index promotions_used_up on promotions (created_at desc, id desc)
      where not is_deleted and period_uses >= max_uses;
    create index promotions_not_assigned on promotions (coalesce(expires_at, 'infinity'))
      where not is_deleted and is_active and not is_assigned;
    create index promotions_single on promotions (created_at desc, id desc)
      where not is_deleted and mass_generation_id is null;
    create index promotions_single_name on promotions (name, id)
      where not is_deleted and mass_generation_id is null;
    create index promotions_single_discount on promotions (discount_type, discount_value, id)
      where not is_deleted and mass_generation_id is null;
    create index promotions_single_used on promotions (activation_count, id)
      where not is_deleted and mass_generation_id is null;
    create index promotions_of_generation on promotions (mass_generation_id, created_at desc, id desc)
      include (is_deleted, has_own_machines, is_active, expires_at)
      where not is_deleted and mass_generation_id is not null;
    create index promotions_edited_alone on promotions (mass_generation_id)
      where has_own_machines and mass_generation_id is not null;

    -- parameters is the query string of the list without its page: filters, sort and columns.
    create table saved_views (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      name text not null check (length(name) between 1 and 100),
      parameters text not null check (length(parameters) <= 4000),
      is_default boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create unique index saved_views_name on saved_views (user_id, lower(name));
    create unique index saved_views_default on saved_views (user_id) where is_default;
  `);
}
