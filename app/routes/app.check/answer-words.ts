import { assignedWords } from "../../features/promotions/assigned-machines";
import type { PromotionDetails } from "../../features/promotions/promotion-details.server";
import {
  promotionWords,
  renewalWords,
  statusWords,
} from "../../features/promotions/promotion-words";
import { statusReason } from "../../features/promotions/status-reason";
import type { CodeCheck } from "../../features/redemptions/check-code.server";
import { refusalSentence } from "../../features/redemptions/why-refused";

export type VerdictWords = { isAccepted: boolean; sentence: string; machine: string | null };

/** What the machine would say now; null when none was named. */
export function verdictWords(
  { verdict, machine }: Pick<CodeCheck, "verdict" | "machine">,
  typedSerial: string,
): VerdictWords | null {
  if (verdict === null) return null;
  const serialNumber = machine?.serialNumber ?? typedSerial;
  const isAccepted = verdict === "accepted";
  return {
    isAccepted,
    sentence: isAccepted
      ? `Would be accepted at ${serialNumber} now`
      : `Would be refused at ${serialNumber} now: ${refusalSentence(verdict)}`,
    machine:
      machine && `${machine.humanName}${machine.isDeleted ? " (Deleted from SmartVend)" : ""}`,
  };
}

/** Everything about a code that somebody on the telephone asks for. */
export function answerWords(
  details: Pick<PromotionDetails, "promotion" | "machines" | "groups" | "effective">,
  timeZone: string,
) {
  const { promotion } = details;
  return {
    ...promotionWords(promotion, timeZone),
    statusWord: statusWords[promotion.status],
    reason: statusReason(promotion, details, timeZone),
    renews: renewalWords(promotion.renewsAt, timeZone),
    assigned: assignedWords(details),
  };
}
