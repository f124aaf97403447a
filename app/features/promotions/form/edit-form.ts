/** The form on a promotion's own page, for browser and server alike. */
import * as z from "zod/mini";
import { parseDateInput } from "../../../forms/typed-date";
import { formSchema, formValidator, versionError, wholeFormError } from "../../../forms/validator";
import { dateError } from "../expiry-date";
import { nameError } from "./promotion-forms";

export type EditFormFacts = {
  /** YYYY-MM-DD in the site's zone. */
  today: string;
  /** The last valid day as it is now; null never ends. An unchanged one may have passed. */
  heldDay: string | null;
  /** A code of a mass generation keeps the generation's name. */
  isSingle: boolean;
  /** Has no expiration date. */
  isRenewable: boolean;
};

export type EditFormValues = {
  name: string | null;
  expirationDate: string | null;
  version: number;
};

const text = z._default(z.string(), "");
const fields = { promotionName: text, expiration_date: text, version: text };

export function editFormValidator({ today, heldDay, isSingle, isRenewable }: EditFormFacts) {
  const dayError = (typed: string) => {
    const day = parseDateInput(typed);
    return isRenewable || (day !== null && day === heldDay) ? null : dateError(typed, today);
  };
  return formValidator(
    Object.keys(fields),
    formSchema(
      fields,
      ({ promotionName, expiration_date, version }) => ({
        promotionName: isSingle ? nameError(promotionName) : null,
        expiration_date: dayError(expiration_date),
        [wholeFormError]: versionError(version),
      }),
      ({ promotionName, expiration_date, version }): EditFormValues => ({
        name: isSingle ? promotionName : null,
        expirationDate: isRenewable ? null : parseDateInput(expiration_date),
        version: Number(version),
      }),
    ),
  );
}
