/**
 * Records texts that are no code and throttled attempts as refusals, up to a number an hour and key. Keys know their
 * successor and of what their admins were told, and requests with ended and unknown keys are counted.
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

    alter table api_keys
      add column renewed_by bigint references api_keys on delete set null,
      -- The days before the end of which the admins got a mail, at last.
      add column ending_mailed smallint check (ending_mailed in (14, 7, 1));
    create index api_keys_renewed_by on api_keys (renewed_by) where renewed_by is not null;

    -- Requests of an hour with ended and revoked keys of integrations, and with unknown ones (key_id is null). Of at
    -- most 1,000 addresses; those of others are counted under ''.
    create table refused_key_requests (
      hour timestamptz not null,
      key_id bigint references api_keys on delete cascade,
      address text not null,
      requests integer not null,
      last_at timestamptz not null,
      unique nulls not distinct (hour, key_id, address)
    );

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
