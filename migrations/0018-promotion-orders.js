/**
 * Adds the orders of the list that an index can have: uses left with unlimited last, one-time use and renewal.
 */
export const config = { transaction: false };

const orders = {
  promotions_uses_left: "(coalesce(max_uses - period_uses, 2147483647)), created_at, id",
  promotions_single_use: "is_single_use, created_at, id",
  promotions_renewable: "is_renewable, created_at, id",
};

/** @param {import("knex").Knex} knex */
export async function up(knex) {
  const concurrently = knex.isTransaction ? "" : "concurrently";
  for (const [index, columns] of Object.entries(orders)) {
    // An index that was interrupted is there, but not valid.
    await knex.raw(`drop index ${concurrently} if exists ${index}`);
    await knex.raw(
      `create index ${concurrently} ${index} on promotions (${columns}) where not is_deleted`,
    );
  }
}
