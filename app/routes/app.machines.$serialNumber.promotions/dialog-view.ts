import type { MachineDetails } from "../../features/machines/machines.server";
import type { MachinePromotionList } from "../../features/promotions/manage-machines/machine-promotions.server";
import { formatDateTime } from "../../format/date";
import { countOf, formatNumber } from "../../format/number";
import { formatCodes, formatDiscount } from "../../format/promotion";

export type DialogView = ReturnType<typeof toDialogView>;

/** Query parameter of the page in the dialog; `page` belongs to the list beneath. */
export const pageParameter = "promos_page";

export function toDialogView(
  { id, serialNumber, humanName, isDeleted, ...counted }: MachineDetails,
  { promotions, codes, ...paging }: MachinePromotionList,
  timeZone: string,
) {
  return {
    machine: { id, serialNumber, humanName, isDeleted },
    summary:
      codes === 0
        ? "This machine accepts no codes now."
        : `This machine accepts ${formatCodes(codes)} now, in ${countOf(paging.total, "campaign")}.`,
    counted: codes === counted.activePromotions ? "" : describeCount(counted, timeZone),
    rows: promotions.map((promotion) => ({
      key: `${promotion.kind}-${promotion.id}`,
      kind: promotion.kind,
      id: promotion.id,
      name: promotion.name,
      discount: formatDiscount(promotion.discountType, promotion.discountValue),
      singleUse: promotion.isSingleUse ? "Yes" : "No",
      codes: formatNumber(promotion.codes),
    })),
    ...paging,
  };
}

/** Explains a different number in the list: it was counted earlier. */
function describeCount(
  { activePromotions, countedAt }: Pick<MachineDetails, "activePromotions" | "countedAt">,
  timeZone: string,
): string {
  return countedAt === null
    ? "The list has not counted them yet."
    : `The list shows ${formatNumber(activePromotions)}, counted at ${formatDateTime(countedAt, timeZone)}.`;
}
