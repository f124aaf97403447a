/**
 * Ends the sessions and tokens of a user for good when it is disabled.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create function end_sessions() returns trigger language plpgsql as $$
    begin
      delete from sessions where user_id = new.id;
      delete from tokens where user_id = new.id;
      return null;
    end $$;

    create trigger users_disabled after update of is_disabled on users
      for each row when (new.is_disabled and not old.is_disabled) execute function end_sessions();
  `);
}
