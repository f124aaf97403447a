/**
 * The rules of the forms that create and edit promotions, for browser, screen and API alike. Free of
 * React and database; what only the database knows (machines, its clock) is checked on creation.
 */
import * as z from "zod/mini";
import { editValidator, formValidator } from "../../../forms/form-validator";
import {
  choice,
  fieldError,
  formRule,
  nameText,
  rule,
  text,
  tick,
  wholeNumber,
} from "../../../forms/fields";
import { discountTypeLabels } from "../../../format/promotion";
import { parseDateInput } from "../../../forms/date-input";
import { targetTexts } from "../../assignments/target-errors";
import type { TargetField } from "../../assignments/targets";
import type { Caps } from "../../caps/cap";
import type { CodePattern } from "../code";
import { dateError } from "../expiry-date";
import type { PromotionField } from "../promotion-fields";
import type { CampaignTimes } from "../schedule";
import { timesTexts } from "./times-form";
import { termTexts, type TermsInput } from "./terms-input";

/** Each field as it is typed; what depends on other fields is checked by `formRules`. */
export const fieldRules = {
  name: nameText(200, text),
  discount_value: text,
  discount_type: choice(discountTypeLabels, "Choose a percentage or free drinks"),
  is_single_use: tick,
  is_renewable: tick,
  /** DD/MM/YYYY */
  expiration_date: text,
  ...termTexts,
  ...targetTexts,
} satisfies Record<Exclude<PromotionField, "schedule" | "caps"> | TargetField, z.ZodMiniType>;

type FormValues = z.infer<z.ZodMiniObject<typeof fieldRules>>;

const percentage = wholeNumber("Percentage", 100, "%");
const freeDrinks = wholeNumber("Number of free drinks", 1_000);

export function discountError({
  discount_value,
  discount_type,
  is_single_use,
}: Pick<FormValues, "discount_value" | "discount_type" | "is_single_use">): string | null {
  if (discount_type !== "free_drink") return fieldError(percentage, discount_value);
  if (!is_single_use) return fieldError(freeDrinks, discount_value);
  // The field may stay empty: there is only one value it can have.
  const isOne = /^(|0*1)$/.test(discount_value.trim());
  return isOne ? null : "Number of free drinks must be 1 for single use";
}

/**
 * Stands for today where a date is checked behind the idempotency key: the same request may come again after its day has
 * passed, and gets the first answer.
 */
export const noToday = "0001-01-01";

/** @param today YYYY-MM-DD in the site's zone */
export function expirationRule(today: string) {
  return formRule<Pick<FormValues, "expiration_date" | "is_renewable">>(
    "expiration_date",
    ["expiration_date"],
    ({ expiration_date, is_renewable }) =>
      is_renewable ? null : dateError(expiration_date, today),
  );
}

/** A promotion as its form sends it: the fields that are named here differ from those of the form. */
export type PromotionInput = ReturnType<typeof toNewPromotion>;

/** A promotion to be created. */
export type NewPromotion = Omit<PromotionInput, keyof TermsInput> &
  CampaignTimes & { caps?: Caps; codePattern?: CodePattern };

export function toNewPromotion({
  name,
  discount_type: discountType,
  discount_value,
  is_single_use: isSingleUse,
  is_renewable: isRenewable,
  expiration_date,
  ...others
}: FormValues) {
  const isForcedToOne = discountType === "free_drink" && isSingleUse;
  return {
    name,
    discountType,
    /** Percent, or a number of drinks. */
    discountValue: isForcedToOne ? 1 : Number(discount_value),
    isSingleUse,
    isRenewable,
    /** The last valid day, YYYY-MM-DD in the site's zone; null never ends. */
    expirationDate: isRenewable ? null : parseDateInput(expiration_date),
    ...others,
  };
}

/** @param today YYYY-MM-DD in the site's zone */
export function singleFormSchema(today: string) {
  const { name: promotionName, discount_value: discount, ...same } = fieldRules;
  return z.pipe(
    z.object({ promotionName, discount, ...same }).check(
      formRule("discount", ["discount", "is_single_use"], (values) =>
        discountError({ ...values, discount_value: values.discount }),
      ),
      expirationRule(today),
    ),
    z.transform(({ promotionName: name, discount: discount_value, ...values }) =>
      toNewPromotion({ ...values, name, discount_value }),
    ),
  );
}

/** The button that sends a creating form off; every other one only changes it. */
export const createIntent = "create";

/** Opens the form of the other kind with what is entered. */
export const switchIntent = "switch";
export const switchButtonId = "switch-form";

/** @param today YYYY-MM-DD in the site's zone */
export function singleFormValidator(today: string) {
  return formValidator(singleFormSchema(today), createIntent);
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
  /** Rejects a day before the held one, and none; null where they may be chosen. */
  earlierDayError: string | null;
  /** Whether it has a start and hours of its own; a code of a mass generation has the generation's. */
  hasTimes: boolean;
};

export const onlyLaterDay = "An expiration can only be moved to a later day";

export function editFormValidator(facts: EditFormFacts) {
  const { today, heldDay, hasName, hasExpiration, earlierDayError, hasTimes } = facts;
  const dayError = (input: string) => {
    const day = parseDateInput(input);
    if (!hasExpiration || (day !== null && day === heldDay)) return null;
    return dateError(input, today) ?? (day === null || day < heldDay! ? earlierDayError : null);
  };
  return editValidator(
    z.pipe(
      z.object({
        promotionName: hasName ? fieldRules.name : text,
        expiration_date: text.check(rule(dayError)),
        ...timesTexts,
      }),
      z.transform(({ promotionName, expiration_date, ...times }) => ({
        name: hasName ? promotionName : null,
        expirationDate: hasExpiration ? parseDateInput(expiration_date) : null,
        times: hasTimes ? times : null,
      })),
    ),
  );
}
