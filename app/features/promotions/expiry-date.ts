/**
 * The expiration date as people type it and as the API sends it. A date is text of the form
 * YYYY-MM-DD, a day in the site's zone; the instant it ends at is worked out by PostgreSQL
 * (RULES T2).
 */
import { explainDate } from "../../forms/explain-date";
import { formatDateInput, isoDate, parseDateInput } from "../../forms/date-input";
import { formatDate } from "../../format/date";

/** Completes DD/MM/YY with its century on blur; text that is no date stays as typed. */
export function completeDateInput(text: string): string {
  const date = parseDateInput(text);
  return date ? formatDateInput(date) : text;
}

/**
 * The sentence about a typed date, or null when it may be used or is empty.
 * @param today YYYY-MM-DD in the site's zone
 */
export function dateError(text: string, today: string): string | null {
  if (text.trim() === "") return null;
  const date = parseDateInput(text);
  if (!date) return explainDate(text);
  return date < today ? "Date cannot be in the past" : null;
}

/** Writes the end of a day, YYYY-MM-DD: 'Sun, 28.03.2027, until 23:59'. */
export function describeEnd(isoDay: string): string {
  const weekday = new Date(isoDay).toUTCString().slice(0, 5);
  return `${weekday}${isoDay.split("-").reverse().join(".")}, until 23:59`;
}

/** The form of the API: the last second of the day, without a zone. */
export function toApiDate(date: string): string {
  return `${date}T23:59:59`;
}

export function parseApiDate(text: string): string | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})T23:59:59$/.exec(text);
  return match ? isoDate(match[1]!, match[2]!, match[3]!) : null;
}

/** DD.MM.YYYY of the last day on which something is valid that ends at `expiresAt` (exclusive). */
export function formatLastDay(expiresAt: Date, timeZone: string): string {
  return formatDate(new Date(expiresAt.getTime() - 1), timeZone);
}

/** The same day as YYYY-MM-DD. */
export function lastDay(expiresAt: Date, timeZone: string): string {
  return formatLastDay(expiresAt, timeZone).split(".").reverse().join("-");
}

/**
 * Formats the end in full: '31.12.2026 23:59 (Europe/Berlin)'.
 * @param expiresAt exclusive, or YYYY-MM-DD of the last day
 */
export function formatExpiry(expiresAt: Date | string, timeZone: string): string {
  const day =
    typeof expiresAt === "string"
      ? expiresAt.split("-").reverse().join(".")
      : formatLastDay(expiresAt, timeZone);
  return `${day} 23:59 (${timeZone})`;
}

const groupSizes = [2, 2, 4];

/**
 * Slashes that come by themselves while DD/MM/YYYY is typed or pasted. They are added
 * only at the end of the text and never while something is taken away, so that neither Backspace
 * nor an edit in the middle is fought.
 * @param caret where the caret stands in `next`
 */
export function autoSlashes(
  previous: string,
  next: string,
  caret: number,
): { text: string; caret: number } {
  const pasted = /^\s*\d{4}[^\d\s]/.test(next) ? parseDateInput(next) : null;
  if (pasted) return { text: formatDateInput(pasted), caret: "DD/MM/YYYY".length };
  const cleaned = clean(next);
  const groups = cleaned.split("/");
  const fits = groups.length <= 3 && groups.every((group, i) => group.length <= groupSizes[i]!);
  const isAtEnd = caret >= next.length;

  if (fits && (next.length < previous.length || !isAtEnd))
    return { text: cleaned, caret: Math.min(clean(next.slice(0, caret)).length, cleaned.length) };
  const text = fits ? completeGroups(groups) : spread(cleaned.replaceAll("/", ""));
  if (isAtEnd) return { text, caret: text.length };
  return { text, caret: afterDigits(text, next.slice(0, caret).replace(/\D/g, "").length) };
}

function clean(text: string): string {
  return text.replace(/[^\d/.\-\s]/g, "").replace(/[/.\-\s]+/g, "/");
}

/** '1/2' → '01/2', '31' → '31/'. */
function completeGroups(groups: string[]): string {
  const filled = groups.filter((group, i) => group !== "" || (i > 0 && i === groups.length - 1));
  const last = filled.length - 1;
  const text = filled.map((group, i) => (i < last ? group.padStart(2, "0") : group)).join("/");
  return last < 2 && filled[last]?.length === 2 ? `${text}/` : text;
}

function spread(digits: string): string {
  const [day, month, year] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 8)];
  return day + (day.length === 2 ? "/" : "") + month + (month.length === 2 ? "/" : "") + year;
}

function afterDigits(text: string, count: number): number {
  let position = 0;
  for (let seen = 0; seen < count && position < text.length; position++) {
    if (text[position] !== "/") seen++;
  }
  return position;
}
