/**
 * The rules of the form 'Single QR Code', for browser, screen and API alike. Free of
 * React and database; what only the database knows (machines, its clock) is checked on creation.
 */
import { nameError } from "../../../forms/storable-text";
import { parseDateInput } from "../../../forms/typed-date";
import { editValidator, formValidator } from "../../../forms/form-validator";
import {
  type FormSchema,
  formSchema,
  postedText,
  postedTexts,
  postedTick,
} from "../../../forms/validator";
import { dateError } from "../expiry-date";
import { targetErrors } from "../../assignments/target-errors";
import { byField, type TargetField } from "../../assignments/targets";
import type { DiscountType } from "../promotion";

const discountTypes: readonly string[] = ["percentage", "free_drink"] satisfies DiscountType[];

export type NewPromotion = {
  name: string;
  discountType: DiscountType;
  /** Percent, or a number of drinks. */
  discountValue: number;
  isSingleUse: boolean;
  isRenewable: boolean;
  /** The last valid day, YYYY-MM-DD in the site's zone; null never ends. */
  expirationDate: string | null;
} & Record<TargetField, string[]>;

/** The form as it is typed; the names are those of its fields and of the API. */
export type SingleFormValues = {
  promotionName: string;
  discount: string;
  discount_type: string;
  is_single_use: boolean;
  is_renewable: boolean;
  /** DD/MM/YYYY */
  expiration_date: string;
} & Record<TargetField, string[]>;

/** @param today YYYY-MM-DD in the site's zone */
export function singleFormErrors(values: SingleFormValues, today: string) {
  return onlyErrors({
    promotionName: nameError(values.promotionName),
    discount: discountError(values),
    discount_type: discountTypes.includes(values.discount_type)
      ? null
      : "Choose a percentage or free drinks",
    expiration_date: values.is_renewable ? null : dateError(values.expiration_date, today),
    ...targetErrors(values),
  });
}

export function onlyErrors<Field extends string>(
  messages: Partial<Record<Field, string | null>>,
): Partial<Record<Field, string>> {
  const errors = Object.entries(messages).filter(([, message]) => message !== null);
  return Object.fromEntries(errors) as Partial<Record<Field, string>>;
}

type DiscountFields = Pick<SingleFormValues, "discount" | "discount_type" | "is_single_use">;

function discountError({ discount, discount_type, is_single_use }: DiscountFields): string | null {
  const isFreeDrink = discount_type === "free_drink";
  const { name, min, max, limit } = isFreeDrink
    ? { name: "Number of free drinks", min: "1", max: "1,000", limit: 1_000 }
    : { name: "Percentage", min: "1%", max: "100%", limit: 100 };
  const text = discount.trim();
  // The field may stay empty: there is only one value it can have.
  if (isFreeDrink && is_single_use)
    return text === "" || /^0*1$/.test(text) ? null : `${name} must be 1 for single use`;
  if (text === "" || /^(-\d+|0+)$/.test(text)) return `${name} must be at least ${min}`;
  if (!/^\d+$/.test(text)) return `${name} must be a whole number`;
  return Number(text) > limit ? `${name} cannot exceed ${max}` : null;
}

/** For values without errors only. */
export function toNewPromotion(values: SingleFormValues): NewPromotion {
  const isForcedToOne = values.discount_type === "free_drink" && values.is_single_use;
  return {
    name: values.promotionName,
    discountType: values.discount_type as DiscountType,
    discountValue: isForcedToOne ? 1 : Number(values.discount),
    isSingleUse: values.is_single_use,
    isRenewable: values.is_renewable,
    expirationDate: values.is_renewable ? null : parseDateInput(values.expiration_date),
    ...byField(({ field }) => [...new Set(values[field])]),
  };
}

/** Fields that both promotion forms share. */
export const sharedFormFields = {
  discount_type: postedText,
  is_single_use: postedTick,
  is_renewable: postedTick,
  expiration_date: postedText,
  ...byField(() => postedTexts),
};

export const singleFormFields = {
  promotionName: postedText,
  discount: postedText,
  ...sharedFormFields,
};

/** @param today YYYY-MM-DD in the site's zone */
export function singleFormSchema(today: string) {
  return formSchema(singleFormFields, (values) => singleFormErrors(values, today), toNewPromotion);
}

/** The button that sends a creating form off; every other one only changes it. */
export const createIntent = "create";

/** Opens the form of the other kind with what is entered. */
export const switchIntent = "switch";
export const switchButtonId = "switch-form";

/** Names of the fields that both forms have under names of their own. */
const ownNames = [
  ["promotionName", "name"],
  ["discount", "discount_value"],
] as const;

/** Renames what was entered in one form to the fields of the other. */
export function toOtherForm(posted: FormData): Record<string, string> {
  const fields = Object.fromEntries(posted) as Record<string, string>;
  for (const [single, mass] of ownNames) {
    const [from, to] = single in fields ? [single, mass] : [mass, single];
    fields[to] = fields[from] ?? "";
  }
  return fields;
}

export function promotionFormValidator<Created>(fields: object, schema: FormSchema<Created>) {
  return formValidator(Object.keys(fields), schema, createIntent);
}

/** @param today YYYY-MM-DD in the site's zone */
export function singleFormValidator(today: string) {
  return promotionFormValidator(singleFormFields, singleFormSchema(today));
}

export type EditFormFacts = {
  /** YYYY-MM-DD in the site's zone. */
  today: string;
  /** The last valid day as it is now; null never ends. An unchanged one may have passed. */
  heldDay: string | null;
  /** A code of a mass generation keeps the generation's name. */
  hasName: boolean;
  /** A renewable promotion has none. */
  hasExpiration: boolean;
  /** The day may only be moved to a later one. */
  isOnlyExtended: boolean;
};

const editFormFields = { promotionName: postedText, expiration_date: postedText };

export function editFormValidator({
  today,
  heldDay,
  hasName,
  hasExpiration,
  isOnlyExtended,
}: EditFormFacts) {
  const dayError = (input: string) => {
    const day = parseDateInput(input);
    if (!hasExpiration || (day !== null && day === heldDay)) return null;
    const error = dateError(input, today);
    if (error !== null || !isOnlyExtended) return error;
    return day === null || day < heldDay! ? "An expiration can only be moved to a later day" : null;
  };
  return editValidator(
    editFormFields,
    ({ promotionName, expiration_date }) => ({
      promotionName: hasName ? nameError(promotionName) : null,
      expiration_date: dayError(expiration_date),
    }),
    ({ promotionName, expiration_date }) => ({
      name: hasName ? promotionName : null,
      expirationDate: hasExpiration ? parseDateInput(expiration_date) : null,
    }),
  );
}
