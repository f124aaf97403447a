/** Days as people type them; in the product a day is text of the form YYYY-MM-DD. */

/** Returns a day as YYYY-MM-DD, or null if no calendar has it. */
export function isoDate(year: string, month: string, day: string): string | null {
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const date = new Date(`${iso}T00:00:00Z`);
  const isReal = Number(year) > 0 && !Number.isNaN(date.getTime());
  return isReal && date.toISOString().startsWith(iso) ? iso : null;
}

type DateParts = [year: string, month: string, day: string];

/**
 * Reads DD/MM/YYYY, D/M/YYYY and DD/MM/YY (the year 20YY), with slashes, dots, dashes, spaces or, in
 * full length, nothing between; also YYYY-MM-DD, whatever slashes were put into it while it was typed.
 * Null for anything else.
 */
export function splitDate(text: string): DateParts | null {
  const input = text.length <= 30 ? text.trim() : "";
  const yearFirst = /^(20\d\d)(\d\d)(\d\d)$/.exec(input.replace(/[/.\- ]/g, ""));
  const iso =
    /^(\d{4})[/.\- ](\d{1,2})[/.\- ](\d{1,2})$/.exec(input) ??
    // No DD/MM/YYYY: a month from 13 to 99.
    (yearFirst && Number(yearFirst[1]) > 2012 ? yearFirst : null);
  if (iso) return [iso[1]!, iso[2]!, iso[3]!];
  const match =
    /^(\d{1,2}) ?[/.\- ] ?(\d{1,2}) ?[/.\- ] ?(\d{4}|\d{2})$/.exec(input) ??
    /^(\d{2})(\d{2})(\d{4}|\d{2})$/.exec(input);
  if (!match) return null;
  const [, day = "", month = "", year = ""] = match;
  return [year.length === 2 ? `20${year}` : year, month, day];
}

/** Returns the day that is typed as YYYY-MM-DD; null for other text and for days that no calendar has. */
export function parseDateInput(text: string): string | null {
  const parts = splitDate(text);
  return parts && isoDate(...parts);
}

/** YYYY-MM-DD → DD/MM/YYYY */
export function formatDateInput(date: string): string {
  const [year, month, day] = date.split("-");
  return `${day}/${month}/${year}`;
}
