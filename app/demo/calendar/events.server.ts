/** Events of the demo calendar; each session has its own. */
import { db, one, query } from "../../db/connection.server";
import { siteToday } from "../../db/site.server";
import { conflict, invalidFields, notFound } from "../../errors";
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import { runOnce, type FormPost } from "../../http/form-action.server";
import { isDay } from "./days";

export type CalendarEvent = {
  id: string;
  title: string;
  /** YYYY-MM-DD. */
  day: string;
  /** 'HH:MM'; null lasts all day. */
  from: string | null;
  to: string | null;
  color: "info" | "ok" | "warn" | "bad";
};

/** A demo needs no more. */
const maxEvents = 200;

type Session = { idHash: Buffer };

const samples = [
  { title: "All-day event", days: -3, color: "info" },
  { title: "Long event", days: -1, from: "09:00", to: "17:00", color: "ok" },
  { title: "Meeting", days: 0, from: "10:30", to: "12:30", color: "warn" },
  { title: "Lunch", days: 0, from: "12:30", to: "13:30", color: "info" },
  { title: "Happy hour", days: 2, from: "17:30", to: "18:30", color: "bad" },
  { title: "Birthday party", days: 5, from: "19:00", to: "22:30", color: "ok" },
  { title: "Visit of the trade fair", days: 9, color: "info" },
].map((sample, number) => ({ ...sample, sample: number }));

/** Returns all events of a session, which begins with the samples. */
export async function loadEvents({ idHash }: Session): Promise<CalendarEvent[]> {
  const read = () =>
    query<CalendarEvent>(
      db(),
      `select id, title, starts_on::text as day, to_char(starts_at, 'HH24:MI') as from,
         to_char(ends_at, 'HH24:MI') as to, color
       from demo_events where session_id_hash = :idHash and starts_on is not null
       order by starts_on, starts_at nulls first, demo_events.id`,
      { idHash },
    );
  const events = await read();
  if (events.length > 0) return events;
  await query(
    db(),
    `insert into demo_events (session_id_hash, sample, title, starts_on, starts_at, ends_at, color)
     select :idHash, sample, title, :today::date + days, "from"::time, "to"::time, color
     from jsonb_to_recordset(:samples::jsonb)
       as samples (sample integer, title text, days integer, "from" text, "to" text, color text)
     on conflict do nothing`,
    { idHash, today: await siteToday(), samples: JSON.stringify(samples) },
  );
  return read();
}

/**
 * Adds an event that lasts all day.
 * @throws DomainError invalid: the title or the day; conflict: the session has too many
 */
export async function addEvent(
  { idHash }: Session,
  { title, day }: { title: string; day: string },
  options: FormPost["options"],
): Promise<void> {
  const text = title.trim();
  if (text === "") throw invalidFields({ title: "Enter a title" });
  if (isLongerThan(text, 200) || !isStorableText(text))
    throw invalidFields({ title: "Use no more than 200 characters that can be stored" });
  checkDay(day);
  await runOnce(options, { action: "event.added", text, day }, async (trx) => {
    const added = await one(
      trx,
      `insert into demo_events (session_id_hash, title, starts_on)
       select :idHash, :text, :day::date
       where (select count(*) from demo_events where session_id_hash = :idHash) < :maxEvents
       returning id`,
      { idHash, text, day, maxEvents },
    );
    if (!added) throw conflict(`A demo calendar holds at most ${maxEvents} events.`);
  });
}

/** @throws DomainError invalid: the day; not_found */
export async function moveEvent({ idHash }: Session, id: string, day: string): Promise<void> {
  checkDay(day);
  const moved = await one(
    db(),
    `update demo_events set starts_on = :day::date
     where session_id_hash = :idHash and id::text = :id returning id`,
    { idHash, id, day },
  );
  if (!moved) throw notFound("This event does not exist.");
}

function checkDay(day: string): void {
  if (!isDay(day)) throw invalidFields({ day: "Enter a date" });
}
