/** Terms of the creating forms that browsers don't check: `typed-terms.server` reads them. */
import { capTexts, type TypedCaps } from "../../caps/cap-texts";
import { patternTexts, type TypedPattern } from "./code-pattern";
import { timesTexts, type TypedTimes } from "./times-form";

export const termTexts = { ...timesTexts, ...capTexts, ...patternTexts };

/** The values of `termTexts`. */
export type TypedTerms = TypedTimes & TypedCaps & TypedPattern;
