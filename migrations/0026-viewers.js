/**
 * Adds the role 'viewer', whose users have no API key of their own.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    alter table users
      drop constraint users_role_check,
      add constraint users_role_check check (role in ('admin', 'user', 'viewer')) not valid`);
  await knex.raw(`
    create trigger users_viewer_keys after update of role on users
      for each row when (new.role = 'viewer' and old.role <> 'viewer') execute function revoke_keys()`);
}
