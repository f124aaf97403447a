/**
 * The data of the profile: an avatar that is an image, the browser of each session, one API key of a user, and
 * the latest actions of a user.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- The image that is shown instead of the icon.
    alter table users add column avatar_id uuid references avatars on delete set null;
    create index users_avatar on users (avatar_id) where avatar_id is not null;

    -- public_id names a session in a form; it opens nothing.
    alter table sessions
      add column public_id uuid not null default gen_random_uuid(),
      add column user_agent text not null default '' check (length(user_agent) <= 500);
    create unique index sessions_public_id on sessions (public_id);

    create unique index api_keys_active_user on api_keys (user_id)
      where user_id is not null and revoked_at is null;

    create index if not exists audit_log_actor on audit_log (actor_id, id desc);
  `);
}
