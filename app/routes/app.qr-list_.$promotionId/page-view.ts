import { toAssignedView } from "../../features/assignments/assigned-machines";
import type { EditFormFacts } from "../../features/promotions/form/edit-form";
import { lastDay } from "../../features/promotions/expiry-date";
import type { Promotion } from "../../features/promotions/promotion";
import type { PromotionDetails } from "../../features/promotions/form/promotion-details.server";
import { toPromotionView, describeRenewal } from "../../features/promotions/promotion-view";
import { statusReason } from "../../features/promotions/status-reason";
import { formatDateTime } from "../../format/date";

export type PageView = ReturnType<typeof toPageView>;

/** @param timeZone the site's IANA zone */
export function toPageView(details: PromotionDetails, timeZone: string) {
  const { promotion, version } = details;
  return {
    version,
    words: toPromotionView(promotion, timeZone),
    reason: statusReason(promotion, details, timeZone),
    created: formatDateTime(promotion.createdAt, timeZone),
    renews: describeRenewal(promotion.renewsAt, timeZone),
    assigned: toAssignedView(details),
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
