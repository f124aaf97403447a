/**
 * The rules of the form 'Mass Generation', for browser, screen and API alike: those of
 * the single form under the names of the API, and the number of codes. Free of React and database.
 */
import * as z from "zod/mini";
import { formRule, wholeNumber } from "../../forms/fields";
import { formValidator } from "../../forms/form-validator";
import {
  createIntent,
  discountError,
  expirationRule,
  fieldRules,
  noToday,
  type NewPromotion,
  type PromotionInput,
  toNewPromotion,
} from "../promotions/form/promotion-forms";

type MassFormBounds = {
  /** YYYY-MM-DD in the site's zone. */
  today: string;
  /** Codes in one generation (`MAX_CODES`). */
  maxCodes: number;
};

/** For rules that are checked where the idempotency key is. */
export const noBounds: MassFormBounds = { today: noToday, maxCodes: Infinity };

export type NewMassGeneration = NewPromotion & { numCodes: number };
type MassGenerationInput = PromotionInput & { numCodes: number };

export function massFormSchema({ today, maxCodes }: MassFormBounds) {
  const { name, ...same } = fieldRules;
  const num_codes = wholeNumber("Number of codes", maxCodes);
  return z.pipe(
    z
      .object({ name, num_codes, ...same })
      .check(
        formRule("discount_value", ["discount_value", "is_single_use"], discountError),
        expirationRule(today),
      ),
    z.transform(({ num_codes: numCodes, ...values }): MassGenerationInput => ({
      ...toNewPromotion(values),
      numCodes,
    })),
  );
}

export function massFormValidator(bounds: MassFormBounds) {
  return formValidator(massFormSchema(bounds), createIntent);
}
