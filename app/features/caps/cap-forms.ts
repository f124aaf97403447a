/** The form of a campaign's caps, for browser and server alike. */
import * as z from "zod/mini";
import { orNone, trimmedText, wholeNumber } from "../../forms/fields";
import { editValidator } from "../../forms/form-validator";
import { decimalAmount } from "../../format/money";
import { formatNumber } from "../../format/number";
import { maxCapMoney, maxCapUses, maxPrice, type Caps } from "./cap";
import type { TypedCaps } from "./cap-texts";

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

export const capsSchema = z.object({
  uses: orNone(wholeNumber("Uses in all", maxCapUses)),
  usesPerDay: orNone(wholeNumber("Uses a day", maxCapUses)),
  usesPerMachineAndDay: orNone(wholeNumber("Uses per machine and day", maxCapUses)),
  money: orNone(amount("Money in all", maxCapMoney)),
  lowestPrice: orNone(amount("Lowest price", maxPrice)),
  highestDiscount: orNone(amount("Highest discount", maxPrice)),
} satisfies Record<keyof Caps, z.ZodMiniType>);

export const capsValidator = editValidator(capsSchema);

/** Fills the form. */
export function typeCaps(caps: Caps): TypedCaps {
  const count = (cap: number | null) => (cap === null ? "" : String(cap));
  const money = (cap: number | null) => (cap === null ? "" : decimalAmount(cap));
  return {
    uses: count(caps.uses),
    usesPerDay: count(caps.usesPerDay),
    usesPerMachineAndDay: count(caps.usesPerMachineAndDay),
    money: money(caps.money),
    lowestPrice: money(caps.lowestPrice),
    highestDiscount: money(caps.highestDiscount),
  };
}
