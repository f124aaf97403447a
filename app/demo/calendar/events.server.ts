/** Events of the demo calendar; each session has its own. */
import { db, one, query } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import { DomainError, invalidFields } from "../../errors";
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import { isDay } from "./days";

export type CalendarEvent = {
  id: string;
  title: string;
  /** YYYY-MM-DD; null until it is moved onto a day. */
  day: string | null;
  /** 'HH:MM'; null lasts all day. */
  from: string | null;
  to: string | null;
  color: "info" | "ok" | "warn" | "bad";
};

/** A demo needs no more. */
const maxEvents = 200;

type Session = { idHash: Buffer };

/** Seven events around today, and three that wait beside the calendar. */
const samples: [
  title: string,
  offset: number | null,
  from: string | null,
  to: string | null,
  color: CalendarEvent["color"],
][] = [
  ["All-day event", -3, null, null, "info"],
  ["Long event", -1, "09:00", "17:00", "ok"],
  ["Meeting", 0, "10:30", "12:30", "warn"],
  ["Lunch", 0, "12:30", "13:30", "info"],
  ["Happy hour", 2, "17:30", "18:30", "bad"],
  ["Birthday party", 5, "19:00", "22:30", "ok"],
  ["Visit of the trade fair", 9, null, null, "info"],
  ["Make tea", null, null, null, "info"],
  ["Call the supplier", null, null, null, "warn"],
  ["Refill the machine", null, null, null, "ok"],
];

export async function today(): Promise<string> {
  const row = await one<{ day: string }>(
    db(),
    "select (now() at time zone :timeZone)::date::text as day",
    { timeZone: siteTimeZone() },
  );
  return row!.day;
}

/** Returns all events of a session, which begins with the samples. */
export async function loadEvents({ idHash }: Session): Promise<CalendarEvent[]> {
  const read = () =>
    query<CalendarEvent>(
      db(),
      `select id, title, starts_on::text as day, to_char(starts_at, 'HH24:MI') as from,
         to_char(ends_at, 'HH24:MI') as to, color
       from demo_events where session_id_hash = :idHash
       order by starts_on, starts_at nulls first, demo_events.id`,
      { idHash },
    );
  const events = await read();
  if (events.length > 0) return events;
  await query(
    db(),
    `insert into demo_events (session_id_hash, sample, title, starts_on, starts_at, ends_at, color)
     select :idHash, sample, title, :today::date + days, starts_at::time, ends_at::time, color
     from jsonb_to_recordset(:samples::jsonb)
       as samples (sample integer, title text, days integer, starts_at text, ends_at text, color text)
     on conflict do nothing`,
    {
      idHash,
      today: await today(),
      samples: JSON.stringify(
        samples.map(([title, days, starts_at, ends_at, color], sample) => {
          return { sample, title, days, starts_at, ends_at, color };
        }),
      ),
    },
  );
  return read();
}

/**
 * Adds an event that lasts all day.
 * @throws DomainError invalid: the title; conflict: the session has too many
 */
export async function addEvent({ idHash }: Session, title: string, day: string): Promise<void> {
  const text = title.trim();
  if (text === "") throw invalidFields({ title: "Enter a title" });
  if (isLongerThan(text, 200) || !isStorableText(text))
    throw invalidFields({ title: "Use no more than 200 characters that can be stored" });
  checkDay(day);
  const added = await one(
    db(),
    `insert into demo_events (session_id_hash, title, starts_on)
     select :idHash, :text, :day::date
     where (select count(*) from demo_events where session_id_hash = :idHash) < :maxEvents
     returning id`,
    { idHash, text, day, maxEvents },
  );
  if (!added)
    throw new DomainError("conflict", `A demo calendar holds at most ${maxEvents} events.`);
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
  if (!moved) throw new DomainError("not_found", "This event does not exist.");
}

function checkDay(day: string): void {
  if (!isDay(day)) throw invalidFields({ day: "Enter a date" });
}
