import { json, type ActionFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { DomainError } from "../../errors";
import { pageMeta } from "../../forms/page-meta";
import { parseDateInput } from "../../forms/typed-date";
import { restoreIntent } from "../../forms/validator";
import { screenLoader, screenRoute, statusOf } from "../../http/answers.server";
import { redirectWithMessage } from "../../http/messages.server";
import { CalendarPage, calendarPath } from "../calendar/calendar";
import { daysOfView, formatDay, isDay, parseView } from "../calendar/days";
import { siteToday } from "../../db/site.server";
import { addEvent, loadEvents, moveEvent } from "../calendar/events.server";
import { requireDemo } from "../demo.server";

export const meta = pageMeta("Calendar");

export const loader = screenLoader(requireDemo, async ({ request }, session) => {
  const query = new URL(request.url).searchParams;
  const now = await siteToday();
  const dayOf = (name: string, none: string) => {
    const day = query.get(name) ?? "";
    return isDay(day) ? day : none;
  };
  const view = parseView(query.get("view"));
  const day = dayOf("date", now);
  const days = daysOfView(view, day);
  const events = await loadEvents(session);
  return {
    view,
    day,
    days,
    today: now,
    events: events.filter((event) => days.includes(event.day)),
    /** The day of the new event, and the event that is being moved. */
    newOn: query.has("new") ? dayOf("new", day) : null,
    moved: events.find(({ id }) => id === query.get("move")) ?? null,
  };
});

/** Adds an event or moves one, and shows the calendar at its day. */
export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireDemo(args, { canRestore: true });
  const posted = await args.request.formData();
  const [intent = "", id = "", title = "", dayText = ""] = ["intent", "event", "title", "day"].map(
    (name) => String(posted.get(name) ?? ""),
  );
  const values = { title, day: dayText };
  if (intent === restoreIntent) return json({ error: "", values });
  const day = isDay(dayText) ? dayText : (parseDateInput(dayText) ?? "");
  const isMove = intent === "move";
  try {
    if (isMove) await moveEvent(session, id, day);
    else await addEvent(session, title, day);
  } catch (cause) {
    if (!(cause instanceof DomainError) || cause.reason === "not_found") throw cause;
    return json({ error: cause.message, values }, statusOf(cause));
  }
  const view = parseView(new URL(args.request.url).searchParams.get("view"));
  return redirectWithMessage(session, `${calendarPath}?view=${view}&date=${day}`, {
    kind: "success",
    text: `${isMove ? "Event moved to" : "Event added on"} ${formatDay(day)}`,
  });
});

export default function Calendar() {
  return (
    <CalendarPage data={useLoaderData<typeof loader>()} answer={useActionData<typeof action>()} />
  );
}
