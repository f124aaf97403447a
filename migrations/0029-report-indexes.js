/**
 * Adds indexes for reports. A redemption writes no entry to either.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- Refusals of the codes of one mass generation.
    create index redemption_attempts_refused_promotion on redemption_attempts (promotion_id, created_at desc)
      where outcome <> 'accepted' and promotion_id is not null;

    -- What free drinks are worth at each machine, for the liability.
    create index daily_activity_drinks on daily_activity (day) include (machine_id, drinks, drink_discount)
      where machine_id > 0;
  `);
}
