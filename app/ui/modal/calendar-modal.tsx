// Without script: never loaded; see form/calendar-button.tsx.
import { parseDate } from "@internationalized/date";
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

export function CalendarModal({ trigger, value, minDay, onChoose, onClose }: CalendarProps) {
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
            minValue={minDay ? parseDate(minDay) : null}
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
                {(date) => <CalendarCell date={date} className={css.day} />}
              </CalendarGridBody>
            </CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </I18nProvider>
  );
}
