/**
 * Mass generations. An action on a whole generation takes effect by one write to its row.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- created_by keeps the id of a user who was deleted.
    create table mass_generations (
      id bigint generated always as identity primary key,
      name text not null check (length(name) between 1 and 200),
      num_codes integer not null check (num_codes >= 1),
      discount_type text not null check (discount_type in ('percentage', 'free_drink')),
      discount_value integer not null check (discount_value >= 1),
      is_single_use boolean not null,
      is_renewable boolean not null,
      expires_at timestamptz,
      is_deleted boolean not null default false,
      deleted_at timestamptz,
      version integer not null default 1,
      created_by bigint,
      created_at timestamptz not null default now(),
      set_id bigint not null unique default new_assignment_set() references assignment_sets,
      is_active boolean not null default true,
      check (not (is_renewable and expires_at is not null)),
      check (is_deleted = (deleted_at is not null))
    );
    create index mass_generations_created on mass_generations (created_at desc, id desc);
    create index mass_generations_name on mass_generations (name);
    create index mass_generations_discount on mass_generations (discount_type, discount_value);
    create index mass_generations_name_search on mass_generations using gin (name gin_trgm_ops);
  `);
}
