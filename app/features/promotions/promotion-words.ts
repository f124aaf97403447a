import { formatDate } from "../../format/date";
import { formatNumber } from "../../format/number";
import { formatCode, formatDiscount, formatUsesLeft } from "../../format/promotion";
import { describeExpiry, formatLastDay } from "./expiry-date";
import type { Promotion, PromotionStatus } from "./promotion";

export const statusWords: Record<PromotionStatus, string> = {
  deleted: "Deleted",
  inactive: "Inactive",
  expired: "Expired",
  used_up: "Used up",
  not_assigned: "Not assigned",
  active: "Active",
};

/** A promotion as a line of the list shows it, every value in words (core §2, §9). */
export type PromotionWords = ReturnType<typeof promotionWords>;

/** @param timeZone the site's IANA zone */
export function promotionWords(promotion: Promotion, timeZone: string) {
  const { discountType, expiresAt, renewsAt } = promotion;
  return {
    id: promotion.id,
    name: promotion.name,
    code: formatCode(promotion.code),
    /** Of its mass generation; null for a single promotion. */
    numberOfCodes: promotion.numberOfCodes,
    created: formatDate(promotion.createdAt, timeZone),
    isNew: promotion.isNew,
    type: promotion.massGenerationId ? "Mass Gen" : "Single",
    discountType: discountType === "percentage" ? "Percentage" : "Free drink",
    discount: formatDiscount(discountType, promotion.discountValue),
    expiration: expiresAt ? formatLastDay(expiresAt, timeZone) : "None",
    validity: expiresAt ? describeExpiry(expiresAt, timeZone) : "no expiration date",
    oneTime: promotion.isSingleUse ? "Yes" : "No",
    // When next: always the first of the coming month (rulings 3.3).
    renewable: renewsAt ? `Yes, ${formatDate(renewsAt, timeZone).slice(0, 6)}` : "No",
    used: formatNumber(promotion.activationCount),
    usesLeft: formatUsesLeft(promotion.remainingUses),
    status: promotion.status,
  };
}
