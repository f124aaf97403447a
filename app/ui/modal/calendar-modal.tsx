// Without script: never loaded; see form/calendar-button.tsx.
import { parseDate, type CalendarDate } from "@internationalized/date";
import { Button } from "react-aria-components/Button";
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
} from "react-aria-components/Calendar";
import { Dialog } from "react-aria-components/Dialog";
import { I18nProvider } from "react-aria-components/I18nProvider";
import { Popover } from "react-aria-components/Popover";
import { formatDateInput, parseDateInput } from "../../forms/date-input";
import { Icon } from "../icon/icon";
import { useSite } from "../layout/site-name";
import type { CalendarProps } from "../validated-form/calendar-button";
import * as css from "./calendar.css";

export function CalendarModal({ trigger, value, today, onChoose, onClose }: CalendarProps) {
  const day = parseDateInput(value);
  const { weekStart } = useSite();
  return (
    <I18nProvider locale="en-GB">
      <Popover
        isOpen
        triggerRef={trigger}
        placement="bottom start"
        onOpenChange={(isOpen) => !isOpen && onClose()}
        className={css.popover}
      >
        {/* React Aria adds a style sheet for its buttons unless it finds one of this id; the content security policy refuses it. */}
        <span hidden id="react-aria-pressable-style" />
        <Dialog aria-label="Choose a date" className={css.dialog}>
          <Calendar
            // eslint-disable-next-line jsx-a11y/no-autofocus -- the calendar was asked for
            autoFocus
            defaultValue={day ? parseDate(day) : null}
            firstDayOfWeek={weekStart === "sunday" ? "sun" : "mon"}
            defaultFocusedValue={parseDate(day ?? today)}
            minValue={parseDate(today)}
            onChange={(chosen) => {
              onChoose(formatDateInput(chosen.toString()));
              onClose();
            }}
          >
            <header className={css.head}>
              <Button slot="previous" className={css.step}>
                <Icon name="chevron-left" />
              </Button>
              <Heading className={css.month} />
              <Button slot="next" className={css.step}>
                <Icon name="chevron-right" />
              </Button>
            </header>
            <CalendarGrid className={css.grid}>
              <CalendarGridHeader>
                {(weekday) => (
                  <CalendarHeaderCell className={css.weekday}>{weekday}</CalendarHeaderCell>
                )}
              </CalendarGridHeader>
              <CalendarGridBody>
                {(date) => <Day date={date} isToday={date.toString() === today} />}
              </CalendarGridBody>
            </CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </I18nProvider>
  );
}

/** A day of the calendar. React Aria takes the browser's today for today, which is another day in other time zones. */
function Day({ date, isToday }: { date: CalendarDate; isToday: boolean }) {
  return (
    <CalendarCell
      date={date}
      className={css.day}
      render={(cell) => {
        const label = cell["aria-label"]?.replace("Today, ", "");
        return (
          <div
            {...cell}
            aria-label={isToday ? `Today, ${label}` : label}
            data-today={isToday || undefined}
          />
        );
      }}
    />
  );
}
