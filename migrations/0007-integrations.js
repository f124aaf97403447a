/**
 * Integrations, the keys of people and integrations, and requests with keys that were refused.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create table integrations (
      id bigint generated always as identity primary key,
      name text not null check (length(name) between 1 and 200),
      created_by bigint references users on delete set null,
      created_at timestamptz not null default now()
    );

    -- Keys of people and of integrations, which may be bound to one machine. The hash, under APP_SECRET, finds a key;
    -- the ciphertext (AES-256-GCM under APP_SECRET) lets its owner reveal it.
    create table api_keys (
      id bigint generated always as identity primary key,
      hash bytea not null,
      last_four text not null,
      ciphertext bytea,
      user_id bigint references users on delete cascade,
      integration_id bigint references integrations on delete cascade,
      machine_id bigint references machines on delete cascade,
      scopes text[] not null default '{}',
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      last_used_at timestamptz,
      revoked_at timestamptz,
      -- Redemptions of codes that don't exist, a minute.
      max_failed_lookups integer not null default 300 check (max_failed_lookups between 300 and 10000),
      -- The admin for whom the key of an integration acts beyond redeeming.
      created_by bigint references users on delete set null,
      renewed_by bigint references api_keys on delete set null,
      -- The days before the end of which the admins got a mail, at last.
      ending_mailed smallint check (ending_mailed in (14, 7, 1)),
      check (num_nonnulls(user_id, integration_id) = 1),
      constraint api_keys_scopes check (scopes <@ '{read,promotions,machines,users,redeem}'::text[])
    );
    create unique index api_keys_hash on api_keys (hash);
    create index api_keys_user on api_keys (user_id) where user_id is not null;
    create unique index api_keys_active_user on api_keys (user_id)
      where user_id is not null and revoked_at is null;
    create index api_keys_integration on api_keys (integration_id) where integration_id is not null;
    create index api_keys_created_by on api_keys (created_by) where created_by is not null;
    create index api_keys_renewed_by on api_keys (renewed_by) where renewed_by is not null;

    create function revoke_keys() returns trigger language plpgsql as $$
    begin
      update api_keys set revoked_at = now() where user_id = new.id and revoked_at is null;
      return null;
    end $$;
    create trigger users_disabled_keys after update of is_disabled on users
      for each row when (new.is_disabled and not old.is_disabled) execute function revoke_keys();

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
  `);
}
