/** Duplicating: the form of a new promotion, filled with the values of another. */
import { siteTimeZone } from "../../db/site.server";
import { DomainError } from "../../errors";
import { formatCode } from "../../format/promotion";
import { readPromotionMachines } from "./assign-machines.server";
import { formatTypedDate, lastDay } from "./expiry-date";
import { getPromotion } from "./list-promotions.server";

export type PromotionCopy = {
  /** null where there is no such promotion. */
  source: { name: string; code: string } | null;
  /** Of the form 'Single QR Code'; the name is left blank. */
  values: Record<string, string | boolean> | null;
  machines: string[];
  /** What is left out, in words. */
  omitted: string[];
};

/**
 * @param id as it came in a URL; null where nothing is to be copied
 */
export async function copyPromotion(id: string | null): Promise<PromotionCopy | null> {
  if (id === null) return null;
  try {
    return await readPromotion(id);
  } catch (error) {
    if (!(error instanceof DomainError) || error.reason !== "not_found") throw error;
    return { source: null, values: null, machines: [], omitted: [] };
  }
}

async function readPromotion(id: string): Promise<PromotionCopy> {
  const [promotion, { machines, groups }] = await Promise.all([
    getPromotion(id),
    readPromotionMachines(id),
  ]);
  const { expiresAt, isExpired } = promotion;
  return {
    source: { name: promotion.name, code: formatCode(promotion.code) },
    values: {
      discount_type: promotion.discountType,
      discount: String(promotion.discountValue),
      is_single_use: promotion.isSingleUse,
      is_renewable: promotion.isRenewable,
      expiration_date:
        expiresAt && !isExpired ? formatTypedDate(lastDay(expiresAt, siteTimeZone())) : "",
    },
    machines: machines
      .filter((machine) => !machine.isDeleted)
      .map((machine) => machine.serialNumber),
    omitted: [
      ...(isExpired ? ["its expiration date, which has passed"] : []),
      ...(machines.some((machine) => machine.isDeleted)
        ? ["machines that are deleted from SmartVend"]
        : []),
      ...(groups.length > 0 ? ["machine groups"] : []),
    ],
  };
}
