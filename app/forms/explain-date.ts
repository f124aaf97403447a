import { isoDate, splitDate } from "./typed-date";

const inMonths = { month: "long", year: "numeric", timeZone: "UTC" } as const;

/** Says why `parseDateInput` can't read a text. */
export function explainDate(text: string): string {
  const parts = splitDate(text);
  if (!parts || !Number(parts[0])) return "Invalid date. Enter it as DD/MM/YYYY";
  const [year, month, day] = parts;
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0));
  const reason = isoDate(year, month, "1")
    ? `${lastDay.toLocaleDateString("en", inMonths)} has ${lastDay.getUTCDate()} days`
    : "a year has 12 months";
  return `Invalid date. ${day}/${month}/${year} doesn't exist: ${reason}`;
}
