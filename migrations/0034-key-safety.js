/**
 * Records texts that are no code and throttled attempts as refusals, up to a number an hour and key.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- A throttled attempt leaves its redemption id free, and so has none.
    alter table redemption_attempts
      alter column redemption_id drop not null,
      drop constraint redemption_attempts_outcome_check,
      add constraint redemption_attempts_outcome_check check (outcome in ('accepted', 'machine_unknown',
        'unknown', 'deleted', 'inactive', 'expired', 'used_up', 'not_assigned', 'throttled')) not valid,
      add constraint redemption_attempts_redemption_id_check
        check (redemption_id is not null or outcome = 'throttled') not valid;
    drop index redemption_attempts_redemption_id;
    create unique index redemption_attempts_redemption_id
      on redemption_attempts (redemption_id, integration_id) nulls not distinct
      where redemption_id is not null;

    -- Attempts of a key in an hour with texts that are no code, and throttled ones. Beyond the first of
    -- an hour they are only counted here.
    create table attempt_counts (
      key_id bigint not null references api_keys on delete cascade,
      hour timestamptz not null,
      attempts integer not null,
      primary key (key_id, hour)
    );
    create index attempt_counts_hour on attempt_counts (hour);

    -- Refusals by reason have an eighth one. An instance of an earlier release leaves a later version alone.
    update activity_summary set version = 2 where version = 1;
    alter table daily_activity alter column refused set default array_fill(0, array[8]);
    alter table campaign_activity alter column refused set default array_fill(0, array[8]);
    alter table campaign_years alter column refused set default array_fill(0, array[8]);
    update daily_activity set refused = refused || 0;
    update campaign_activity set refused = refused || 0;
    update campaign_years set refused = refused || 0;
  `);
}
