/**
 * Caps of a campaign: how often and for how much money its codes are redeemed.
 */
export const config = { transaction: false };

/** @param {import("knex").Knex} knex */
export async function up(knex) {
  await knex.raw(`
    -- Null is without that cap. Money is in cents; max_money is given away in all, highest_discount at one vend.
    create table if not exists caps (
      id bigint generated always as identity primary key,
      max_uses integer check (max_uses >= 1),
      max_uses_per_day integer check (max_uses_per_day >= 1),
      max_uses_per_machine_day integer check (max_uses_per_machine_day >= 1),
      max_money bigint check (max_money >= 1),
      lowest_price integer check (lowest_price between 1 and 1000000),
      highest_discount integer check (highest_discount between 1 and 1000000)
    );

    -- What is left of a campaign's caps, in parts, so that redemptions of its codes don't wait for each other: each takes
    -- from a part that nobody has locked. Only part 0 may fall below zero, when a cap is lowered. A part that was not
    -- used on a day has uses_a_day for it.
    create table if not exists cap_parts (
      caps_id bigint not null references caps on delete cascade,
      part smallint not null,
      uses_left integer,
      money_left bigint,
      uses_a_day integer,
      day date not null,
      uses_left_of_day integer,
      primary key (caps_id, part)
    ) with (fillfactor = 50);

    -- A redemption beside another one at the same machine may find the last use taken: then the check ends it, and it
    -- runs again.
    create table if not exists cap_machine_days (
      caps_id bigint not null references caps on delete cascade,
      machine_id bigint not null references machines,
      day date not null,
      uses integer not null,
      max_uses integer not null,
      primary key (caps_id, machine_id),
      constraint cap_machine_days_max_uses check (uses <= max_uses)
    ) with (fillfactor = 50);

    -- A code of a mass generation has the generation's.
    alter table promotions add column if not exists caps_id bigint references caps;
    alter table mass_generations add column if not exists caps_id bigint references caps;
    create index if not exists mass_generations_caps on mass_generations (caps_id) where caps_id is not null;

    -- The cap that a redemption had reached.
    alter table redemption_attempts add column if not exists cap text;
    alter table redemption_attempts drop constraint if exists redemption_attempts_outcome_check;
    alter table redemption_attempts add constraint redemption_attempts_outcome_check
      check (outcome in ('accepted', 'machine_unknown', 'unknown', 'deleted', 'inactive', 'expired', 'used_up',
        'not_assigned', 'not_yet', 'outside_hours', 'price_too_low', 'cap_reached', 'throttled')) not valid;
  `);
  const concurrently = knex.isTransaction ? "" : "concurrently";
  // An index that was interrupted is there, but not valid.
  await knex.raw(`drop index ${concurrently} if exists promotions_caps`);
  await knex.raw(
    `create index ${concurrently} promotions_caps on promotions (caps_id) where caps_id is not null`,
  );
  // Sums of refusals have two more reasons.
  for (const table of ["daily_activity", "campaign_activity", "campaign_years"])
    await knex.raw(
      `alter table ${table} alter column refused set default array_fill(0, array[12])`,
    );
}
