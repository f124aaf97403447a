/**
 * Users, what they sign in with, and what they are signed in by. Of sessions, tokens, cookies and links the database
 * holds hashes under APP_SECRET only.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create table users (
      id bigint generated always as identity primary key,
      email text not null check (email = lower(email) and length(email) between 3 and 254),
      password_hash text,
      first_name text not null default '' check (length(first_name) <= 100),
      last_name text not null default '' check (length(last_name) <= 100),
      phone text not null default '' check (length(phone) <= 50),
      company text not null default '' check (length(company) <= 200),
      role text not null default 'user' check (role in ('admin', 'user')),
      is_disabled boolean not null default false,
      email_verified_at timestamptz,
      avatar_icon text not null default 'account_circle',
      provider text not null default 'local',
      settings jsonb not null default '{}',
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      -- The image that is shown instead of the icon.
      avatar_id uuid,
      -- Grows with each change of address, password, role or state. Whoever was checked before such a change commits
      -- gets no session and no token after it.
      credentials_version integer not null default 1
    );
    create unique index users_email on users (email);
    create index users_avatar on users (avatar_id) where avatar_id is not null;

    create table avatars (
      id uuid primary key default gen_random_uuid(),
      user_id bigint not null references users on delete cascade,
      name text not null,
      content bytea not null check (length(content) <= 65536),
      created_at timestamptz not null default now()
    );
    create index avatars_user on avatars (user_id);
    alter table users add foreign key (avatar_id) references avatars on delete set null;

    ---------------------------------------------------------------- sessions

    -- A browser that is signed in.
    create table sessions (
      id_hash bytea primary key,
      user_id bigint not null references users on delete cascade,
      created_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      password_checked_at timestamptz not null default now(),
      expires_at timestamptz not null,
      -- Names a session in a form; it opens nothing.
      public_id uuid not null default gen_random_uuid(),
      user_agent text not null default '' check (length(user_agent) <= 500)
    );
    create index sessions_user on sessions (user_id);
    create index sessions_expiry on sessions (expires_at);
    create unique index sessions_public_id on sessions (public_id);

    -- Messages for the next page; read once.
    create table flash_messages (
      id text primary key,
      session_id_hash bytea not null references sessions on delete cascade on update cascade,
      kind text not null check (kind in ('success', 'info', 'warning', 'error')),
      message text not null,
      hide_after_ms integer not null,
      created_at timestamptz not null default now(),
      -- Where the button 'Undo' posts to.
      undo_path text
    );
    create index flash_messages_session on flash_messages (session_id_hash);

    -- Access and refresh tokens of API clients, and the single-use links in mails.
    create table tokens (
      hash bytea primary key,
      kind text not null check (kind in
        ('access', 'refresh', 'password_reset', 'email_verification', 'invitation', 'second_factor')),
      user_id bigint not null references users on delete cascade,
      family_id uuid not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      spent_at timestamptz,
      revoked_at timestamptz,
      -- When the password was checked for the sign-in that the token comes from; refreshing doesn't change it.
      password_checked_at timestamptz not null default '-infinity'
    );
    create index tokens_user on tokens (user_id, kind);
    create index tokens_family on tokens (family_id);
    create index tokens_expiry on tokens (expires_at);

    -- Links that put an address back. They outlive changes of password, role and address.
    create table email_undos (
      id bigint generated always as identity primary key,
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

    ---------------------------------------------------- two-step verification

    -- The second factor of a user. It counts once a first code has confirmed it.
    create table second_factors (
      user_id bigint primary key references users on delete cascade,
      -- Encrypted under APP_SECRET.
      secret bytea not null,
      confirmed_at timestamptz,
      -- The 30 s step of the last code that was accepted: no code works twice.
      last_step bigint not null default 0,
      created_at timestamptz not null default now()
    );

    -- Each signs in once instead of a code.
    create table recovery_codes (
      hash bytea primary key,
      user_id bigint not null references users on delete cascade,
      used_at timestamptz
    );
    create index recovery_codes_user on recovery_codes (user_id);

    -- Browsers that need no code until they expire.
    create table trusted_browsers (
      id_hash bytea primary key,
      user_id bigint not null references users on delete cascade,
      expires_at timestamptz not null
    );
    create index trusted_browsers_user on trusted_browsers (user_id);
    create index trusted_browsers_expiry on trusted_browsers (expires_at);

    -- Public keys of users (WebAuthn).
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

    -- Each is answered once.
    create table passkey_challenges (
      hash bytea primary key,
      -- Who adds a passkey; null for somebody who signs in.
      user_id bigint references users on delete cascade,
      expires_at timestamptz not null
    );
    create index passkey_challenges_expiry on passkey_challenges (expires_at);

    ---------------------------------------------------------------- triggers

    create function count_credentials() returns trigger language plpgsql as $$
    begin
      new.credentials_version := old.credentials_version + 1;
      return new;
    end $$;
    create trigger users_credentials before update of email, password_hash, role, is_disabled on users
      for each row when (new.email <> old.email or new.password_hash is distinct from old.password_hash
        or new.role is distinct from old.role or new.is_disabled <> old.is_disabled)
      execute function count_credentials();

    create function end_sessions() returns trigger language plpgsql as $$
    begin
      delete from sessions where user_id = new.id;
      delete from tokens where user_id = new.id;
      return null;
    end $$;
    create trigger users_disabled after update of is_disabled on users
      for each row when (new.is_disabled and not old.is_disabled) execute function end_sessions();
    create trigger users_role after update of role on users
      for each row when (new.role is distinct from old.role) execute function end_sessions();

    create function end_links() returns trigger language plpgsql as $$
    begin
      delete from tokens where user_id = new.id and kind not in ('access', 'refresh');
      return null;
    end $$;
    create trigger users_email_links after update of email on users
      for each row when (new.email <> old.email) execute function end_links();

    create function forget_browsers() returns trigger language plpgsql as $$
    begin
      delete from trusted_browsers where user_id = new.id;
      return null;
    end $$;
    create trigger users_password_browsers after update of password_hash on users
      for each row when (new.password_hash is distinct from old.password_hash)
      execute function forget_browsers();
  `);
}
