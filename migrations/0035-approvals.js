/** Codes, and a limit of codes, that wait for a second admin (RULES Y). */
export const config = { transaction: false };

/** @param {import("knex").Knex} knex */
export async function up(knex) {
  await knex.raw(`
    alter table site_settings add column if not exists approval_codes integer check (approval_codes >= 1);

    create table if not exists approvals (
      id bigint generated always as identity primary key,
      -- The kind and the input of the work that runs at the approval.
      kind text not null,
      input jsonb not null,
      name text not null,
      -- Null for a change of the limit.
      codes integer check (codes >= 1),
      asked_by bigint not null,
      asked_at timestamptz not null default now(),
      state text not null default 'pending' check (state in ('pending', 'approved', 'refused')),
      -- The address of the admin who decided.
      decided_by text,
      decided_at timestamptz,
      -- The address of what was made, within the site.
      result text,
      check ((state = 'pending') = (decided_at is null)),
      check ((decided_at is null) = (decided_by is null))
    );
    create index if not exists approvals_pending on approvals (asked_at) where state = 'pending';
    create index if not exists approvals_asked_by on approvals (asked_by, decided_at) where state = 'approved';
  `);
  // Codes that a person made within a day are counted before more are made.
  const concurrently = knex.isTransaction ? "" : "concurrently";
  const indexes = {
    mass_generations_created_by: "mass_generations (created_by, created_at)",
    promotions_single_created_by:
      "promotions (created_by, created_at) where mass_generation_id is null",
  };
  for (const [name, definition] of Object.entries(indexes)) {
    // An index that was interrupted is there, but not valid.
    await knex.raw(`drop index ${concurrently} if exists ${name}`);
    await knex.raw(`create index ${concurrently} ${name} on ${definition}`);
  }
}
