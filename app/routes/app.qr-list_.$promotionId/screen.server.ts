import { siteTimeZone } from "../../db/site.server";
import { promotionHistory } from "../../features/activity/audit-log.server";
import { toAssignedView } from "../../features/assignments/assigned-machines";
import { lastDay } from "../../features/promotions/expiry-date";
import type { EditFormFacts } from "../../features/promotions/form/promotion-forms";
import { mayReactivate } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import type { Promotion } from "../../features/promotions/promotion";
import { siteToday } from "../../features/promotions/promotion-sql.server";
import {
  describeDiscount,
  describeRenewal,
  describeValidity,
  toUseFigures,
  statusReason,
  toPromotionView,
} from "../../features/promotions/promotion-view";
import { getPromotionDetails } from "../../features/promotions/promotions.server";
import { codeActivity, codeFigures } from "../../features/redemptions/activity.server";
import { formatDateTime } from "../../format/date";
import { newForm } from "../../http/form-action.server";
import type { RouteArgs, Session } from "../../http/sessions.server";

/** Reads everything that the page of a promotion shows. */
export async function readPromotionPage(args: RouteArgs, { user, actor }: Session) {
  const timeZone = siteTimeZone();
  const [details, today] = await Promise.all([
    getPromotionDetails(args.params.promotionId ?? ""),
    siteToday(),
  ]);
  const { promotion, version } = details;
  const { id, status } = promotion;
  const [figures, activity, history, canReactivate] = await Promise.all([
    codeFigures(id),
    codeActivity(id, timeZone),
    promotionHistory(promotion, timeZone),
    details.isGenerationActive && status === "inactive" && mayReactivate("promotion", id, actor),
  ]);
  const isActive = status === "active";
  const isAdmin = user.role === "admin";
  const reason = statusReason(promotion, details, timeZone, { isAdmin, canReactivate });
  return {
    version,
    promotion: toPromotionView(promotion, timeZone),
    /** Why no machine accepts the code; null where one does. */
    problem: isActive && details.effective.count > 0 ? null : reason,
    created: formatDateTime(promotion.createdAt, timeZone),
    discount: describeDiscount(promotion),
    validity: describeValidity(promotion.expiresAt, timeZone),
    renews: describeRenewal(promotion.renewsAt, timeZone),
    assigned: toAssignedView(details, isActive),
    edit: editFacts(promotion, today, timeZone),
    figures: [
      ...toUseFigures(promotion),
      { name: "Discount given", value: figures.discount, note: figures.discountNote },
      { name: "Refused, 30 days", value: figures.refused },
    ],
    activity,
    history,
    isAdmin,
    canReactivate,
    ...newForm(args),
  };
}

/** @param today YYYY-MM-DD in the site's zone */
export function editFacts(
  { expiresAt, massGenerationId, isRenewable }: Promotion,
  today: string,
  timeZone: string,
): EditFormFacts {
  return {
    today,
    heldDay: expiresAt && lastDay(expiresAt, timeZone),
    hasName: massGenerationId === null,
    hasExpiration: !isRenewable,
    isOnlyExtended: false,
  };
}
