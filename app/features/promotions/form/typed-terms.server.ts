import { parseFields } from "../../../forms/form-validator";
import type { Caps } from "../../caps/cap";
import { capsSchema } from "../../caps/cap-forms";
import type { CampaignTimes } from "../schedule";
import { readPattern } from "./code-pattern.server";
import { readTimes } from "./times-form.server";
import { termTexts, type TypedTerms } from "./typed-terms";

/** Returns the values of a creating form with terms in the place of their texts. @throws DomainError invalid */
export function withTerms<Values extends TypedTerms>(
  values: Values,
  terms: CampaignTimes & { caps: Caps },
) {
  const codePattern = readPattern(values);
  const others = Object.entries(values).filter(([name]) => !(name in termTexts));
  return {
    ...(Object.fromEntries(others) as Omit<Values, keyof TypedTerms>),
    ...terms,
    ...(codePattern && { codePattern }),
  };
}

/** Returns the same with the terms that are typed in the form. @throws DomainError invalid */
export function withTypedTerms<Values extends TypedTerms>(values: Values) {
  return withTerms(values, { ...readTimes(values), caps: parseFields(capsSchema, values) });
}
