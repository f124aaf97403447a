/**
 * Lets an action on a whole mass generation take effect by one write to the generation's row, and
 * records the actions whose codes follow in chunks, so that a restart can continue them.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    alter table mass_generations add column is_active boolean not null default true;

    -- A code without an expiration of its own follows expires_at of its generation.
    alter table promotions add column has_own_expiration boolean not null default false;
    update promotions p set has_own_expiration = true
      from mass_generations g
      where g.id = p.mass_generation_id and p.expires_at is distinct from g.expires_at;
    alter table promotions
      add check (not has_own_expiration or mass_generation_id is not null);

    -- promotion_ids are the codes that the action covers, in the order of their ids;
    -- generation_ids the generations that it changes as a whole. The first 'position' codes are
    -- done; 'outcome' counts them and lists those that were left as they are.
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
      done_at timestamptz
    );
    create index lifecycle_operations_pending on lifecycle_operations (id) where done_at is null;
  `);
}
