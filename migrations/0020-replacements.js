/** Adds the codes that were made in place of others. A table of its own leaves the rows of `promotions` as narrow as they are. */

/** @param {import("knex").Knex} knex */
export async function up(knex) {
  await knex.raw(
    `create table replacements (
       promotion_id bigint primary key references promotions on delete cascade,
       replaced_id bigint not null unique references promotions on delete cascade
     )`,
  );
}
