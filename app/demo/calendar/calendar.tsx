// Without script: views, days and events are links, and a form moves an event. With it, events can be dragged too.
import { Form, Link, useNavigation, useSubmit } from "@remix-run/react";
import type { DragEvent } from "react";
import { formatDateInput } from "../../forms/date-input";
import type { FieldErrors } from "../../forms/validator";
import { ButtonLink, SubmitButton } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { cardSection, parts } from "../../ui/layout/layout.css";
import { Card, LinkTabs, Page } from "../../ui/layout/page";
import { useSite } from "../../ui/layout/site-name";
import {
  DialogActions,
  DialogCancel,
  DialogLink,
  DialogRoute,
} from "../../ui/overlay/dialog-route";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import { muted, visuallyHidden } from "#styles/global.css";
import * as css from "./calendar.css";
import { daysOfView, formatDay, step, titleOf, views, weekdayOf, type View } from "./days";
import type { CalendarEvent } from "./events.server";

type CalendarView = {
  view: View;
  day: string;
  today: string;
  events: CalendarEvent[];
  newOn: string | null;
  moved: CalendarEvent | null;
};
type CalendarData = CalendarView & { days: string[] };

/** `error` says that there was no answer. */
type Answer =
  | { error?: string; fieldErrors?: FieldErrors; repopulateFields?: Record<string, string> }
  | undefined;

export const calendarPath = "/app/extra/calendar";

/** The address of the days that are shown, with some parameters changed. */
const urlOf = ({ view, day }: CalendarData, changes: Record<string, string> = {}) =>
  `${calendarPath}?${new URLSearchParams({ view, date: day, ...changes })}`;

export function CalendarPage({ calendar, answer }: { calendar: CalendarView; answer: Answer }) {
  const { view, day, today } = calendar;
  const data = { ...calendar, days: daysOfView(view, day, useSite().weekStart) };
  const isTable = view === "month" || view === "week";
  const isDraggable = useAreScriptsRunning() && isTable;
  return (
    <Page
      title="Calendar"
      actions={
        <DialogLink
          id={`new-${day}`}
          to={urlOf(data, { new: day })}
          variant="primary"
          icon="plus"
          preventScrollReset
        >
          New event
        </DialogLink>
      }
    >
      <EventDialog data={data} answer={answer} />
      <LinkTabs
        label="View"
        tabs={(Object.keys(views) as View[]).map((name) => ({
          to: urlOf(data, { view: name }),
          label: views[name],
          isCurrent: name === view,
        }))}
      />
      <div className={css.head}>
        <h2>{titleOf(view, day, data.days)}</h2>
        <ButtonLink to={urlOf(data, { date: step(view, day, -1) })}>Previous</ButtonLink>
        <ButtonLink to={urlOf(data, { date: today })}>Today</ButtonLink>
        <ButtonLink to={urlOf(data, { date: step(view, day, 1) })}>Next</ButtonLink>
      </div>
      {isTable ? <Weeks data={data} /> : <Agenda data={data} />}
      <p className={muted}>
        {isDraggable
          ? "Drag an event onto a day, or select it to enter the day."
          : "Select an event to enter its day."}
      </p>
    </Page>
  );
}

/** The dialog of a new event, which takes only a title, or of one that is moved. */
function EventDialog({ data, answer }: { data: CalendarData; answer: Answer }) {
  const { newOn, moved } = data;
  const isPending = useNavigation().formMethod === "POST";
  if (!newOn && !moved) return null;
  const openedBy = moved ? `move-${moved.id}` : `new-${newOn}`;
  const address = urlOf(data, moved ? { move: moved.id } : { new: newOn! });
  const { title = "", day = formatDateInput(moved?.day ?? "") } = answer?.repopulateFields ?? {};
  const field = moved
    ? { name: "day", label: "Day, DD/MM/YYYY", defaultValue: day }
    : { name: "title", label: "Title", defaultValue: title };
  return (
    <DialogRoute
      key={openedBy}
      title={moved ? `Move “${moved.title}”` : `New event on ${formatDay(newOn!)}`}
      closeTo={urlOf(data)}
      returnFocusTo={openedBy}
    >
      <Form method="post" action={address} replace preventScrollReset className={parts}>
        {moved ? (
          <input type="hidden" name="event" value={moved.id} />
        ) : (
          <input type="hidden" name="day" value={newOn!} />
        )}
        <IdempotencyKey />
        <InputField
          {...field}
          error={answer?.error ?? Object.values(answer?.fieldErrors ?? {})[0]}
        />
        <DialogActions>
          <SubmitButton
            isPending={isPending}
            pendingLabel={moved ? "Moving..." : "Adding..."}
            name="intent"
            value={moved ? "move" : "add"}
          >
            {moved ? "Move event" : "Add event"}
          </SubmitButton>
          <DialogCancel to={urlOf(data)} />
        </DialogActions>
      </Form>
    </DialogRoute>
  );
}

function Weeks({ data }: { data: CalendarData }) {
  const { view, day, today, days } = data;
  const submit = useSubmit();
  const weeks = Array.from({ length: days.length / 7 }, (_, at) => days.slice(7 * at, 7 * at + 7));
  const isOutside = (date: string) => view === "month" && date.slice(0, 7) !== day.slice(0, 7);

  function drop(event: DragEvent, onto: string) {
    const id = event.dataTransfer.getData("text/plain");
    if (!/^\d+$/.test(id)) return;
    event.preventDefault();
    submit({ intent: "move", event: id, day: onto }, { method: "post", action: urlOf(data) });
  }

  return (
    <table className={css.table}>
      <caption className={visuallyHidden}>{titleOf(view, day, days)}</caption>
      <thead>
        <tr>
          {days.slice(0, 7).map((date) => (
            <th key={date} scope="col">
              {weekdayOf(date).slice(0, 3)}
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
                className={isOutside(date) ? css.otherCell : css.cell}
                onDragOver={(event) => event.preventDefault()}
                onDrop={(event) => drop(event, date)}
              >
                <Link
                  id={date === day ? undefined : `new-${date}`}
                  to={urlOf(data, { new: date })}
                  preventScrollReset
                  aria-label={`New event on ${formatDay(date)}`}
                  aria-current={date === today ? "date" : undefined}
                  className={css.number}
                >
                  {Number(date.slice(8))}
                </Link>
                <span className={css.weekday}>{weekdayOf(date).slice(0, 3)}</span>
                <Events data={data} date={date} />
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
        <section key={date} aria-label={formatDay(date)} className={css.events}>
          {data.view === "list" && <h3>{`${weekdayOf(date)}, ${formatDay(date)}`}</h3>}
          <Events data={data} date={date} />
        </section>
      ))}
    </Card>
  );
}

function Events({ data, date }: { data: CalendarData; date: string }) {
  const events = data.events.filter((event) => event.day === date);
  return (
    <ul className={css.events}>
      {events.map(({ id, title, from, to, color }) => (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its link moves it by keyboard
        <li
          key={id}
          draggable
          onDragStart={({ dataTransfer }) => dataTransfer.setData("text/plain", id)}
          className={css.event[color]}
        >
          <Link
            id={`move-${id}`}
            to={urlOf(data, { move: id })}
            preventScrollReset
            aria-label={`Move ${title}${from ? `, ${from} to ${to}` : ""}`}
            draggable={false}
            className={css.eventLink}
          >
            {from && <b>{`${from} `}</b>}
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}
