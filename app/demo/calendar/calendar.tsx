// Without script: views, days and events are links, and a form moves an event. With it, events can be dragged too.
import { Form, Link, useLocation, useNavigation, useSubmit } from "@remix-run/react";
import type { DragEvent } from "react";
import { formatDateInput } from "../../forms/typed-date";
import { ButtonLink, SubmitButton } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import { cardSection } from "../../ui/layout/layout.css";
import { Card, LinkTabs, Page } from "../../ui/layout/page";
import {
  DialogActions,
  DialogCancel,
  DialogLink,
  DialogRoute,
} from "../../ui/overlay/dialog-route";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import { visuallyHidden } from "#styles/global.css";
import * as showcase from "../showcase/ui.css";
import * as css from "./calendar.css";
import { shortDay, step, titleOf, views, weekdayOf, type View } from "./days";
import type { CalendarEvent } from "./events.server";

export type CalendarData = {
  view: View;
  day: string;
  today: string;
  days: string[];
  events: CalendarEvent[];
  newOn: string | null;
  moved: CalendarEvent | null;
  /** Id of the link that opens the dialog that is open. */
  openedBy: string;
};
type Answer = { error: string; values: Record<"title" | "day", string> } | undefined;
type CalendarProps = { data: CalendarData; answer: Answer };

const url = (view: View, date: string) => `?view=${view}&date=${date}`;

/** Returns how to write the address of the page with a dialog of these parameters, or without any. */
function useDialogUrl() {
  const { pathname, search } = useLocation();
  return (dialog: Record<string, string> = {}) => {
    const params = new URLSearchParams(search);
    for (const name of ["new", "move"]) params.delete(name);
    for (const [name, value] of Object.entries(dialog)) params.set(name, value);
    const query = params.toString();
    return query ? `${pathname}?${query}` : pathname;
  };
}

export function CalendarPage({ data, answer }: CalendarProps) {
  const { view, day, today, events } = data;
  const dialogUrl = useDialogUrl();
  const hasDays = view === "month" || view === "week";
  const isDraggable = useAreScriptsRunning() && hasDays;
  const placeHint = isDraggable
    ? "Drag an event onto a day, or select it to enter the day."
    : "Select an event to enter its day.";
  const waiting = events.filter((event) => event.day === null);
  const newEvent = (
    <DialogLink
      id="new"
      to={dialogUrl({ new: "" })}
      variant="primary"
      icon="plus"
      preventScrollReset
    >
      New event
    </DialogLink>
  );
  return (
    <Page title="Calendar" actions={newEvent}>
      <EventDialog data={data} answer={answer} />
      <LinkTabs
        label="View"
        tabs={(Object.keys(views) as View[]).map((name) => ({
          to: url(name, day),
          label: views[name],
          isCurrent: name === view,
        }))}
      />
      <div className={css.head}>
        <h2>{titleOf(view, day)}</h2>
        <ButtonLink to={url(view, step(view, day, -1))}>Previous</ButtonLink>
        <ButtonLink to={url(view, today)}>Today</ButtonLink>
        <ButtonLink to={url(view, step(view, day, 1))}>Next</ButtonLink>
      </div>
      <div className={css.columns}>
        {hasDays ? <Weeks data={data} /> : <Agenda data={data} />}
        <Card className={cardSection}>
          <h2>Events to place</h2>
          <p>{waiting.length === 0 ? "All events have a day." : placeHint}</p>
          <ul className={css.events}>
            {waiting.map((event) => (
              <EventItem key={event.id} event={event} />
            ))}
          </ul>
        </Card>
      </div>
    </Page>
  );
}

/** The dialog of a new event, which takes only a title, or of one that is moved. */
function EventDialog({ data: { view, day, newOn, moved, openedBy }, answer }: CalendarProps) {
  const dialogUrl = useDialogUrl();
  const { search } = useLocation();
  const isPending = useNavigation().formMethod === "POST";
  if (!newOn && !moved) return null;
  return (
    <DialogRoute
      key={openedBy}
      title={moved ? `Move “${moved.title}”` : `New event on ${shortDay(newOn!)}`}
      closeTo={dialogUrl()}
      returnFocusTo={openedBy}
    >
      <Form method="post" action={search} replace preventScrollReset className={showcase.stackWide}>
        <input type="hidden" name="view" value={view} />
        {moved ? (
          <>
            <input type="hidden" name="event" value={moved.id} />
            <InputField
              name="day"
              label="Day, DD/MM/YYYY"
              inputMode="numeric"
              defaultValue={answer?.values.day ?? formatDateInput(moved.day ?? day)}
              error={answer?.error}
            />
          </>
        ) : (
          <>
            <input type="hidden" name="day" value={newOn!} />
            <InputField
              name="title"
              label="Title"
              defaultValue={answer?.values.title ?? ""}
              error={answer?.error}
            />
          </>
        )}
        <DialogActions>
          <SubmitButton
            isPending={isPending}
            pendingLabel={moved ? "Moving..." : "Adding..."}
            name="intent"
            value={moved ? "move" : "add"}
          >
            {moved ? "Move event" : "Add event"}
          </SubmitButton>
          <DialogCancel to={dialogUrl()} />
        </DialogActions>
      </Form>
    </DialogRoute>
  );
}

function Weeks({ data }: { data: CalendarData }) {
  const { view, day, today, days, events } = data;
  const dialogUrl = useDialogUrl();
  const submit = useSubmit();
  const weeks = Array.from({ length: days.length / 7 }, (_, at) => days.slice(7 * at, 7 * at + 7));

  function drop(event: DragEvent, onto: string) {
    const id = event.dataTransfer.getData("text/plain");
    if (!/^\d+$/.test(id)) return;
    event.preventDefault();
    submit({ intent: "move", event: id, day: onto, view }, { method: "post" });
  }

  return (
    <table className={css.table}>
      <caption className={visuallyHidden}>{titleOf(view, day)}</caption>
      <thead>
        <tr>
          {days.slice(0, 7).map((weekday) => (
            <th key={weekday} scope="col">
              {weekdayOf(weekday).slice(0, 3)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((date) => (
              <td
                key={date}
                className={
                  view === "month" && date.slice(0, 7) !== day.slice(0, 7)
                    ? css.otherCell
                    : css.cell
                }
                onDragOver={(event) => event.preventDefault()}
                onDrop={(event) => drop(event, date)}
              >
                <Link
                  id={`new-${date}`}
                  to={dialogUrl({ new: date })}
                  preventScrollReset
                  aria-label={`New event on ${shortDay(date)}`}
                  aria-current={date === today ? "date" : undefined}
                  className={css.number}
                >
                  {Number(date.slice(8))}
                </Link>
                <span className={css.weekday}>{weekdayOf(date).slice(0, 3)}</span>
                <ul className={css.events}>
                  {events
                    .filter((event) => event.day === date)
                    .map((event) => (
                      <EventItem key={event.id} event={event} />
                    ))}
                </ul>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The days that have events, one beneath the other. */
function Agenda({ data }: { data: CalendarData }) {
  const days = data.days.filter((date) => data.events.some((event) => event.day === date));
  return (
    <Card className={cardSection}>
      {days.length === 0 && <p>No events yet.</p>}
      {days.map((date) => (
        <section key={date} aria-label={shortDay(date)} className={css.day}>
          {data.view === "list" && <h3>{`${weekdayOf(date)}, ${shortDay(date)}`}</h3>}
          <ul className={css.events}>
            {data.events
              .filter((event) => event.day === date)
              .map((event) => (
                <EventItem key={event.id} event={event} />
              ))}
          </ul>
        </section>
      ))}
    </Card>
  );
}

function EventItem({ event }: { event: CalendarEvent }) {
  const dialogUrl = useDialogUrl();
  const { id, title, from, to, color } = event;
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its link moves it by keyboard
    <li
      draggable
      onDragStart={({ dataTransfer }) => dataTransfer.setData("text/plain", id)}
      className={css.event[color]}
    >
      <Link
        id={`move-${id}`}
        to={dialogUrl({ move: id })}
        preventScrollReset
        aria-label={`Move ${title}${from ? `, ${from} to ${to}` : ""}`}
        draggable={false}
        className={css.eventLink}
      >
        {from && <span className={css.time}>{`${from} `}</span>}
        {title}
      </Link>
    </li>
  );
}
