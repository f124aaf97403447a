/**
 * The second factor at sign-in: a secret for one-time codes, recovery codes, and browsers that are trusted.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
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

    -- Each signs in once instead of a code. Only hashes are kept.
    create table recovery_codes (
      hash bytea primary key,
      user_id bigint not null references users on delete cascade,
      used_at timestamptz
    );
    create index recovery_codes_user on recovery_codes (user_id);

    -- Browsers that need no code until then. Only the hash of the cookie's value is kept.
    create table trusted_browsers (
      id_hash bytea primary key,
      user_id bigint not null references users on delete cascade,
      expires_at timestamptz not null
    );
    create index trusted_browsers_user on trusted_browsers (user_id);
    create index trusted_browsers_expiry on trusted_browsers (expires_at);

    alter table tokens drop constraint tokens_kind_check, add constraint tokens_kind_check
      check (kind in ('access', 'refresh', 'password_reset', 'email_verification', 'invitation',
        'second_factor'));

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
