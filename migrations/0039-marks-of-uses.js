/**
 * Lets a redemption change the row of its code without an entry in an index: PostgreSQL does so while no column changes
 * that an index names (HOT). Indexes named the counters of uses, which every redemption changes; now they name marks of
 * these counters, which change rarely. `app/decisions/redemptions-and-reports.md` says why they are columns with a
 * trigger.
 *
 * Two references of what a redemption writes are dropped: that of an attempt to the transaction of the same statement,
 * and that of a transaction to its integration, a row that all redemptions of a platform would lock together. Neither
 * transactions nor integrations are deleted. Accepted attempts leave the index of attempts by code: they are read as
 * transactions, and refused ones have an index of their own.
 */
export const config = { transaction: false };

const indexes = {
  promotions_use_rank: "(use_rank, id) where not is_deleted",
  promotions_single_use_rank: "(use_rank, id) where not is_deleted and mass_generation_id is null",
  promotions_use_rank_of_generation:
    "(mass_generation_id) where mass_generation_id is not null and use_rank > 0",
  promotions_settled_uses:
    "((case when is_used_up then 0 else coalesce(max_uses, 2147483647) end), created_at, id) where not is_deleted and not is_partly_used",
  promotions_partly_used: "(id) where not is_deleted and is_partly_used",
  promotions_renewable_uses:
    "(period_key) where is_renewable and use_rank > 0 and max_uses is not null and not is_deleted",
};

/** Indexes of the counters, which those above replace. */
const replaced = [
  "promotions_used",
  "promotions_single_used",
  "promotions_used_of_generation",
  "promotions_uses_left",
  "promotions_used_up",
  "promotions_renewable_used",
];

/** @param {import("knex").Knex} knex */
export async function up(knex) {
  const columns = `add column if not exists use_rank smallint not null default 0,
    add column if not exists is_used_up boolean not null default false,
    add column if not exists is_partly_used boolean not null default false`;
  await knex.raw(`
    -- The number of uses up to 20, then steps of 5 %: codes in the order of their ranks are in the order of their uses,
    -- but for those of one rank above 20.
    create or replace function use_rank(uses integer) returns smallint immutable parallel safe language sql
      return case when uses <= 20 then uses else floor(20 * ln(uses::float8) - 39) end::smallint;

    create or replace function mark_uses() returns trigger language plpgsql as $$
    begin
      new.use_rank := use_rank(new.activation_count);
      new.is_used_up := coalesce(new.period_uses >= new.max_uses, false);
      new.is_partly_used := coalesce(new.period_uses > 0 and new.period_uses < new.max_uses, false);
      return new;
    end $$;
  `);
  // Room for the next version of rows on their page.
  for (const table of ["test_mode.promotions", "promotions"])
    await knex.raw(`
      alter table ${table} ${columns}, set (fillfactor = 90);
      create or replace trigger promotions_uses_marked
        before insert or update of activation_count, period_uses on ${table} for each row
        when (new.use_rank <> use_rank(new.activation_count)
          or new.is_used_up <> coalesce(new.period_uses >= new.max_uses, false)
          or new.is_partly_used <> coalesce(new.period_uses > 0 and new.period_uses < new.max_uses, false))
        execute function mark_uses();
    `);
  await markUses(knex);

  const concurrently = knex.isTransaction ? "" : "concurrently";
  for (const [index, columns] of Object.entries(indexes)) {
    // An index that was interrupted is there, but not valid.
    await knex.raw(`drop index ${concurrently} if exists ${index}`);
    await knex.raw(`create index ${concurrently} ${index} on promotions ${columns}`);
  }
  for (const index of [...replaced, "redemption_attempts_promotion"])
    await knex.raw(`drop index ${concurrently} if exists ${index}`);

  await knex.raw(`alter table redemption_attempts
    drop constraint if exists redemption_attempts_transaction_id_fkey`);
  await knex.raw(
    "alter table transactions drop constraint if exists transactions_integration_id_fkey",
  );
}

/**
 * Marks the codes that were used before, in batches that lock them for some 100 ms. Until then the release before goes
 * on with the old indexes.
 *
 * @param {import("knex").Knex} knex
 */
async function markUses(knex) {
  for (let lastId = "0"; lastId !== null;) {
    const { rows } = await knex.raw(
      `with unmarked as materialized (
         select id from promotions where id > ? and activation_count > 0 and use_rank = 0
         order by id limit 1000 for no key update
       ), marked as (
         update promotions p set activation_count = p.activation_count from unmarked where p.id = unmarked.id
       )
       select max(id) as last_id from unmarked`,
      [lastId],
    );
    lastId = rows[0].last_id;
  }
}
