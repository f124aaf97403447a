/**
 * Passkeys (WebAuthn): public keys of users, and the challenges that are open.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create table passkeys (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      -- As the authenticator names it, base64url.
      credential_id text not null unique,
      -- In COSE. It proves nothing about whoever knows it.
      public_key bytea not null,
      -- Of the last use; 0 for authenticators that don't count.
      counter bigint not null,
      name text not null check (length(name) between 1 and 100),
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    );
    create index passkeys_user on passkeys (user_id);

    -- Each is answered once. Only hashes are kept.
    create table passkey_challenges (
      hash bytea primary key,
      -- Who adds a passkey; null for somebody who signs in.
      user_id bigint references users on delete cascade,
      expires_at timestamptz not null
    );
    create index passkey_challenges_expiry on passkey_challenges (expires_at);
  `);
}
