/** Days as YYYY-MM-DD, without a time zone. */

const dayMs = 86_400_000;
const toInstant = (day: string) => Date.parse(`${day}T00:00:00Z`);
const toDay = (instant: number) => new Date(instant).toISOString().slice(0, 10);

export function isDay(text: string): boolean {
  return (
    /^(19|20)\d\d-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(toInstant(text)) &&
    toDay(toInstant(text)) === text
  );
}

export function addDays(day: string, count: number): string {
  return toDay(toInstant(day) + count * dayMs);
}

/** Returns the first day of the month that lies `count` months away. */
export function addMonths(day: string, count: number): string {
  return toDay(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + count, 1));
}

/** Weeks begin on Monday. */
export function startOfWeek(day: string): string {
  return addDays(day, -((new Date(toInstant(day)).getUTCDay() + 6) % 7));
}

export const views = { month: "Month", week: "Week", day: "Day", list: "List" } as const;
export type View = keyof typeof views;

/** Returns the days that a view shows, in whole weeks for a month. */
export function daysOfView(view: View, day: string): string[] {
  const range = (from: string, count: number) =>
    Array.from({ length: count }, (_, at) => addDays(from, at));
  if (view === "day") return [day];
  if (view === "week") return range(startOfWeek(day), 7);
  const first = addMonths(day, 0);
  const next = addMonths(day, 1);
  if (view === "list") return range(first, (toInstant(next) - toInstant(first)) / dayMs);
  const from = startOfWeek(first);
  return range(from, 7 * Math.ceil((toInstant(next) - toInstant(from)) / dayMs / 7));
}

/** Returns the day from which a view shows what comes before (-1) or after (1). */
export function step(view: View, day: string, direction: -1 | 1): string {
  if (view === "day") return addDays(day, direction);
  return view === "week" ? addDays(day, 7 * direction) : addMonths(day, direction);
}

const monthName = new Intl.DateTimeFormat("en", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
const dayName = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" });

export function titleOf(view: View, day: string): string {
  if (view === "month" || view === "list") return monthName.format(toInstant(day));
  if (view === "day") return `${dayName.format(toInstant(day))}, ${shortDay(day)}`;
  const [first, last] = [startOfWeek(day), addDays(startOfWeek(day), 6)];
  return `${shortDay(first)} to ${shortDay(last)}`;
}

/** 'DD.MM.YYYY', as all dates of the product. */
export function shortDay(day: string): string {
  return day.split("-").reverse().join(".");
}

export function weekdayOf(day: string): string {
  return dayName.format(toInstant(day));
}
