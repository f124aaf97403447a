/**
 * A change of an email address ends the links that were mailed before it, and can be undone by a link of its own.
 * Tokens know when the password was checked, and users from where they signed in.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- Whoever was checked before a change of address gets no session and no token after it either.
    drop trigger users_credentials on users;
    create trigger users_credentials before update of email, password_hash, role, is_disabled on users
      for each row when (new.email <> old.email or new.password_hash is distinct from old.password_hash
        or new.role is distinct from old.role or new.is_disabled <> old.is_disabled)
      execute function count_credentials();

    create function end_links() returns trigger language plpgsql as $$
    begin
      delete from tokens where user_id = new.id and kind not in ('access', 'refresh');
      return null;
    end $$;
    create trigger users_email_links after update of email on users
      for each row when (new.email <> old.email) execute function end_links();

    -- When the password was checked for the sign-in that the token comes from; refreshing doesn't change it.
    alter table tokens add column password_checked_at timestamptz not null default '-infinity';

    -- Links that put an address back. They outlive changes of password, role and address.
    create table email_undos (
      id bigint generated always as identity primary key,
      -- Only the hash of the link's secret is kept.
      hash bytea not null unique,
      user_id bigint not null references users on delete cascade,
      email text not null,
      changed_at timestamptz not null default now(),
      expires_at timestamptz not null
    );
    create index email_undos_user on email_undos (user_id);
    create index email_undos_expiry on email_undos (expires_at);

    -- Where users signed in: 'Firefox on Windows', and an IPv4 address or the /64 of an IPv6 address.
    create table known_devices (
      user_id bigint not null references users on delete cascade,
      browser text not null,
      network text not null,
      last_seen_at timestamptz not null default now(),
      primary key (user_id, browser, network)
    );

    -- The results of a user who is deleted are kept for their 24 hours.
    alter table idempotency_keys drop constraint idempotency_keys_user_id_fkey;
  `);
}
