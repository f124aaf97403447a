import { formatDate, formatDateTime } from "../../format/date";
import { formatNumber, formatShare } from "../../format/number";
import { formatDiscount } from "../../format/promotion";
import { discountTypeWords, renewalWords, validityWords } from "../promotions/promotion-words";
import type { GenerationStatus, MassGeneration } from "./mass-generation-rows.server";

export const generationStatusWords: Record<GenerationStatus, string> = {
  deleted: "Deleted",
  expired: "Expired",
  not_assigned: "Not assigned",
  active: "Live",
};

/** A mass generation as screens show it, every value in words (core §2, §9). */
export type GenerationWords = ReturnType<typeof generationWords>;

/**
 * @param used codes that were accepted at least once
 * @param timeZone the site's IANA zone
 */
export function generationWords(generation: MassGeneration, used: number, timeZone: string) {
  const { id, name, numCodes, discountType, createdAt, status } = generation;
  return {
    id,
    name,
    status,
    numCodes,
    used: `${formatNumber(used)} of ${formatNumber(numCodes)}`,
    usedShare: formatShare(used, numCodes),
    discountType: discountTypeWords[discountType],
    discount: formatDiscount(discountType, generation.discountValue),
    oneTime: generation.isSingleUse ? "Yes" : "No",
    renews: renewalWords(generation.renewsAt, timeZone),
    validity: validityWords(generation.expiresAt, timeZone),
    created: formatDate(createdAt, timeZone),
    createdAt: formatDateTime(createdAt, timeZone),
    createdBy: generation.createdBy,
  };
}
