/**
 * The status rule a second time, written for clarity instead of speed, as the oracle for the SQL that
 * the product uses.
 */
import type { PromotionStatus } from "../../app/features/promotions/promotion";

/** Everything that the status depends on. */
export type StatusFacts = {
  isDeleted: boolean;
  isActive: boolean;
  isAssigned: boolean;
  isRenewable: boolean;
  expiresAt: Date | null;
  startsAt: Date | null;
  /** null is no limit. */
  maxUses: number | null;
  /** The month that `periodUses` counts, yyyymm in the site's zone; 0 if nothing renews. */
  periodKey: number;
  periodUses: number;
};

/** @param timeZone the site's IANA zone */
export function promotionStatus(facts: StatusFacts, now: Date, timeZone: string): PromotionStatus {
  if (facts.isDeleted) return "deleted";
  if (!facts.isActive) return "inactive";
  if (facts.expiresAt !== null && facts.expiresAt <= now) return "expired";
  if (remainingUses(facts, now, timeZone) === 0) return "used_up";
  if (!facts.isAssigned) return "not_assigned";
  if (facts.startsAt !== null && facts.startsAt > now) return "scheduled";
  return "active";
}

/** Returns null for no limit. A renewable promotion starts every month with its full limit. */
export function remainingUses(
  { maxUses, isRenewable, periodKey, periodUses }: StatusFacts,
  now: Date,
  timeZone: string,
): number | null {
  if (maxUses === null) return null;
  // Not 'differs from': if the clock steps back, uses that were counted stay counted.
  const hasRenewed = isRenewable && periodKey < periodKeyAt(now, timeZone);
  return hasRenewed ? maxUses : maxUses - periodUses;
}

/** Formatters of months by time zone: making one costs more than a thousand uses. */
const monthFormats = new Map<string, Intl.DateTimeFormat>();

function monthFormat(timeZone: string): Intl.DateTimeFormat {
  let format = monthFormats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
      year: "numeric",
      month: "2-digit",
    });
    monthFormats.set(timeZone, format);
  }
  return format;
}

/** Returns the month of an instant in a zone as yyyymm. */
export function periodKeyAt(instant: Date, timeZone: string): number {
  const parts = monthFormat(timeZone).formatToParts(instant);
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? "";
  return Number(part("year") + part("month"));
}
