/**
 * Promotions, the views of their list that users saved, and actions on many of them. Rules that hold money together
 * are constraints here, not only code: no counter of a promotion passes its limit, and codes are unique for ever.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- expires_at is exclusive: the start of the local day after the last valid one; a code without an expiration of
    -- its own follows its generation. max_uses null is 'Unlimited'. A renewable code counts period_uses per period_key
    -- (yyyymm in the site's zone; 0 where nothing renews); activation_count is the sum for ever. created_by keeps the
    -- id of a user who was deleted: deleting a user would write to each of their codes, while machines redeem them.
    create table promotions (
      id bigint generated always as identity primary key,
      code text collate "C" not null check (code ~ '^[2-9A-HJKMNP-Z]{12}$'),
      mass_generation_id bigint references mass_generations,
      name text not null check (length(name) between 1 and 200),
      discount_type text not null check (discount_type in ('percentage', 'free_drink')),
      discount_value integer not null check (discount_value >= 1),
      is_single_use boolean not null,
      is_renewable boolean not null,
      expires_at timestamptz,
      max_uses integer check (max_uses >= 1),
      period_key integer not null default 0,
      period_uses integer not null default 0 check (period_uses >= 0),
      activation_count integer not null default 0,
      is_active boolean not null default true,
      is_deleted boolean not null default false,
      deleted_at timestamptz,
      version integer not null default 1,
      created_by bigint,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      set_id bigint not null default new_assignment_set() references assignment_sets,
      has_own_expiration boolean not null default false,
      check (discount_value <= case discount_type when 'percentage' then 100 else 1000 end),
      check (max_uses is not distinct from case
        when is_single_use then 1
        when discount_type = 'free_drink' then discount_value
      end),
      check (not (is_single_use and discount_type = 'free_drink' and discount_value <> 1)),
      check (period_uses <= max_uses),
      check (period_uses <= activation_count),
      check (not (is_renewable and expires_at is not null)),
      check (not has_own_expiration or mass_generation_id is not null),
      check (is_deleted = (deleted_at is not null))
    -- The defaults of autovacuum wait for a fifth of a large table to change.
    ) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05,
      autovacuum_analyze_scale_factor = 0.02);
    create unique index promotions_code on promotions (code);
    create index promotions_code_search on promotions using gin (code gin_trgm_ops);

    -- The orders of the list, of all codes and of single promotions.
    create index promotions_created on promotions (created_at desc, id desc) where not is_deleted;
    create index promotions_name on promotions (name, id) where not is_deleted;
    create index promotions_discount on promotions (discount_type, discount_value, id) where not is_deleted;
    create index promotions_expiry on promotions (coalesce(expires_at, 'infinity'), id) where not is_deleted;
    create index promotions_used on promotions (activation_count, id) where not is_deleted;
    create index promotions_type on promotions ((mass_generation_id is null), created_at, id)
      where not is_deleted;
    create index promotions_single_name on promotions (name, id)
      where not is_deleted and mass_generation_id is null;
    create index promotions_single_discount on promotions (discount_type, discount_value, id)
      where not is_deleted and mass_generation_id is null;
    create index promotions_single_used on promotions (activation_count, id)
      where not is_deleted and mass_generation_id is null;
    create index promotions_single_name_search on promotions using gin (name gin_trgm_ops)
      where mass_generation_id is null;

    -- Filters that few rows pass.
    create index promotions_deleted on promotions (created_at desc, id desc) where is_deleted;
    create index promotions_inactive on promotions (created_at desc, id desc)
      where not is_deleted and not is_active;
    create index promotions_used_up on promotions (created_at desc, id desc)
      where not is_deleted and period_uses >= max_uses;
    -- Renewable codes get their uses back by the calendar, so that reports read their uses as they are.
    create index promotions_renewable_used on promotions (period_key)
      where is_renewable and period_uses > 0 and max_uses is not null and not is_deleted;

    -- The codes of a set, and of a generation. Measured against (set_id, id desc): the list reads generations in the
    -- order of their creation, and counts of codes that can be redeemed pass over expired generations.
    create index promotions_set on promotions (set_id, coalesce(expires_at, 'infinity'));
    create index promotions_mass_generation on promotions (mass_generation_id, id)
      where mass_generation_id is not null;
    create index promotions_of_generation on promotions (mass_generation_id, created_at desc, id desc)
      include (is_deleted, set_id, is_active, expires_at)
      where not is_deleted and mass_generation_id is not null;
    create index promotions_used_of_generation on promotions (mass_generation_id)
      where mass_generation_id is not null and activation_count > 0;
    create index promotions_own_expiration on promotions (mass_generation_id, (coalesce(expires_at, 'infinity')))
      where has_own_expiration;

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

    -- Actions whose codes are changed in chunks, so that a restart can continue them. Opening the confirmation of a bulk
    -- action stores it with the exact codes; it starts when it is confirmed. promotion_ids are the codes that the action
    -- covers, in the order of their ids; generation_ids the generations that it changes as a whole. The first 'position'
    -- codes are done; 'outcome' counts them and lists those that were left as they are.
    create table lifecycle_operations (
      id bigint generated always as identity primary key,
      action text not null,
      parameters jsonb not null,
      actor_id bigint not null,
      generation_ids bigint[] not null,
      promotion_ids bigint[] not null,
      position integer not null default 0,
      outcome jsonb not null,
      created_at timestamptz not null default now(),
      done_at timestamptz,
      started_at timestamptz
    );
    create index lifecycle_operations_pending on lifecycle_operations (id)
      where started_at is not null and done_at is null;
  `);
}
