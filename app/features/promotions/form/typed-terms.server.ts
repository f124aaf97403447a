import { parseFields } from "../../../forms/form-validator";
import { capsSchema } from "../../caps/cap-forms";
import { readPattern } from "./code-pattern.server";
import { readTimes } from "./times-form.server";
import { type TypedTerms, withoutTypedTerms } from "./typed-terms";

/** Returns the values of a creating form with the terms that are typed in it. @throws DomainError invalid */
export function withTypedTerms<Values extends TypedTerms>(values: Values) {
  const codePattern = readPattern(values);
  return {
    ...withoutTypedTerms(values),
    ...readTimes(values),
    caps: parseFields(capsSchema, values),
    ...(codePattern && { codePattern }),
  };
}
