/**
 * The rules of the form 'Mass Generation', for browser, screen and API alike: those of
 * the single form under the names of the API, and the number of codes. Free of React and database.
 */
import { formSchema, postedText } from "../../forms/validator";
import { formatNumber } from "../../format/number";
import {
  type NewPromotion,
  onlyErrors,
  promotionFormValidator,
  sharedFormFields,
  singleFormErrors,
  type SingleFormValues,
  toNewPromotion,
} from "../promotions/form/promotion-forms";

/** The form as it is typed; the names are those of its fields and of the API. */
export type MassFormValues = Omit<SingleFormValues, "promotionName" | "discount"> & {
  name: string;
  num_codes: string;
  discount_value: string;
};

export type MassFormBounds = {
  /** YYYY-MM-DD in the site's zone. */
  today: string;
  /** Codes in one generation (`MAX_CODES`). */
  maxCodes: number;
};

/** Returns the messages about a form, by field. */
export function massFormErrors(values: MassFormValues, { today, maxCodes }: MassFormBounds) {
  const { promotionName, discount, ...same } = singleFormErrors(asSingle(values), today);
  return onlyErrors<keyof MassFormValues>({
    name: promotionName ?? null,
    num_codes: numCodesError(values.num_codes, maxCodes),
    discount_value: discount ?? null,
    ...same,
  });
}

/** Refuses anything but a whole number (RULES P1). */
function numCodesError(numCodes: string, maxCodes: number): string | null {
  const input = numCodes.trim();
  if (input === "" || /^(-\d+|0+)$/.test(input)) return "Number of codes must be at least 1";
  if (!/^\d+$/.test(input)) return "Number of codes must be a whole number";
  if (Number(input) <= maxCodes) return null;
  return `Number of codes cannot exceed ${formatNumber(maxCodes)}`;
}

function asSingle({ name, discount_value, ...same }: MassFormValues): SingleFormValues {
  return { ...same, promotionName: name, discount: discount_value };
}

/** For values without errors only. */
export function toNewMassGeneration(values: MassFormValues): NewMassGeneration {
  return { ...toNewPromotion(asSingle(values)), numCodes: Number(values.num_codes) };
}

const massFormFields = {
  name: postedText,
  num_codes: postedText,
  discount_value: postedText,
  ...sharedFormFields,
};

export function massFormSchema(bounds: MassFormBounds) {
  return formSchema(
    massFormFields,
    (values) => massFormErrors(values, bounds),
    toNewMassGeneration,
  );
}

/** Input of a mass generation: one promotion, many codes. */
export type NewMassGeneration = NewPromotion & { numCodes: number };

export function massFormValidator(bounds: MassFormBounds) {
  return promotionFormValidator(massFormFields, massFormSchema(bounds));
}
