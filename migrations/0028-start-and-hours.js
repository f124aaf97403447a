/**
 * When a campaign can be redeemed: its start, the minutes of the local week that it is open in (from Monday 00:00, at most
 * 10,080), and local days on which it is closed. They belong to single promotions and mass generations; the codes of
 * a mass generation have those of its row.
 *
 * Refusals have two more reasons, which sums of refusals count at the end of their arrays.
 */
export const config = { transaction: false };

/** @param {import("knex").Knex} knex */
export async function up(knex) {
  const columns = `add column if not exists starts_at timestamptz,
    add column if not exists open_minutes int4multirange,
    add column if not exists closed_on date[]`;
  await knex.raw(`alter table promotions ${columns}`);
  await knex.raw(`alter table mass_generations ${columns}`);
  await knex.raw(`alter table promotions drop constraint if exists promotions_own_start,
    add constraint promotions_own_start check (mass_generation_id is null
      or starts_at is null and open_minutes is null and closed_on is null) not valid`);
  await knex.raw(`alter table redemption_attempts drop constraint redemption_attempts_outcome_check,
    add constraint redemption_attempts_outcome_check check (outcome in ('accepted', 'machine_unknown', 'unknown', 'deleted',
      'inactive', 'expired', 'used_up', 'not_assigned', 'not_yet', 'outside_hours', 'throttled')) not valid`);
  for (const table of ["daily_activity", "campaign_activity", "campaign_years"])
    await knex.raw(
      `alter table ${table} alter column refused set default array_fill(0, array[10])`,
    );
  const concurrently = knex.isTransaction ? "" : "concurrently";
  // An index that was interrupted is there, but not valid.
  await knex.raw(`drop index ${concurrently} if exists promotions_start`);
  await knex.raw(
    `create index ${concurrently} promotions_start on promotions (starts_at) where starts_at is not null`,
  );
}
