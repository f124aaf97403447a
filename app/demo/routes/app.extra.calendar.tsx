import { useActionData, useLoaderData } from "@remix-run/react";
import { siteToday } from "../../db/site.server";
import { pageMeta } from "../../forms/page-meta";
import { parseDateInput } from "../../forms/date-input";
import { formLoader, formsAction, type FormPost } from "../../http/form-action.server";
import { CalendarPage, calendarPath } from "../calendar/calendar";
import { formatDay, isDay, parseView } from "../calendar/days";
import { addEvent, loadEvents, moveEvent } from "../calendar/events.server";
import { requireDemo } from "../demo.server";

export const meta = pageMeta("Calendar");

export const loader = formLoader(requireDemo, async ({ request }, session) => {
  const query = new URL(request.url).searchParams;
  const now = await siteToday();
  const dayIn = (name: string, none: string) => {
    const day = query.get(name) ?? "";
    return isDay(day) ? day : none;
  };
  const view = parseView(query.get("view"));
  const day = dayIn("date", now);
  const events = await loadEvents(session);
  return {
    view,
    day,
    today: now,
    events,
    /** The day of the new event, and the event that is being moved. */
    newOn: query.has("new") ? dayIn("new", day) : null,
    moved: events.find(({ id }) => id === query.get("move")) ?? null,
  };
});

/** Leads to the calendar at the day of an event. */
function showDay({ request }: FormPost, day: string, done: string) {
  const view = parseView(new URL(request.url).searchParams.get("view"));
  return { to: `${calendarPath}?view=${view}&date=${day}`, text: `${done} ${formatDay(day)}` };
}

const dayOf = ({ field }: FormPost) => {
  const text = field("day");
  return isDay(text) ? text : (parseDateInput(text) ?? "");
};

export const action = formsAction({
  guard: requireDemo,
  forms: {
    async add(post) {
      const day = dayOf(post);
      await addEvent(post.session, { title: post.field("title"), day }, post.options);
      return showDay(post, day, "Event added on");
    },
    async move(post) {
      const day = dayOf(post);
      await moveEvent(post.session, post.field("event"), day);
      return showDay(post, day, "Event moved to");
    },
  },
});

export default function Calendar() {
  return (
    <CalendarPage
      calendar={useLoaderData<typeof loader>()}
      answer={useActionData<typeof action>()}
    />
  );
}
