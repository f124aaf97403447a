/** Days, months and comparisons in words. Days are YYYY-MM-DD, without a zone. */
import { formatDateTime } from "../../format/date";
import { formatCents, type Currency } from "../../format/money";
import { formatNumber, formatShare } from "../../format/number";
import type { WeekStart } from "../../format/site";
import { capitalized } from "../../format/text";
import type { Span } from "./spans.server";

export const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

export function weekdaysFrom(weekStart: WeekStart): string[] {
  return weekStart === "sunday" ? weekdays : [...weekdays.slice(1), ...weekdays.slice(0, 1)];
}

/** The place of a day in its week, from 0. */
export function placeInWeek(day: string, weekStart: WeekStart): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + (weekStart === "sunday" ? 0 : 6)) % 7;
}

export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

export function daysBetween(first: string, end: string): number {
  return (Date.parse(end) - Date.parse(first)) / 86_400_000;
}

/** A percentage of less than so many says more about chance than about change. */
const minCompared = 20;

export type Comparison = {
  /** Writes a figure; whole numbers by default. */
  format?: (value: number) => string;
  /** The smallest unit of the figures: 100 for cents. */
  unit?: number;
  /** Words for a higher and a lower figure. */
  words?: readonly [more: string, less: string];
};

/**
 * Compares a figure with that of the period before: '1–21 October: 104' and '12% more', or null where the earlier
 * figure is too small for a percentage.
 */
export function compare(
  current: number,
  previous: number,
  before: string,
  { format = formatNumber, unit = 1, words = ["more", "less"] }: Comparison = {},
): { earlier: string; change: string | null } {
  return {
    earlier: `${capitalized(before)}: ${format(previous)}`,
    change: previous < minCompared * unit ? null : describeChange(current, previous, words),
  };
}

function describeChange(
  current: number,
  previous: number,
  [more, less]: readonly [string, string],
) {
  if (current === previous) return "the same";
  if (current < previous) return `${formatShare(previous - current, previous)} ${less}`;
  // Growth is no part of a whole: 99.5% reads as '100% more'.
  const percent = (100 * (current - previous)) / previous;
  return `${percent < 1 ? "<1" : formatNumber(percent)}% ${more}`;
}

export function centsComparison(currency: Currency): Comparison {
  return { format: (cents) => formatCents(cents, currency), unit: 100 };
}

/** More of what is refused is worse, and says so without a colour. */
export const refusedComparison: Comparison = { words: ["worse", "better"] };

/** '1–21 October', '28 September – 4 October', with the year where it changes. */
export function describeDays(first: string, last: string, { withYear = false } = {}): string {
  const [from, to] = [partsOf(first), partsOf(last)];
  const year = withYear ? ` ${to.year}` : "";
  if (first === last) return `${to.day} ${to.month}${year}`;
  if (first.slice(0, 7) === last.slice(0, 7)) return `${from.day}–${to.day} ${to.month}${year}`;
  if (from.year === to.year) return `${from.day} ${from.month} – ${to.day} ${to.month}${year}`;
  return `${from.day} ${from.month} ${from.year} – ${to.day} ${to.month} ${to.year}`;
}

/** ' until 15:59' where a day is counted up to a time, else ''. @param midnight at which the day began */
export function untilTime(to: Date, midnight: Date, timeZone: string): string {
  return to > midnight ? ` until ${formatDateTime(to, timeZone).split(" ")[1]}` : "";
}

/** ', compared with 1–21 October until 15:59' where the span before ends within a day, else ''. @param days its days in words */
export function comparedUntil(
  { to, endOfDays }: Pick<Span, "to" | "endOfDays">,
  days: string,
  timeZone: string,
): string {
  const until = untilTime(to, endOfDays, timeZone);
  return until && `, compared with ${days}${until}`;
}

function partsOf(day: string) {
  const [year = "", month = "", date = ""] = day.split("-");
  return { year, month: monthNames[Number(month) - 1]!, day: String(Number(date)) };
}
