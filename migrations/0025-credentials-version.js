/**
 * A version of what a user signs in with: a session opens only for the version that was checked.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- Grows with each change of password, role or state. Whoever was checked before such a change commits
    -- gets no session and no token after it.
    alter table users add column credentials_version integer not null default 1;

    create function count_credentials() returns trigger language plpgsql as $$
    begin
      new.credentials_version := old.credentials_version + 1;
      return new;
    end $$;
    create trigger users_credentials before update of password_hash, role, is_disabled on users
      for each row when (new.password_hash is distinct from old.password_hash
        or new.role is distinct from old.role or new.is_disabled <> old.is_disabled)
      execute function count_credentials();
  `);
}
