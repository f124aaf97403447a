/** The fields of caps as they are typed. Browsers don't check them where codes are created: `capsSchema` reads them. */
import { text } from "../../forms/fields";
import type { Caps } from "./cap";

export const capTexts = {
  uses: text,
  usesPerDay: text,
  usesPerMachineAndDay: text,
  money: text,
  lowestPrice: text,
  highestDiscount: text,
} satisfies Record<keyof Caps, typeof text>;

/** The values of `capTexts`. */
export type TypedCaps = Record<keyof Caps, string>;
