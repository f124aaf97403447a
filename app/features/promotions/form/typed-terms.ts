/** Terms of the creating forms that browsers don't check: `typed-terms.server` reads them. */
import { capTexts, type TypedCaps } from "../../caps/cap-texts";
import { patternTexts, type TypedPattern } from "./code-pattern";
import { timesTexts, type TypedTimes } from "./times-form";

export const termTexts = { ...timesTexts, ...capTexts, ...patternTexts };

/** The values of `termTexts`. */
export type TypedTerms = TypedTimes & TypedCaps & TypedPattern;

/** Returns the other values of a form. */
export function withoutTypedTerms<Values extends TypedTerms>(values: Values) {
  const others = Object.entries(values).filter(([name]) => !(name in termTexts));
  return Object.fromEntries(others) as Omit<Values, keyof TypedTerms>;
}
