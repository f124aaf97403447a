/** Days as YYYY-MM-DD, without a time zone. */
import { parseDateInput } from "../../forms/date-input";
import type { WeekStart } from "../../format/site";

const dayMs = 86_400_000;
const toInstant = (day: string) => Date.parse(`${day}T00:00:00Z`);
const toDay = (instant: number) => new Date(instant).toISOString().slice(0, 10);

export function isDay(text: string): boolean {
  return /^(19|20)/.test(text) && parseDateInput(text) === text;
}

const addDays = (day: string, count: number) => toDay(toInstant(day) + count * dayMs);

/** Returns the first day of the month that lies `count` months away. */
const addMonths = (day: string, count: number) =>
  toDay(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + count, 1));

function startOfWeek(day: string, weekStart: WeekStart): string {
  const shift = weekStart === "sunday" ? 0 : 6;
  return addDays(day, -((new Date(toInstant(day)).getUTCDay() + shift) % 7));
}

const daysBetween = (from: string, to: string) =>
  Array.from({ length: (toInstant(to) - toInstant(from)) / dayMs }, (_, at) => addDays(from, at));

export const views = { month: "Month", week: "Week", day: "Day", list: "List" } as const;
export type View = keyof typeof views;

export function parseView(text: string | null): View {
  return text !== null && Object.hasOwn(views, text) ? (text as View) : "month";
}

/** Returns the days that a view shows, in whole weeks for a month. */
export function daysOfView(view: View, day: string, weekStart: WeekStart): string[] {
  if (view === "day") return [day];
  const [first, next] = [addMonths(day, 0), addMonths(day, 1)];
  if (view === "list") return daysBetween(first, next);
  const [from, to] = view === "week" ? [day, day] : [first, addDays(next, -1)];
  return daysBetween(startOfWeek(from, weekStart), addDays(startOfWeek(to, weekStart), 7));
}

/** Returns the day from which a view shows what comes before (-1) or after (1). */
export function step(view: View, day: string, direction: -1 | 1): string {
  if (view === "day") return addDays(day, direction);
  return view === "week" ? addDays(day, 7 * direction) : addMonths(day, direction);
}

const formatter = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en", { ...options, timeZone: "UTC" });
const monthName = formatter({ month: "long", year: "numeric" });
const weekdayName = formatter({ weekday: "long" });

/** @param days those that the view shows */
export function titleOf(view: View, day: string, days: readonly string[]): string {
  if (view === "month" || view === "list") return monthName.format(toInstant(day));
  if (view === "day") return `${weekdayOf(day)}, ${formatDay(day)}`;
  return `${formatDay(days[0]!)} to ${formatDay(days[6]!)}`;
}

/** 'DD.MM.YYYY', as all dates of the product. */
export function formatDay(day: string): string {
  return day.split("-").reverse().join(".");
}

export function weekdayOf(day: string): string {
  return weekdayName.format(toInstant(day));
}
