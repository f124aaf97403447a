/** Days, months and comparisons in words. Days are YYYY-MM-DD, without a zone. */
import { formatNumber } from "../../format/number";

export const monthNames = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
];
export const weekdays = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
];

export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Percentage from which a change says less than the number that it starts from. */
const maxPercent = 1_000;

/** '+12% on 1–21 October'; 'Up from 0 on 1–21 October' where a percentage would say nothing. */
export function compare(
  current: number,
  previous: number,
  before: string,
  format: (value: number) => string = formatNumber,
) {
  if (current === previous) return { change: "Same", on: `as ${before}` };
  const percent = Math.round((100 * (current - previous)) / previous);
  if (previous === 0 || percent >= maxPercent) {
    const on = before.startsWith("yesterday") ? before : `on ${before}`;
    return { change: `Up from ${format(previous)}`, on };
  }
  const sign = percent > 0 ? "+" : percent < 0 ? "−" : "±";
  return { change: `${sign}${formatNumber(Math.abs(percent))}%`, on: `on ${before}` };
}

/** '1–21 October', '28 September – 4 October', with the year where it changes. */
export function describeDays(first: string, last: string, { withYear = false } = {}): string {
  const [from, to] = [partsOf(first), partsOf(last)];
  const year = withYear ? ` ${to.year}` : "";
  if (first === last) return `${to.day} ${to.month}${year}`;
  if (first.slice(0, 7) === last.slice(0, 7)) return `${from.day}–${to.day} ${to.month}${year}`;
  if (from.year === to.year) return `${from.day} ${from.month} – ${to.day} ${to.month}${year}`;
  return `${from.day} ${from.month} ${from.year} – ${to.day} ${to.month} ${to.year}`;
}

function partsOf(day: string) {
  const [year = "", month = "", date = ""] = day.split("-");
  return { year, month: monthNames[Number(month) - 1]!, day: String(Number(date)) };
}
