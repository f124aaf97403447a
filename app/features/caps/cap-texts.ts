/** The fields of caps as they are typed. Browsers don't check them where codes are created: `capsSchema` reads them. */
import { text } from "../../forms/fields";
import type { Caps } from "./cap";

const maxUses = 1_000_000_000;
/** Cents: the highest price of a redemption. */
const maxPrice = 1_000_000;

/** `max` is in cents if it is money. */
type CapRule = { label: string; hint?: string; max: number; isMoney?: boolean };

export const capRules: Record<keyof Caps, CapRule> = {
  uses: { label: "Uses in all", max: maxUses },
  usesPerDay: { label: "Uses a day", max: maxUses },
  usesPerMachineAndDay: { label: "Uses per machine and day", max: maxUses },
  money: { label: "Money in all", hint: "Such as 500.00.", max: 100_000_000_000, isMoney: true },
  lowestPrice: {
    label: "Lowest price",
    hint: "Refuses cheaper products.",
    max: maxPrice,
    isMoney: true,
  },
  highestDiscount: {
    label: "Highest discount",
    hint: "Cuts a percentage, refuses a dearer free drink.",
    max: maxPrice,
    isMoney: true,
  },
};

/** Makes a value for each cap. */
export function byCap<Value>(valueOf: (rule: CapRule, cap: keyof Caps) => Value) {
  const caps = Object.keys(capRules) as (keyof Caps)[];
  const entries = caps.map((cap) => [cap, valueOf(capRules[cap], cap)]);
  return Object.fromEntries(entries) as Record<keyof Caps, Value>;
}

export const capTexts = byCap(() => text);

/** The values of `capTexts`. */
export type TypedCaps = Record<keyof Caps, string>;
