/** The fields of a code pattern as they are typed. Browsers don't check them: `code-pattern.server` reads them. */
import { text } from "../../../forms/fields";

export const patternTexts = { code_prefix: text, code_length: text };

export type PatternInput = Record<keyof typeof patternTexts, string>;
