/** The form on a promotion's own page (rulings 3.6), for browser and server alike. */
import * as z from "zod/mini";
import { parseDateInput } from "../../../forms/typed-date";
import { formValidator } from "../../../forms/validator";
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

function editFormSchema({ today, heldDay, isSingle, isRenewable }: EditFormFacts) {
  return z.pipe(
    z.object(fields),
    z.transform((posted: Record<keyof typeof fields, string>, context): EditFormValues => {
      const day = isRenewable ? null : parseDateInput(posted.expiration_date);
      const errors: Record<string, string | null> = {
        promotionName: isSingle ? nameError(posted.promotionName) : null,
        expiration_date:
          isRenewable || (day !== null && day === heldDay)
            ? null
            : dateError(posted.expiration_date, today),
        _form: /^[1-9]\d{0,8}$/.test(posted.version) ? null : "Open this page again, then save.",
      };
      const wrong = Object.entries(errors).filter((entry) => entry[1] !== null);
      for (const [field, message] of wrong)
        context.issues.push({ code: "custom", message: message!, path: [field], input: posted });
      if (wrong.length > 0) return z.NEVER;
      return {
        name: isSingle ? posted.promotionName : null,
        expirationDate: day,
        version: Number(posted.version),
      };
    }),
  );
}

export function editFormValidator(facts: EditFormFacts) {
  return formValidator(
    [...Object.keys(fields), "intent"],
    editFormSchema(facts),
    ({ intent }) => intent === "restore",
  );
}
