/** Months that are archived as a whole, in UTC. */
import { monthNames } from "../reports/period-texts";

/** How many full months stay at hand at least, after the one that is archived. */
export const minMonthsAtHand = 13;

/** @param month as YYYY-MM */
export function monthName(month: string): string {
  return `${monthNames[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
}

/** Returns another month as YYYY-MM. */
export function addMonths(month: string, months: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months;
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`;
}

export function isMonth(text: string): boolean {
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(text);
}

export const monthOf = (instant: Date) => instant.toISOString().slice(0, 7);
