/**
 * Sample data that can be removed, and machines without a vending platform.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    -- Rows that were created until then are sample data; null: the site has none.
    alter table site_settings add column sample_data_until timestamptz;
    update site_settings set sample_data_until = created_at
      where exists (select from machines m where m.created_at <= site_settings.created_at);

    -- Whether an admin added the machine. The platform takes over those that it lists.
    alter table machines add column is_manual boolean not null default false,
      add column version integer not null default 1;

    -- Codes of promotions that were removed. They stay reserved (RULES C2).
    create table removed_codes (code text collate "C" primary key);

    create function reject_removed_codes() returns trigger language plpgsql as $$
    begin
      if exists (select from inserted join removed_codes using (code)) then
        raise unique_violation using message = 'a code was issued before';
      end if;
      return null;
    end $$;
    create trigger promotions_not_removed after insert on promotions referencing new table as inserted
      for each statement execute function reject_removed_codes();
  `);
}
