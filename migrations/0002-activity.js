/**
 * The audit log, and the stored results of requests with an idempotency key.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- Who did what: one row an action, whatever number of codes it covered. subject_ids lists the promotions of a
    -- bulk action; a generation is named by its own id. It knows ids of users that were deleted.
    create table audit_log (
      id bigint generated always as identity primary key,
      created_at timestamptz not null default now(),
      actor_id bigint,
      actor_name text not null,
      action text not null,
      subject_type text not null,
      subject_id bigint,
      subject_ids bigint[],
      covered integer not null default 1,
      details jsonb not null default '{}',
      request_id text,
      -- Where the action came from; null for what no request did.
      address text
    );
    create index audit_log_created on audit_log (created_at desc, id desc);
    create index audit_log_actor on audit_log (actor_id, id desc);
    create index audit_log_subject on audit_log (subject_type, subject_id, id desc);
    create index audit_log_subjects on audit_log using gin (subject_ids) where subject_ids is not null;
    -- details.generations of a bulk action: [{id, codes}]
    create index audit_log_generations on audit_log using gin ((details -> 'generations') jsonb_path_ops)
      where details -> 'generations' is not null;

    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit log is append-only';
    end $$;
    create trigger audit_log_append_only before update or delete or truncate on audit_log
      for each statement execute function refuse_change();

    -- The same key of a user gets the same result for 24 hours, also after the user was deleted.
    create table idempotency_keys (
      user_id bigint not null,
      key text not null check (length(key) between 1 and 100),
      request_hash bytea not null,
      result jsonb not null,
      created_at timestamptz not null default now(),
      primary key (user_id, key)
    );
    create index idempotency_keys_created on idempotency_keys (created_at);
  `);
}
