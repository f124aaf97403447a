/**
 * The position in the write-ahead log after the last write of each user, for reads from a replica. Without a foreign
 * key, because a write may have deleted the user.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create table last_writes (
      user_id bigint primary key,
      lsn pg_lsn not null,
      written_at timestamptz not null default now()
    )
  `);
}
