import { formatDate, formatDateTime } from "../../format/date";
import { formatNumber, formatShare } from "../../format/number";
import { formatDiscount, discountTypeLabels } from "../../format/promotion";
import { describeRenewal, describeValidity } from "../promotions/promotion-view";
import type { GenerationStatus, MassGeneration } from "./mass-generation.server";
import { defineList, type ListQuery } from "../../forms/list";
import { paths } from "../../paths";

export const generationStatusLabels: Record<GenerationStatus, string> = {
  deleted: "Deleted",
  expired: "Expired",
  not_assigned: "Not assigned",
  active: "Live",
};

export type GenerationView = ReturnType<typeof toGenerationView>;

/** @param used codes that were accepted at least once */
export function toGenerationView(generation: MassGeneration, used: number, timeZone: string) {
  const { id, name, numCodes, discountType, createdAt, status } = generation;
  return {
    id,
    name,
    status,
    numCodes,
    used: `${formatNumber(used)} of ${formatNumber(numCodes)}`,
    usedShare: formatShare(used, numCodes),
    discountType: discountTypeLabels[discountType],
    discount: formatDiscount(discountType, generation.discountValue),
    oneTime: generation.isSingleUse ? "Yes" : "No",
    renews: describeRenewal(generation.renewsAt, timeZone),
    validity: describeValidity(generation.expiresAt, timeZone),
    created: formatDate(createdAt, timeZone),
    createdAt: formatDateTime(createdAt, timeZone),
    createdBy: generation.createdBy,
  };
}

export const generationList = defineList({
  path: paths.generations,
  pageSizes: [10, 25, 50],
  sorts: { created: "descending", name: "ascending", codes: "descending" },
  defaultSort: { by: "created", isDescending: true },
});

export type GenerationSort = keyof typeof generationList.sorts;
export type GenerationListQuery = ListQuery<GenerationSort>;

/** Codes have one order: that in which they were made, which is that of the archive. */
export const codeList = defineList({
  pageSizes: [10, 25, 50],
  sorts: { made: "ascending" },
  defaultSort: { by: "made", isDescending: false },
});
