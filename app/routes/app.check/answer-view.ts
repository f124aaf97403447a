import type { Assigned } from "../../features/assignments/assigned";
import { toAssignedView } from "../../features/assignments/assigned-machines";
import type { PromotionDetails } from "../../features/promotions/form/promotion-details.server";
import {
  toPromotionView,
  describeRenewal,
  statusLabels,
} from "../../features/promotions/promotion-view";
import { statusReason } from "../../features/promotions/status-reason";
import type { CodeCheck } from "../../features/redemptions/check-code.server";
import { refusalMessage } from "../../features/redemptions/refusal-reason";

export type VerdictView = {
  isAccepted: boolean;
  sentence: string;
  machine: string | null;
  /** Suggests another machine when none has the serial number. */
  hint: string | null;
};

/** Returns what the machine would answer now, or null when none was named. */
export function toVerdictView(
  { verdict, machine, similarSerial }: Omit<CodeCheck, "promotion">,
  typedSerial: string,
): VerdictView | null {
  if (verdict === null) return null;
  const serialNumber = machine?.serialNumber ?? typedSerial;
  const isAccepted = verdict === "accepted";
  return {
    isAccepted,
    sentence: isAccepted
      ? `Would be accepted at ${serialNumber} now`
      : `Would be refused at ${serialNumber} now: ${refusalMessage(verdict)}`,
    machine:
      machine && `${machine.humanName}${machine.isDeleted ? " (Deleted from SmartVend)" : ""}`,
    hint:
      similarSerial &&
      `No machine has the serial number ${typedSerial}. Did you mean ${similarSerial}?`,
  };
}

/** Everything about a code that somebody on the telephone asks for. */
export function toAnswerView(
  details: Pick<PromotionDetails, "promotion" | keyof Assigned>,
  timeZone: string,
) {
  const { promotion } = details;
  return {
    ...toPromotionView(promotion, timeZone),
    statusWord: statusLabels[promotion.status],
    reason: statusReason(promotion, details, timeZone),
    renews: describeRenewal(promotion.renewsAt, timeZone),
    assigned: toAssignedView(details),
  };
}
