import { assignedWords } from "../../features/promotions/assigned-machines";
import type { EditFormFacts } from "../../features/promotions/edit-form";
import { lastDay } from "../../features/promotions/expiry-date";
import type { Promotion } from "../../features/promotions/promotion";
import type { PromotionDetails } from "../../features/promotions/promotion-details.server";
import { promotionWords, renewalWords } from "../../features/promotions/promotion-words";
import { statusReason } from "../../features/promotions/status-reason";
import { formatDateTime } from "../../format/date";

export type PageWords = ReturnType<typeof pageWords>;

/** @param timeZone the site's IANA zone */
export function pageWords(details: PromotionDetails, timeZone: string) {
  const { promotion, version } = details;
  return {
    version,
    words: promotionWords(promotion, timeZone),
    reason: statusReason(promotion, details, timeZone),
    created: formatDateTime(promotion.createdAt, timeZone),
    renews: renewalWords(promotion.renewsAt, timeZone),
    assigned: assignedWords(details),
  };
}

/** @param today YYYY-MM-DD in the site's zone */
export function editFacts(
  { name, expiresAt, massGenerationId, isRenewable }: Promotion,
  today: string,
  timeZone: string,
): EditFormFacts & { name: string } {
  return {
    name,
    today,
    heldDay: expiresAt && lastDay(expiresAt, timeZone),
    isSingle: massGenerationId === null,
    isRenewable,
  };
}
