/**
 * Adds what lists of campaigns need: the order by type, whose index also holds single promotions in
 * the order of their creation and so replaces the one that did; the orders of mass generations; and
 * those of their codes that were used or have
 * an expiration of their own.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    drop index promotions_single;
    create index promotions_type on promotions ((mass_generation_id is null), created_at, id)
      where not is_deleted;
    create index promotions_used_of_generation on promotions (mass_generation_id)
      where mass_generation_id is not null and activation_count > 0;
    create index mass_generations_name on mass_generations (name);
    create index mass_generations_discount on mass_generations (discount_type, discount_value);
    create index promotions_own_expiration
      on promotions (mass_generation_id, (coalesce(expires_at, 'infinity')))
      where has_own_expiration;
  `);
}
