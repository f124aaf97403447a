/** Reads the fields of a start and of hours, and fills them. */
import { invalidFields } from "../../../errors";
import { explainDate } from "../../../forms/explain-date";
import { formatDateInput, parseDateInput } from "../../../forms/date-input";
import type { FieldErrors } from "../../../forms/validator";
import {
  type CampaignTimes,
  type Hours,
  hasTooManyWindows,
  maxClosedDays,
  maxWindows,
  type Schedule,
} from "../schedule";
import type { TimesInput } from "./times-form";

const maxLength = 2_000;

/** @throws DomainError invalid, with a message for each wrong field */
export function readTimes({ starts_at, closed_on, ...rows }: TimesInput): CampaignTimes {
  const errors: FieldErrors = {};
  const startsAt = readStart(starts_at, errors);
  const hours = readHours(rows, errors);
  const except = readDays(closed_on, errors);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  const hasSchedule = hours.length > 0 || except.length > 0;
  return { startsAt, schedule: hasSchedule ? { hours, except } : null };
}

function readStart(typed: string, errors: FieldErrors): string | null {
  const text = typed.trim();
  if (text === "") return null;
  const [date, hour] = splitHour(text);
  const day = parseDateInput(date) ?? parseDateInput(text);
  const time = hour === undefined || parseDateInput(date) === null ? "00:00" : readTime(hour);
  const [firstWord = ""] = text.split(/[ T,]/, 1);
  if (day === null && parseDateInput(firstWord) === null) errors.starts_at = explainDate(date);
  else if (day === null || time === null) errors.starts_at = "Enter the hour of the start as HH:MM";
  return day && time && `${day}T${time}`;
}

/** Splits the hour at the end of a text from what stands before. One expression for both would backtrack. */
function splitHour(text: string): [date: string, hour?: string] {
  const hour = /[ T,](\d{1,2}(?:[:.]?\d{2})?)$/.exec(text)?.[1];
  if (hour === undefined) return [text];
  let end = text.length - hour.length;
  while (/[ T,]/.test(text[end - 1] ?? "")) end -= 1;
  return [text.slice(0, end), hour];
}

/** Returns HH:MM of 8, 8:00, 08.00 or 0800; null for other text. */
function readTime(text: string, latest = "23:59"): string | null {
  const match = /^(\d{1,2})(?:[:.]?(\d{2}))?$/.exec(text.trim());
  if (!match) return null;
  const [, hours = "", minutes = "00"] = match;
  const time = `${hours.padStart(2, "0")}:${minutes}`;
  return minutes <= "59" && time <= latest ? time : null;
}

function readHours(
  { hours_days, hours_from, hours_to }: Omit<TimesInput, "starts_at" | "closed_on">,
  errors: FieldErrors,
): Hours[] {
  const ticked = new Set(hours_days);
  const rows = hours_from.map((fromText, row) => ({
    days: [1, 2, 3, 4, 5, 6, 7].filter((day) => ticked.has(`${row}-${day}`)),
    fromText,
    toText: hours_to[row] ?? "",
  }));
  const windows: Hours[] = [];
  for (const [row, { days, fromText, toText }] of rows.entries()) {
    if (days.length === 0 && fromText.trim() + toText.trim() === "") continue;
    const [from, to] = [readTime(fromText), readTime(toText, "24:00")];
    const message =
      days.length === 0
        ? "choose at least one day"
        : from === null
          ? "enter the time from as HH:MM"
          : to === null
            ? "enter the time to as HH:MM, at most 24:00"
            : from === to
              ? "the times are the same. A whole day is from 00:00 to 24:00"
              : null;
    if (message) errors.hours_from ??= `Row ${row + 1}: ${message}`;
    else windows.push({ days, from: from!, to: to! });
  }
  if (hasTooManyWindows(windows))
    errors.hours_from ??= `Use no more than ${maxWindows} windows a week`;
  return windows;
}

function readDays(text: string, errors: FieldErrors): string[] {
  const texts = text
    .slice(0, maxLength)
    .split(/[,;\n]+/)
    .filter((part) => part.trim() !== "");
  const wrong = texts.find((part) => parseDateInput(part) === null);
  if (wrong !== undefined) errors.closed_on = `${wrong.trim()}: ${explainDate(wrong)}`;
  else if (texts.length > maxClosedDays || text.length > maxLength)
    errors.closed_on = `Use no more than ${maxClosedDays} days`;
  return texts.flatMap((part) => parseDateInput(part) ?? []);
}

export function toTimesInput({ startsAt, schedule }: CampaignTimes) {
  const { hours, except }: Schedule = schedule ?? { hours: [], except: [] };
  const [day = "", time = "00:00"] = startsAt?.split("T") ?? [];
  return {
    starts_at: day && `${formatDateInput(day)}${time === "00:00" ? "" : ` ${time}`}`,
    hours_days: hours.flatMap(({ days }, row) => days.map((weekday) => `${row}-${weekday}`)),
    hours_from: hours.map(({ from }) => from),
    hours_to: hours.map(({ to }) => to),
    closed_on: except.map(formatDateInput).join(", "),
  };
}
