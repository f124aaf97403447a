/**
 * The calendar of the demo area.
 *
 * @param {import("knex").Knex} knex
 */
export async function up(knex) {
  await knex.raw(`
    create table demo_events (
      id bigint generated always as identity primary key,
      session_id_hash bytea not null references sessions on delete cascade,
      -- Number of a sample; each session begins with one of each.
      sample integer,
      title text not null check (length(title) between 1 and 200),
      -- Null until the event is dragged onto a day.
      starts_on date,
      -- Null lasts the whole day.
      starts_at time,
      ends_at time check (ends_at > starts_at),
      color text not null default 'info' check (color in ('info', 'ok', 'warn', 'bad')),
      unique (session_id_hash, sample)
    );
    create index demo_events_session on demo_events (session_id_hash, starts_on);
  `);
}
