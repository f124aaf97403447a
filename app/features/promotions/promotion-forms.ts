/**
 * The rules of the form 'Single QR Code' (core §5), for browser, screen and API alike. Free of
 * React and database; what only the database knows (machines, its clock) is checked on creation.
 */
import * as z from "zod/mini";
import { parseRecordId } from "../../forms/record-id";
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import { parseTypedDate } from "../../forms/typed-date";
import { typedDateError } from "./expiry-date";
import type { DiscountType } from "./promotion";

export const longestName = 200;
export const mostFreeDrinks = 1_000;
export const mostMachines = 2_000;
export const mostGroups = 500;

const discountTypes: readonly string[] = ["percentage", "free_drink"] satisfies DiscountType[];

/** What is to be created. */
export type NewPromotion = {
  name: string;
  discountType: DiscountType;
  /** Percent, or a number of drinks. */
  discountValue: number;
  isSingleUse: boolean;
  isRenewable: boolean;
  /** The last valid day, YYYY-MM-DD in the site's zone; null never ends. */
  expirationDate: string | null;
  /** Serial numbers. */
  machines: string[];
  /** Ids of machine groups. */
  groups: string[];
};

/** The form as it is typed; the names are those of its fields and of the API (core §3). */
export type SingleFormValues = {
  promotionName: string;
  discount: string;
  discount_type: string;
  is_single_use: boolean;
  is_renewable: boolean;
  /** DD/MM/YYYY */
  expiration_date: string;
  machines: string[];
  /** Ids of machine groups. */
  groups: string[];
};

export type SingleFormErrors = Partial<Record<keyof SingleFormValues, string>>;

/**
 * Every sentence that the form deserves, by field.
 * @param today YYYY-MM-DD in the site's zone
 */
export function singleFormErrors(values: SingleFormValues, today: string): SingleFormErrors {
  const found: Record<keyof SingleFormValues, string | null> = {
    promotionName: nameError(values.promotionName),
    discount: discountError(values),
    discount_type: discountTypes.includes(values.discount_type)
      ? null
      : "Choose a percentage or free drinks",
    is_single_use: null,
    is_renewable: null,
    expiration_date: values.is_renewable ? null : typedDateError(values.expiration_date, today),
    machines: machinesError(values.machines),
    groups: groupsError(values.groups),
  };
  return onlyErrors(found);
}

/** Sentences by field, without the fields that have none. */
export function onlyErrors<Field extends string>(
  found: Partial<Record<Field, string | null>>,
): Partial<Record<Field, string>> {
  const errors = Object.entries(found).filter(([, sentence]) => sentence !== null);
  return Object.fromEntries(errors) as Partial<Record<Field, string>>;
}

export function nameError(name: string): string | null {
  if (name.trim() === "") return "Name is required";
  if (isLongerThan(name, longestName)) return `Name cannot exceed ${longestName} characters`;
  if (!isStorableText(name)) return "Name contains characters that cannot be stored";
  return null;
}

type DiscountFields = Pick<SingleFormValues, "discount" | "discount_type" | "is_single_use">;

function discountError({ discount, discount_type, is_single_use }: DiscountFields): string | null {
  const isFreeDrink = discount_type === "free_drink";
  const typed = discount.trim();
  if (isFreeDrink && is_single_use) {
    // The field may stay empty: there is only one value it can have.
    return typed === "" || isOne(typed) ? null : "Number of free drinks must be 1 for single use";
  }
  if (typed === "" || /^(-\d+|0+)$/.test(typed)) {
    return isFreeDrink
      ? "Number of free drinks must be at least 1"
      : "Percentage must be at least 1%";
  }
  if (!/^\d+$/.test(typed)) {
    return isFreeDrink
      ? "Number of free drinks must be a whole number"
      : "Percentage must be a whole number";
  }
  if (isFreeDrink) {
    return Number(typed) > mostFreeDrinks ? "Number of free drinks cannot exceed 1,000" : null;
  }
  return Number(typed) > 100 ? "Percentage cannot exceed 100%" : null;
}

function isOne(typed: string): boolean {
  return /^0*1$/.test(typed);
}

function machinesError(machines: string[]): string | null {
  if (machines.length > mostMachines) return "No more than 2,000 machines can be chosen";
  if (machines.every((serial) => isStorableText(serial) && !isLongerThan(serial, 100))) return null;
  return "A serial number is not valid";
}

export function groupsError(groups: readonly string[]): string | null {
  if (groups.length > mostGroups) return `No more than ${mostGroups} groups can be chosen`;
  return groups.every((id) => parseRecordId(id) !== null) ? null : "A group is not valid";
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
    expirationDate: values.is_renewable ? null : parseTypedDate(values.expiration_date),
    machines: [...new Set(values.machines)],
    groups: [...new Set(values.groups)],
  };
}

// A field that is posted twice, or as a file, is nobody's form: it is refused, not guessed.
export const postedText = z._default(z.string(), "");
const ticked = z.pipe(
  z.optional(z.string()),
  z.transform((value) => value !== undefined && value !== ""),
);
const severalTexts = z.pipe(
  z._default(z.union([z.string(), z.array(z.string())]), []),
  z.transform((value) => (typeof value === "string" ? [value] : value)),
);

/** What both forms of a promotion post alike. An unticked box is missing, one machine is no list. */
export const sharedFormFields = {
  discount_type: postedText,
  is_single_use: ticked,
  is_renewable: ticked,
  expiration_date: postedText,
  machines: severalTexts,
  groups: severalTexts,
};

export const singleFormFields = {
  promotionName: postedText,
  discount: postedText,
  ...sharedFormFields,
};

/**
 * Posted fields → what is to be created. Issues carry the field as path and one sentence each.
 * Fields that are not named (`_once`, the selector's search) are dropped.
 */
export function creatingFormSchema<Values extends object, Created>(
  fields: { [Field in keyof Values]: z.ZodMiniType<Values[Field]> },
  errorsOf: (values: Values) => Partial<Record<keyof Values, string>>,
  toCreated: (values: Values) => Created,
) {
  return z.pipe(
    z.object(fields),
    z.transform((posted, context): Created => {
      const values = posted as Values;
      const errors = Object.entries(errorsOf(values)) as [string, string][];
      for (const [field, message] of errors) {
        context.issues.push({ code: "custom", message, path: [field], input: values });
      }
      return errors.length > 0 ? z.NEVER : toCreated(values);
    }),
  );
}

/** @param today YYYY-MM-DD in the site's zone */
export function singleFormSchema(today: string) {
  return creatingFormSchema(
    singleFormFields,
    (values: SingleFormValues) => singleFormErrors(values, today),
    toNewPromotion,
  );
}
