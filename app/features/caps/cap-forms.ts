/** The form of a campaign's caps, for browser and server alike. */
import * as z from "zod/mini";
import { orNone, trimmedText, wholeNumber } from "../../forms/fields";
import { editValidator } from "../../forms/form-validator";
import { decimalAmount } from "../../format/money";
import { formatNumber } from "../../format/number";
import type { Caps } from "./cap";
import { byCap, type TypedCaps } from "./cap-texts";

/** @param most cents */
function amount(label: string, most: number) {
  const message = `${label} must be an amount from 0.01 to ${formatNumber(most / 100)}`;
  return z.pipe(
    z.pipe(
      trimmedText.check(z.regex(/^\d{1,10}([.,]\d{1,2})?$/, message)),
      z.transform((input) => Math.round(Number(input.replace(",", ".")) * 100)),
    ),
    z.number().check(z.minimum(1, message), z.maximum(most, message)),
  );
}

export const capsSchema = z.object(
  byCap(({ label, max, isMoney }) =>
    orNone(isMoney ? amount(label, max) : wholeNumber(label, max)),
  ),
);

export const capsValidator = editValidator(capsSchema);

/** Fills the form. */
export function typeCaps(caps: Caps): TypedCaps {
  return byCap(({ isMoney }, name) => {
    const cap = caps[name];
    if (cap === null) return "";
    return isMoney ? decimalAmount(cap) : String(cap);
  });
}
