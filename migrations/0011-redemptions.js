/**
 * Attempts at redemptions, accepted and refused.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- A log. What an attempt names is looked up by the statement that writes it, and is never removed; checking it once
    -- more would make a refusal wait for whoever changes the promotion, while it holds the redemption id that the other
    -- one might be waiting for. A throttled attempt leaves its redemption id free, and so has none.
    create table redemption_attempts (
      id bigint generated always as identity primary key,
      redemption_id text,
      code text not null,
      serial_number text not null,
      original_price integer not null,
      promotion_id bigint,
      machine_id bigint,
      integration_id bigint,
      outcome text not null check (outcome in ('accepted', 'machine_unknown', 'unknown', 'deleted', 'inactive',
        'expired', 'used_up', 'not_assigned', 'throttled')),
      transaction_id bigint references transactions,
      created_at timestamptz not null default now(),
      check ((outcome = 'accepted') = (transaction_id is not null)),
      constraint redemption_attempts_redemption_id_check
        check (redemption_id is not null or outcome = 'throttled')
    -- The defaults of autovacuum wait for a fifth of a large table to change.
    ) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05,
      autovacuum_analyze_scale_factor = 0.02);
    create unique index redemption_attempts_redemption_id on redemption_attempts (redemption_id, integration_id)
      nulls not distinct where redemption_id is not null;
    create index redemption_attempts_promotion on redemption_attempts (promotion_id, id desc);
    -- Refused attempts. A redemption that is accepted writes no entry to these.
    create index redemption_attempts_machine on redemption_attempts (machine_id, created_at desc, id desc)
      where outcome <> 'accepted';
    create index redemption_attempts_refused on redemption_attempts (created_at desc, id desc)
      where outcome <> 'accepted';
    create index redemption_attempts_refused_promotion on redemption_attempts (promotion_id, created_at desc)
      where outcome <> 'accepted' and promotion_id is not null;

    -- Attempts of a key in an hour with texts that are no code, and throttled ones. Beyond the first of an hour they are
    -- only counted here.
    create table attempt_counts (
      key_id bigint not null references api_keys on delete cascade,
      hour timestamptz not null,
      attempts integer not null,
      primary key (key_id, hour)
    );
    create index attempt_counts_hour on attempt_counts (hour);
  `);
}
