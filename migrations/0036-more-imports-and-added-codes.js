/**
 * Imports of machines, groups and assignments, codes that are added to a mass generation, and patterns of codes.
 */
export const config = { transaction: false };

/** @param {import("knex").Knex} knex */
export async function up(knex) {
  await knex.raw(`
    alter table import_rows add column if not exists group_kind text;

    -- The import that a row came with.
    alter table machines add column if not exists import_id bigint;
    -- It has the columns of the table that it stands for.
    alter table test_mode.machines add column if not exists import_id bigint;
    alter table machine_groups add column if not exists import_id bigint;
    alter table machine_group_members add column if not exists import_id bigint;
    alter table assignments add column if not exists import_id bigint;

    -- The beginning and the length of codes that are made; null for the form of all others. code_lengths has the lengths
    -- of the codes in their order, each with the number of codes.
    alter table mass_generations add column if not exists code_prefix text;
    alter table mass_generations add column if not exists code_length integer;

    -- Codes that were added to a mass generation later. first_number is the place of the first of them in the archive.
    create table if not exists added_codes (
      id bigint generated always as identity primary key,
      mass_generation_id bigint not null references mass_generations on delete cascade,
      first_number integer not null check (first_number > 1),
      num_codes integer not null check (num_codes >= 1),
      created_by bigint not null,
      created_at timestamptz not null default now()
    );
    create index if not exists added_codes_generation on added_codes (mass_generation_id, id);
    create index if not exists added_codes_created_by on added_codes (created_by, created_at);
  `);
  const concurrently = knex.isTransaction ? "" : "concurrently";
  for (const table of ["machines", "machine_groups", "machine_group_members", "assignments"]) {
    // An index that was interrupted is there, but not valid.
    await knex.raw(`drop index ${concurrently} if exists ${table}_import`);
    await knex.raw(
      `create index ${concurrently} ${table}_import on ${table} (import_id) where import_id is not null`,
    );
  }
}
