/**
 * CSV imports, and codes that were printed elsewhere: 8 to 32 letters and digits.
 */
export const config = { transaction: false };

/** @param {import("knex").Knex} knex */
export async function up(knex) {
  await knex.raw(`
    alter table promotions drop constraint if exists promotions_code_check;
    alter table promotions add constraint promotions_code_check check (code ~ '^[0-9A-Z]{8,32}$') not valid;

    -- Rows of the file are kept for a day. A file is 'reading' while it arrives. position counts the rows that are done in
    -- the present step; 'outcome' says what the rows make.
    create table if not exists imports (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('codes', 'machines', 'groups', 'assignments')),
      state text not null default 'reading' check (state in ('reading', 'checking', 'checked', 'importing', 'imported',
        'undoing', 'undone')),
      file_name text not null,
      sha256 bytea,
      rows integer not null default 0,
      wrong_rows integer not null default 0,
      position integer not null default 0,
      outcome jsonb,
      created_by bigint not null,
      confirmed_by bigint,
      created_at timestamptz not null default now(),
      imported_at timestamptz
    );
    create index if not exists imports_of_file on imports (sha256) where state = 'undone';

    -- problem is null for a row that can be imported. entry is what the row is about, as it was sent.
    create table if not exists import_rows (
      import_id bigint not null references imports on delete cascade,
      line integer not null,
      entry text not null,
      problem text,
      code text collate "C",
      name text,
      discount_type text,
      discount_value integer,
      is_single_use boolean,
      last_day date,
      machine_serials text[],
      group_names text[],
      primary key (import_id, line)
    );

    -- The import that a campaign came with; codes have it too. PostgreSQL would check a reference for each code.
    alter table promotions add column if not exists import_id bigint;
    alter table mass_generations add column if not exists import_id bigint;
    -- Lengths of the codes with the number of codes of each; null if all have 12 characters.
    alter table mass_generations add column if not exists code_lengths integer[];
    create index if not exists mass_generations_import on mass_generations (import_id) where import_id is not null;
  `);
  const concurrently = knex.isTransaction ? "" : "concurrently";
  // An index that was interrupted is there, but not valid.
  await knex.raw(`drop index ${concurrently} if exists promotions_import`);
  await knex.raw(
    `create index ${concurrently} promotions_import on promotions (import_id, id) where import_id is not null`,
  );
}
