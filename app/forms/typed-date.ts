/** Days as people type them; in the product a day is text of the form YYYY-MM-DD. */

function isRealDate(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const lastDay = new Date(0);
  lastDay.setUTCFullYear(year, month, 0);
  return day <= lastDay.getUTCDate();
}

/** Null for days that no calendar has. */
export function isoDate(year: string, month: string, day: string): string | null {
  if (!isRealDate(Number(year), Number(month), Number(day))) return null;
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
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
