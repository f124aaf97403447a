/** Days as people type them; in the product a day is text of the form YYYY-MM-DD. */

/** Null for days that no calendar has. */
export function isoDate(year: string, month: string, day: string): string | null {
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const date = new Date(`${iso}T00:00:00Z`);
  const isReal = Number(year) > 0 && !Number.isNaN(date.getTime());
  return isReal && date.toISOString().startsWith(iso) ? iso : null;
}

/**
 * DD/MM/YYYY, D/M/YYYY and DD/MM/YY (the year 20YY), with slashes, dots, dashes, spaces or, in
 * full length, nothing between. Null for anything else and for days that no calendar has.
 */
export function parseDateInput(text: string): string | null {
  const typed = text.length <= 30 ? text.trim() : "";
  const match =
    /^(\d{1,2}) ?[/.\- ] ?(\d{1,2}) ?[/.\- ] ?(\d{4}|\d{2})$/.exec(typed) ??
    /^(\d{2})(\d{2})(\d{4}|\d{2})$/.exec(typed);
  if (!match) return null;
  const [, day = "", month = "", year = ""] = match;
  return isoDate(year.length === 2 ? `20${year}` : year, month, day);
}

/** YYYY-MM-DD → DD/MM/YYYY */
export function formatDateInput(date: string): string {
  const [year, month, day] = date.split("-");
  return `${day}/${month}/${year}`;
}
