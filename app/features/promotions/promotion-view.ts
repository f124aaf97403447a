import { formatDate } from "../../format/date";
import { formatNumber } from "../../format/number";
import { formatCode, formatDiscount, formatUsesLeft } from "../../format/promotion";
import { describeExpiry, formatLastDay } from "./expiry-date";
import type { DiscountType, Promotion, PromotionStatus } from "./promotion";

export const statusLabels: Record<PromotionStatus, string> = {
  deleted: "Deleted",
  inactive: "Inactive",
  expired: "Expired",
  used_up: "Used up",
  not_assigned: "Not assigned",
  active: "Active",
};

export const discountTypeLabels: Record<DiscountType, string> = {
  percentage: "Percentage",
  free_drink: "Free drink",
};

/** A promotion as a line of the list shows it, every value in words (core §2, §9). */
export type PromotionView = ReturnType<typeof toPromotionView>;

/** @param timeZone the site's IANA zone */
export function toPromotionView(promotion: Promotion, timeZone: string) {
  const { discountType, expiresAt, renewsAt } = promotion;
  return {
    id: promotion.id,
    name: promotion.name,
    code: formatCode(promotion.code),
    /** Of its mass generation; null for a single promotion. */
    massGenerationId: promotion.massGenerationId,
    numberOfCodes: promotion.numberOfCodes,
    created: formatDate(promotion.createdAt, timeZone),
    isNew: promotion.isNew,
    type: promotion.massGenerationId ? "Mass Gen" : "Single",
    discountType: discountTypeLabels[discountType],
    discount: formatDiscount(discountType, promotion.discountValue),
    expiration: expiresAt ? formatLastDay(expiresAt, timeZone) : "None",
    validity: describeValidity(expiresAt, timeZone),
    oneTime: promotion.isSingleUse ? "Yes" : "No",
    // When next: always the first of the coming month (rulings 3.3).
    renewable: renewsAt ? `Yes, ${formatDate(renewsAt, timeZone).slice(0, 6)}` : "No",
    used: formatNumber(promotion.activationCount),
    usesLeft: formatUsesLeft(promotion.remainingUses),
    status: promotion.status,
  };
}

/** 'On the first day of each month, next on 01.12.2026', or 'No'. */
export function describeRenewal(renewsAt: Date | null, timeZone: string): string {
  return renewsAt
    ? `On the first day of each month, next on ${formatDate(renewsAt, timeZone)}`
    : "No";
}

/** 'valid until …', or that it has no end. */
export function describeValidity(expiresAt: Date | null, timeZone: string): string {
  return expiresAt ? describeExpiry(expiresAt, timeZone) : "no expiration date";
}
