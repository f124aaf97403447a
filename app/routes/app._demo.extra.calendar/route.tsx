import { json, type ActionFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { demoCrumbs } from "../../demo/crumbs";
import "../../demo/demo.css";
import { CalendarPage } from "../../demo/calendar/calendar";
import { daysOfView, isDay, shortDay, views, type View } from "../../demo/calendar/days";
import { addEvent, loadEvents, moveEvent, today } from "../../demo/calendar/events.server";
import { requireDemo } from "../../demo/guard.server";
import { DomainError, statusOfReason } from "../../errors";
import { parseDateInput } from "../../forms/typed-date";
import { restoreIntent } from "../../forms/validator";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader, screenRoute } from "../../http/answers.server";
import { redirectWithMessage } from "../../http/messages.server";

export const handle = { crumbs: demoCrumbs };
export const meta = pageMeta("Calendar");

export const loader = screenLoader(requireDemo, async ({ request }, session) => {
  const query = new URL(request.url).searchParams;
  const now = await today();
  const date = query.get("date") ?? "";
  const view = query.get("view") ?? "";
  const shownView: View = Object.hasOwn(views, view) ? (view as View) : "month";
  const day = isDay(date) ? date : now;
  // Without a day, a new event is on the day that is shown.
  const chosen = query.get("new") || (query.has("new") ? day : "");
  const events = await loadEvents(session);
  const moved = events.find(({ id }) => id === query.get("move")) ?? null;
  const shownDays = daysOfView(shownView, day);
  return {
    view: shownView,
    day,
    today: now,
    days: shownDays,
    events: events.filter((event) => event.day === null || shownDays.includes(event.day)),
    /** The day of the new event, and the event that is being moved. */
    newOn: isDay(chosen) ? chosen : null,
    moved,
    openedBy: moved ? `move-${moved.id}` : query.get("new") ? `new-${chosen}` : "new",
  };
});

/** Adds an event or moves one, and shows the calendar at its day. */
export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireDemo(args, { canRestore: true });
  const posted = await args.request.formData();
  const field = (name: string) => String(posted.get(name) ?? "");
  const typed = field("day");
  const day = isDay(typed) ? typed : (parseDateInput(typed) ?? "");
  const values = { title: field("title"), day: typed };
  if (field("intent") === restoreIntent) return json({ error: "", values });
  try {
    const isMove = field("intent") === "move";
    if (isMove) await moveEvent(session, field("event"), day);
    else await addEvent(session, field("title"), day);
    const view = Object.hasOwn(views, field("view")) ? field("view") : "month";
    return await redirectWithMessage(session, `/app/extra/calendar?view=${view}&date=${day}`, {
      kind: "success",
      text: `${isMove ? "Event moved to" : "Event added on"} ${shortDay(day)}`,
    });
  } catch (cause) {
    if (!(cause instanceof DomainError) || cause.reason === "not_found") throw cause;
    return json({ error: cause.message, values }, { status: statusOfReason[cause.reason] });
  }
});

export default function CalendarScreen() {
  return (
    <CalendarPage data={useLoaderData<typeof loader>()} answer={useActionData<typeof action>()} />
  );
}
