/** The forms of test mode: a new test code, and a call that tries one. */
import * as z from "zod/mini";
import { choice, formRule, text, tick, trimmedText } from "../../forms/fields";
import { formValidator } from "../../forms/form-validator";
import { discountTypeLabels } from "../../format/promotion";
import { discountError } from "../promotions/form/promotion-forms";
import { testPurposes, type NewTestCode } from "./test-code";

const unlimitedMessage = "A percentage without one-time use has no limit, and is never used up";

const rules = {
  discount_type: choice(discountTypeLabels, "Choose a percentage or free drinks"),
  discount_value: text,
  is_single_use: tick,
  purpose: choice(testPurposes, "Choose what the code is for"),
};

const testCodeSchema = z.object(rules).check(
  formRule("discount_value", ["discount_type", "is_single_use"], discountError),
  formRule<z.infer<z.ZodMiniObject<typeof rules>>>(
    "purpose",
    ["discount_type", "is_single_use"],
    ({ purpose, discount_type, is_single_use }) =>
      purpose === "used_up" && discount_type === "percentage" && !is_single_use
        ? unlimitedMessage
        : null,
  ),
);

/** A free drink of single use may leave its number out. */
export const newTestCode = z.pipe(
  testCodeSchema,
  z.transform(({ discount_type, discount_value, is_single_use, purpose }): NewTestCode => ({
    discountType: discount_type,
    discountValue: Number(discount_value.trim() || 1),
    isSingleUse: is_single_use,
    purpose,
  })),
);

export const testCodeValidator = formValidator(newTestCode);

export const testCalls = {
  redeem: "Redeem",
  check: "Check",
  rollback: "Roll back",
};

/** Any value may be sent: what is wrong with it, the answer says. */
export const testCallValidator = formValidator(
  z.object({
    call: choice(testCalls, "Choose a call"),
    code: trimmedText,
    machine: trimmedText,
    price: trimmedText,
    redemption_id: trimmedText,
  }),
);
