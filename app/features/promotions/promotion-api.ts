/** Promotions as the API reads and writes them, in snake case. */
import * as z from "zod/mini";
import { invalidFields } from "../../errors";
import { formatDateInput } from "../../forms/typed-date";
import { noTargets } from "../assignments/targets";
import { lastDay, parseApiDate, toApiDate } from "./expiry-date";
import type { Promotion, PromotionList } from "./promotion";
import { type NewPromotion, singleFormErrors, toNewPromotion } from "./form/promotion-forms";

/** Fields that both creating calls have, and the message for each. */
export const sharedMessages = {
  discount_type: "Choose percentage or free_drink",
  is_single_use: "is_single_use must be true or false",
  is_renewable: "is_renewable must be true or false",
  expiration_date: "Invalid date",
};

export const sharedBody = {
  discount_type: z.enum(["percentage", "free_drink"]),
  is_single_use: z._default(z.boolean(), false),
  is_renewable: z._default(z.boolean(), false),
  expiration_date: z._default(
    z.nullable(z.string().check(z.refine((text) => parseApiDate(text) !== null))),
    null,
  ),
};

/** Body of `POST /api/create_promotion`. */
export const createPromotionBody = {
  schema: z.strictObject({
    ...sharedBody,
    promotionName: z._default(z.string(), ""),
    discount: z._default(z.nullable(z.number()), null),
    machines: z._default(z.array(z.string()), []),
  }),
  messages: {
    ...sharedMessages,
    promotionName: "Name must be text",
    discount: "Discount must be a whole number",
    machines: "Machines must be a list of serial numbers",
  },
};

/** @throws DomainError invalid, with a message for each field */
export function toNewPromotionOfApi(
  { expiration_date, discount, ...rest }: z.infer<typeof createPromotionBody.schema>,
  today: string,
): NewPromotion {
  const values = {
    ...noTargets,
    ...rest,
    discount: numberInput(discount),
    expiration_date: dateInput(expiration_date),
  };
  const errors = singleFormErrors(values, today);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return toNewPromotion(values);
}

/** Formats a number as form fields hold it: text, empty if there is none. */
export function numberInput(number: number | null): string {
  return number === null ? "" : String(number);
}

/** Formats a date of the API as form fields hold it: DD/MM/YYYY. */
export function dateInput(apiDate: string | null): string {
  const date = apiDate === null ? null : parseApiDate(apiDate);
  return date === null ? "" : formatDateInput(date);
}

export function toApiPromotion(promotion: Promotion, timeZone: string) {
  const { expiresAt, massGenerationId } = promotion;
  return {
    id: Number(promotion.id),
    name: promotion.name,
    code: promotion.code,
    type: massGenerationId === null ? "single" : "mass",
    discount_type: promotion.discountType,
    discount_value: promotion.discountValue,
    creation_date: promotion.createdAt.toISOString(),
    expiration_date: expiresAt && toApiDate(lastDay(expiresAt, timeZone)),
    is_single_use: promotion.isSingleUse,
    is_renewable: promotion.isRenewable,
    is_active: promotion.isActive,
    is_deleted: promotion.isDeleted,
    activation_count: promotion.activationCount,
    remaining_uses: promotion.remainingUses,
    mass_generation_id: massGenerationId === null ? null : Number(massGenerationId),
    is_used: promotion.activationCount > 0,
    is_reusable: !promotion.isSingleUse,
    is_expired: promotion.isExpired,
    is_indefinite: expiresAt === null,
    status: promotion.status,
  };
}

/**
 * Writes a page of the list. `next` is for `after`. Beyond the last page the list is empty,
 * so that a client that counts pages comes to an end.
 * @param requestedPage as in the URL
 */
export function toApiPromotionList(list: PromotionList, requestedPage: number, timeZone: string) {
  const { promotions, perPage, next, isFallback } = list;
  return {
    promotions: isFallback
      ? []
      : promotions.map((promotion) => toApiPromotion(promotion, timeZone)),
    page: isFallback ? requestedPage : list.page,
    per_page: perPage,
    next: isFallback || next === null ? null : Number(next),
  };
}
