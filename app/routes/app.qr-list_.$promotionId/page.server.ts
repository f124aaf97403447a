import type { LoaderFunctionArgs } from "@remix-run/node";
import { siteTimeZone, siteToday } from "../../db/site.server";
import { describeCapsOf } from "../../features/caps/caps.server";
import { promotionHistory } from "../../features/activity/audit-log.server";
import { archivedNote } from "../../features/archived-months/archived-note.server";
import { toAssignedView } from "../../features/assignments/assigned-machines";
import { promotionEditFacts } from "../../features/promotions/form/edit-promotion.server";
import { toTimesInput } from "../../features/promotions/form/times-form.server";
import { mayReactivate } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import {
  describeCreation,
  isMachineMissing,
  printedTerms,
  statusReason,
  toFacts,
  toPromotionView,
  toUseFigures,
} from "../../features/promotions/promotion-view";
import { getPromotionDetails, type CodeLink } from "../../features/promotions/promotions.server";
import { toCampaignTimes } from "../../features/promotions/schedule";
import { codeActivity, codeFigures, maxEvents } from "../../features/redemptions/activity.server";
import { codeFor } from "../../features/sign-in/masked";
import { canEdit } from "../../features/sign-in/user";
import { formatCode } from "../../format/promotion";
import { codeEndLength } from "../../forms/code-input";
import { paths } from "../../paths";
import type { Session } from "../../http/sessions.server";

export async function readPage({ params }: LoaderFunctionArgs, { user, actor }: Session) {
  const timeZone = siteTimeZone();
  const [details, today] = await Promise.all([
    getPromotionDetails(params.promotionId ?? ""),
    siteToday(),
  ]);
  const { promotion, version } = details;
  const { id, status } = promotion;
  const [figures, activity, history, canReactivate, caps, archived] = await Promise.all([
    codeFigures(id),
    codeActivity(id),
    promotionHistory(promotion, { hasCodes: canEdit(user) }),
    details.isGenerationActive &&
      status === "inactive" &&
      mayReactivate({ type: "promotion", id }, actor),
    describeCapsOf({ type: "promotion", id }),
    archivedNote(promotion.createdAt),
  ]);
  const isSummed = promotion.massGenerationId === null;
  const isActive = status === "active";
  const isAdmin = user.role === "admin";
  const remedies = canEdit(user) ? { isAdmin, canReactivate } : undefined;
  const reason = statusReason(promotion, details, timeZone, remedies);
  const link = (code: CodeLink | null) =>
    code && { id: code.id, code: formatCode(codeFor(user, code.code)) };
  return {
    version,
    promotion: toPromotionView(promotion, timeZone, user),
    /** The reason why no machine accepts the code now; null where one does. */
    problem:
      isActive && details.effective.count > 0 && promotion.times?.isOpen !== false
        ? caps.reached
        : reason,
    created: describeCreation({ ...promotion, createdBy: details.createdBy }, timeZone),
    facts: Object.entries({ ...toFacts(promotion, timeZone), Caps: caps.text }),
    assigned: toAssignedView(details, isActive),
    printed:
      printedTerms +
      (promotion.massGenerationId === null
        ? ""
        : " Name, start and hours are those of its campaign."),
    edit: promotionEditFacts(promotion, today),
    editTimes: toTimesInput(toCampaignTimes(promotion.times)),
    figures: [
      ...toUseFigures(promotion),
      {
        name: "Discount given",
        value: figures.discount,
        note: figures.discountNote || (isSummed ? "" : (archived ?? "")),
      },
      { name: "Refused, 30 days", value: figures.refused },
    ],
    activity,
    archived: activity.length < maxEvents ? archived : null,
    /** A viewer finds them by the end of the code. */
    transactions: paths.transactionsOfCode(
      canEdit(user) ? formatCode(promotion.code) : promotion.code.slice(-codeEndLength),
    ),
    history,
    isMachineMissing: isMachineMissing(status, details),
    isAdmin,
    canReactivate,
    canDeactivateAll: details.isGenerationActive && status !== "deleted",
    replaces: link(details.replaces),
    replacement: link(details.replacement),
  };
}
