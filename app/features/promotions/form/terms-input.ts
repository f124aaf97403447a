/** Terms of the creating forms that browsers don't check: `terms-input.server` reads them. */
import { capTexts, type CapsInput } from "../../caps/cap-texts";
import { patternTexts, type PatternInput } from "./code-pattern";
import { timesTexts, type TimesInput } from "./times-form";

export const termTexts = { ...timesTexts, ...capTexts, ...patternTexts };

/** The values of `termTexts`. */
export type TermsInput = TimesInput & CapsInput & PatternInput;
