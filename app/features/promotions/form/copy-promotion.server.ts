/** Duplicating: the form of a new promotion, filled with the values of another. */
import { siteTimeZone } from "../../../db/site.server";
import { DomainError } from "../../../errors";
import { formatDateInput } from "../../../forms/typed-date";
import { formatCode } from "../../../format/promotion";
import type { Assigned } from "../../assignments/assigned";
import { type ChosenTargets, noTargets } from "../../assignments/target-lists";
import { assignedTargets, byField } from "../../assignments/targets";
import { readPromotionMachines } from "../manage-machines/assign-machines.server";
import { lastDay } from "../expiry-date";
import { getPromotion } from "../list/list-promotions.server";
import type { Promotion } from "../promotion";

/** A creating form that is filled from what there is already. */
export type FormPrefill = {
  /** Id of the source; null if it was not found. */
  id: string | null;
  /** Message that names the source and what was left out. */
  note: { kind: "info" | "warning"; text: string };
  /** The fields; the name is left blank. */
  values: Record<string, string | boolean> | null;
} & ChosenTargets;

type Settings = Pick<
  Promotion,
  "discountType" | "isSingleUse" | "isRenewable" | "expiresAt" | "isExpired"
>;

/**
 * @param id as it came in a URL; null where nothing is to be copied
 * @param what 'promotion', for the sentence when it is not found
 */
export async function prefillFrom(
  id: string | null,
  what: string,
  read: (id: string) => Promise<FormPrefill>,
): Promise<FormPrefill | null> {
  if (id === null) return null;
  try {
    return await read(id);
  } catch (error) {
    if (!(error instanceof DomainError) || error.reason !== "not_found") throw error;
    const text = `The ${what} to copy was not found. This form is empty.`;
    return { id: null, note: { kind: "warning", text }, values: null, ...noTargets };
  }
}

/** @param id as it came in a URL; null where nothing is to be copied */
export function copyPromotion(id: string | null): Promise<FormPrefill | null> {
  return prefillFrom(id, "promotion", async (promotionId) => {
    const [promotion, assigned] = await Promise.all([
      getPromotion(promotionId),
      readPromotionMachines(promotionId),
    ]);
    return prefillForm(promotion, assigned, {
      id: promotion.id,
      source: `${promotion.name} (${formatCode(promotion.code)})`,
      ownFields: { discount: String(promotion.discountValue) },
    });
  });
}

/**
 * Fills the fields that both creating forms share, and those that one form names differently.
 * @param source what it is filled from, in words
 */
export function prefillForm(
  { discountType, isSingleUse, isRenewable, expiresAt, isExpired }: Settings,
  assigned: Omit<Assigned, "effective">,
  { id, source, ownFields }: { id: string; source: string; ownFields: Record<string, string> },
): FormPrefill {
  const targets = assignedTargets(assigned);
  const omitted = [
    ...(isExpired ? ["its expiration date, which has passed"] : []),
    ...(targets.machine.some((machine) => machine.isDisabled)
      ? ["machines that are deleted from SmartVend"]
      : []),
  ];
  const notCopied = omitted.length > 0 ? ` Not copied: ${omitted.join(", ")}.` : "";
  return {
    id,
    note: {
      kind: "info",
      text: `A copy of ${source}: everything is filled in but the name.${notCopied}`,
    },
    values: {
      ...ownFields,
      discount_type: discountType,
      is_single_use: isSingleUse,
      is_renewable: isRenewable,
      expiration_date:
        expiresAt && !isExpired ? formatDateInput(lastDay(expiresAt, siteTimeZone())) : "",
    },
    ...byField(({ kind }) =>
      targets[kind].filter((target) => !target.isDisabled).map((target) => target.id),
    ),
  };
}
