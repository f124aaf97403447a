/**
 * Redemptions that were accepted. Every index here slows each of them: the indexes are those of lists, by time, code
 * and machine.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- Money is in cents. redemption_id is made by the client, so it is unique within its integration; the first use of
    -- one decides for ever.
    create table transactions (
      id bigint generated always as identity primary key,
      redemption_id text not null check (length(redemption_id) between 1 and 100),
      promotion_id bigint not null references promotions,
      machine_id bigint not null references machines,
      integration_id bigint references integrations,
      period_key integer not null default 0,
      type text not null check (type in ('percentage', 'free_drink')),
      original_price integer not null check (original_price between 0 and 1000000),
      discount integer not null check (discount between 0 and original_price),
      discounted_price integer generated always as (original_price - discount) stored,
      status text not null default 'applied' check (status in ('applied', 'rolled_back')),
      created_at timestamptz not null default now(),
      rolled_back_at timestamptz,
      -- Whether the redemption took the last use of the code, or the last one of the month if it renews.
      is_last_use boolean not null default false,
      check ((status = 'rolled_back') = (rolled_back_at is not null))
    -- The defaults of autovacuum wait for a fifth of a large table to change.
    ) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05,
      autovacuum_analyze_scale_factor = 0.02);
    -- The id stands first, because statements know it as a value.
    create unique index transactions_redemption_id on transactions (redemption_id, integration_id)
      nulls not distinct;
    create index transactions_created on transactions (created_at desc, id desc);
    create index transactions_promotion on transactions (promotion_id, created_at desc, id desc);
    create index transactions_machine on transactions (machine_id, created_at desc, id desc);
  `);
}
