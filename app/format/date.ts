/** Formats instants in the site's IANA zone, with the same text on server and browser. */

const common = { calendar: "gregory", numberingSystem: "latn" } as const;
const figures = formatterByZone({
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const longParts = formatterByZone({
  day: "numeric",
  month: "long",
  year: "numeric",
  weekday: "long",
});

// Making a formatter costs a hundred times what using one does.
function formatterByZone(options: Intl.DateTimeFormatOptions) {
  const formatters = new Map<string, Intl.DateTimeFormat>();
  return (timeZone: string): Intl.DateTimeFormat => {
    let formatter = formatters.get(timeZone);
    if (!formatter) {
      formatter = new Intl.DateTimeFormat("en-GB", { ...common, ...options, timeZone });
      formatters.set(timeZone, formatter);
    }
    return formatter;
  };
}

/** 'DD/MM/YYYY, HH:MM' in its parts. */
function figuresOf(instant: Date, timeZone: string): string[] {
  return figures(timeZone)
    .format(instant)
    .split(/[/, ]+/);
}

/** DD.MM.YYYY */
export function formatDate(instant: Date, timeZone: string): string {
  return withDots(figuresOf(instant, timeZone));
}

/** YYYY-MM-DD → DD.MM.YYYY */
export function formatDay(day: string): string {
  return day.split("-").reverse().join(".");
}

/** DD.MM.YYYY HH:MM, 24 hours. */
export function formatDateTime(instant: Date, timeZone: string): string {
  const parts = figuresOf(instant, timeZone);
  return `${withDots(parts)} ${parts[3]}`;
}

/** The props of `Timestamp`: what machines read, and what people read. */
export type TimestampView = { iso: string; text: string };

export function toTimestampView(instant: Date | null, timeZone: string): TimestampView | null {
  return instant && { iso: instant.toISOString(), text: formatDateTime(instant, timeZone) };
}

function withDots([day, month, year = ""]: readonly string[]): string {
  return `${day}.${month}.${year.padStart(4, "0")}`;
}

/** Writes the date line of the dashboard: '21 November 2026, Saturday'. */
export function formatDateLine(instant: Date, timeZone: string): string {
  const parts: Record<string, string> = {};
  for (const { type, value } of longParts(timeZone).formatToParts(instant)) parts[type] = value;
  return `${parts.day} ${parts.month} ${parts.year}, ${parts.weekday}`;
}
