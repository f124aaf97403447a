/** The form of a campaign's caps, for browser and server alike. */
import * as z from "zod/mini";
import { orNone, trimmedText, wholeNumber } from "../../forms/fields";
import { editValidator } from "../../forms/form-validator";
import { decimalAmount } from "../../format/money";
import { formatNumber } from "../../format/number";
import type { Caps } from "./cap";
import { byCap, capLabels, type CapsInput } from "./cap-texts";

const maxUses = 1_000_000_000;
/** Cents. The highest price of a redemption limits the last two. */
const maxMoney: Partial<Caps> = {
  money: 100_000_000_000,
  lowestPrice: 1_000_000,
  highestDiscount: 1_000_000,
};

/** Returns the largest value of a cap; cents if it is money. */
export const maxOf = (cap: keyof Caps) => maxMoney[cap] ?? maxUses;

/** @param max cents */
function amount(label: string, max: number) {
  const message = `${label} must be an amount from 0.01 to ${formatNumber(max / 100)}`;
  return z.pipe(
    z.pipe(
      trimmedText.check(z.regex(/^\d{1,10}([.,]\d{1,2})?$/, message)),
      z.transform((input) => Math.round(Number(input.replace(",", ".")) * 100)),
    ),
    z.number().check(z.minimum(1, message), z.maximum(max, message)),
  );
}

export const capsSchema = z.object(
  byCap((cap) => {
    const numberOf = cap in maxMoney ? amount : wholeNumber;
    return orNone(numberOf(capLabels[cap][0], maxOf(cap)));
  }),
);

export const capsValidator = editValidator(capsSchema);

/** Fills the form. */
export function toCapsInput(caps: Caps): CapsInput {
  return byCap((cap) => {
    const value = caps[cap];
    if (value === null) return "";
    return cap in maxMoney ? decimalAmount(value) : String(value);
  });
}
