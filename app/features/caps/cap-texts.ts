/** The fields of caps as they are typed. Browsers don't check them where codes are created: `capsSchema` reads them. */
import { text } from "../../forms/fields";
import type { Caps } from "./cap";

export const capLabels: Record<keyof Caps, [label: string, hint?: string]> = {
  uses: ["Uses in all"],
  usesPerDay: ["Uses a day"],
  usesPerMachineAndDay: ["Uses per machine and day"],
  money: ["Money in all", "Such as 500.00."],
  lowestPrice: ["Lowest price", "Refuses cheaper products."],
  highestDiscount: ["Highest discount", "Cuts a percentage, refuses a dearer free drink."],
};

/** Makes a value for each cap. */
export function byCap<Value>(valueOf: (cap: keyof Caps) => Value) {
  const caps = Object.keys(capLabels) as (keyof Caps)[];
  return Object.fromEntries(caps.map((cap) => [cap, valueOf(cap)])) as Record<keyof Caps, Value>;
}

export const capTexts = byCap(() => text);

/** The values of `capTexts`. */
export type CapsInput = Record<keyof Caps, string>;
