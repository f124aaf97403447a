import { isoDate, splitDate } from "./date-input";

/** Says why `parseDateInput` can't read a text, which should have a format. */
export function explainDate(text: string, format = "DD/MM/YYYY"): string {
  const [year, month, day] = splitDate(text) ?? ["", "", ""];
  if (!isoDate(year, month, "1")) return `Invalid date. Enter it as ${format}`;
  // 'Sun, 28 Feb 2027 00:00:00 GMT'
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).toUTCString();
  const date = format.replace("YYYY", year).replace("MM", month).replace("DD", day);
  return `Invalid date. ${date} doesn't exist: ${last.slice(8, 16)} has ${last.slice(5, 7)} days`;
}
