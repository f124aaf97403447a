/**
 * Ends the sessions and tokens of a user who gets another role, and revokes the keys of one who is disabled.
 * The audit log knows the addresses that actions came from. Promotions keep the id of a creator who was deleted.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create trigger users_role after update of role on users
      for each row when (new.role is distinct from old.role) execute function end_sessions();

    create function revoke_keys() returns trigger language plpgsql as $$
    begin
      update api_keys set revoked_at = now() where user_id = new.id and revoked_at is null;
      return null;
    end $$;
    create trigger users_disabled_keys after update of is_disabled on users
      for each row when (new.is_disabled and not old.is_disabled) execute function revoke_keys();

    -- Where an action came from; null for what no request did.
    alter table audit_log add column address text;
    create index if not exists audit_log_actor on audit_log (actor_id, id desc);

    -- Deleting a user would write to each of their codes, while machines redeem them.
    alter table promotions drop constraint promotions_created_by_fkey;
    alter table mass_generations drop constraint mass_generations_created_by_fkey;
  `);
}
