export type DiscountType = "percentage" | "free_drink";

/** rulings 3.4, in this order: the first that holds is the status. */
export const promotionStatuses = [
  "deleted",
  "inactive",
  "expired",
  "used_up",
  "not_assigned",
  "active",
] as const;
export type PromotionStatus = (typeof promotionStatuses)[number];

export type Promotion = {
  id: string;
  name: string;
  /** 12 characters, no dashes. */
  code: string;
  massGenerationId: string | null;
  /** Of its mass generation; null for a single promotion. */
  numberOfCodes: number | null;
  discountType: DiscountType;
  /** Percent, or a number of drinks. */
  discountValue: number;
  isSingleUse: boolean;
  isRenewable: boolean;
  isActive: boolean;
  isDeleted: boolean;
  isAssigned: boolean;
  isExpired: boolean;
  createdAt: Date;
  /** core §9: created within 7 days. */
  isNew: boolean;
  /** Exclusive: the start of the local day after the last valid one (rulings 3.9). */
  expiresAt: Date | null;
  /** When a renewable one gets its limit back: the first of next month, 00:00 in the site's zone. */
  renewsAt: Date | null;
  activationCount: number;
  /** null is 'Unlimited'; of a renewable one, what is left this month. */
  remainingUses: number | null;
  status: PromotionStatus;
};

/** One page of promotions. */
export type PromotionList = {
  promotions: Promotion[];
  /** Exact up to 10,000; capped, there are more. */
  total: { count: number; isCapped: boolean };
  page: number;
  perPage: number;
  /** Cursors for `after` and `before`; null at the ends. */
  next: string | null;
  previous: string | null;
  /** What was asked for has no rows (any more): this is the nearest page. */
  isFallback: boolean;
};

/** What the status depends on. */
export type StatusFacts = {
  isDeleted: boolean;
  isActive: boolean;
  isAssigned: boolean;
  isRenewable: boolean;
  expiresAt: Date | null;
  /** null is without limit. */
  maxUses: number | null;
  /** The month that `periodUses` counts, yyyymm in the site's zone; 0 where nothing renews. */
  periodKey: number;
  periodUses: number;
};

/**
 * The status rule (rulings 3.4). `statusSql` in promotion-rows.server.ts is its twin in SQL; a
 * test holds the two together.
 * @param timeZone the site's IANA zone
 */
export function promotionStatus(facts: StatusFacts, now: Date, timeZone: string): PromotionStatus {
  if (facts.isDeleted) return "deleted";
  if (!facts.isActive) return "inactive";
  if (facts.expiresAt !== null && facts.expiresAt <= now) return "expired";
  if (remainingUses(facts, now, timeZone) === 0) return "used_up";
  if (!facts.isAssigned) return "not_assigned";
  return "active";
}

/** null is without limit. A renewable promotion starts every month with its full limit (rulings 3.3). */
export function remainingUses(
  { maxUses, isRenewable, periodKey, periodUses }: StatusFacts,
  now: Date,
  timeZone: string,
): number | null {
  if (maxUses === null) return null;
  // Not 'differs from': should the clock step back, a month that was counted stays counted.
  const hasRenewed = isRenewable && periodKey < periodKeyAt(now, timeZone);
  return hasRenewed ? maxUses : maxUses - periodUses;
}

/** The month of an instant in a zone, yyyymm. */
export function periodKeyAt(instant: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
  }).formatToParts(instant);
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? "";
  return Number(part("year") + part("month"));
}
