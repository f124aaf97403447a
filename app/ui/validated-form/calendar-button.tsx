// Without script: nothing; the date is typed.
import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type ComponentType,
  type RefObject,
} from "react";
import { connectionNotice } from "../connection/connection-notice";
import { loadOnce } from "../connection/load-once";
import { focusWhenReachable, useAreScriptsRunning } from "../overlay/focus";
import { IconButton } from "../form/button";
import { fillField } from "./fill-field";

export type CalendarProps = {
  trigger: RefObject<HTMLElement>;
  value: string;
  /** YYYY-MM-DD in the site's zone; the first day that can be chosen. */
  today: string;
  onChoose: (date: string) => void;
  onClose: () => void;
};

const loadCalendar = loadOnce(() => import("../modal/calendar-modal"));

/**
 * Opens a calendar for a typed date. It is loaded when it is opened, and the text field stays the source of truth: a
 * calendar that can't be loaded leaves the field alone.
 */
export function CalendarButton({
  inputId,
  today,
}: { inputId: string } & Pick<CalendarProps, "today">) {
  const place = useRef<HTMLSpanElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const [Calendar, setCalendar] = useState<ComponentType<CalendarProps> | null>(null);
  const input = () => document.getElementById(inputId) as HTMLInputElement;
  const buttonId = `${inputId}-calendar`;
  const close = useCallback(() => {
    setIsOpen(false);
    focusWhenReachable(buttonId);
  }, [buttonId]);

  // The calendar hears keys once it has the focus, which is some time after the press that opens it.
  useEffect(() => {
    if (!isOpen) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      close();
    };
    document.addEventListener("keydown", closeOnEscape, true);
    return () => document.removeEventListener("keydown", closeOnEscape, true);
  }, [isOpen, close]);

  if (!useAreScriptsRunning() || hasFailed) return null;

  async function open() {
    setIsOpen(true);
    try {
      const { CalendarModal } = await loadCalendar();
      setCalendar(() => CalendarModal);
    } catch {
      setIsOpen(false);
      setHasFailed(true);
      input().focus();
      connectionNotice.set("No connection. Type the date instead.");
    }
  }

  return (
    <span ref={place}>
      <IconButton
        id={buttonId}
        type="button"
        icon="calendar"
        label="Choose from a calendar"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={open}
      />
      {isOpen && Calendar && (
        <Calendar
          trigger={place}
          value={input().value}
          today={today}
          onChoose={(date) => fillField(input(), date)}
          onClose={close}
        />
      )}
    </span>
  );
}
