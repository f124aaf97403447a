import * as z from "zod/mini";
import { DomainError } from "../../../errors";
import { parseFields, readFields } from "../../../forms/form-validator";
import type { FieldErrors } from "../../../forms/validator";
import type { Caps } from "../../caps/cap";
import { capsSchema } from "../../caps/cap-forms";
import type { CampaignTimes } from "../schedule";
import type { PatternInput } from "./code-pattern";
import { readPattern } from "./code-pattern.server";
import { readTimes } from "./times-form.server";
import { termTexts, type TermsInput } from "./terms-input";

/** Returns the values of a creating form with terms in the place of their texts. @throws DomainError invalid */
export function withTerms<Values extends TermsInput>(
  values: Values,
  terms: CampaignTimes & { caps: Caps },
) {
  const codePattern = readPattern(values);
  const others = Object.entries(values).filter(([name]) => !(name in termTexts));
  return {
    ...(Object.fromEntries(others) as Omit<Values, keyof TermsInput>),
    ...terms,
    ...(codePattern && { codePattern }),
  };
}

const readCaps = (values: TermsInput) => parseFields(capsSchema, values);

/** Returns the same with the terms that are typed in the form. @throws DomainError invalid */
export function withParsedTerms<Values extends TermsInput>(values: Values) {
  return withTerms(values, { ...readTimes(values), caps: readCaps(values) });
}

/** Returns a message for each wrong term of a creating form. */
export function termsInputErrors(posted: FormData): FieldErrors {
  const fields = Object.keys(termTexts).map((name) => {
    const values = posted.getAll(name);
    return [name, values.length > 1 ? values : values[0]];
  });
  const { data } = readFields(z.object(termTexts), Object.fromEntries(fields) as object);
  // The schema of the form names what is no text.
  if (!data) return {};
  return Object.assign(
    {},
    ...[readTimes, readCaps, readPattern].map((read) => errorsOf(() => read(data))),
  ) as FieldErrors;
}

/** Returns a message for each wrong field of a code pattern. */
export const patternErrors = (values: PatternInput) => errorsOf(() => readPattern(values));

function errorsOf(read: () => unknown): FieldErrors {
  try {
    read();
    return {};
  } catch (cause) {
    if (cause instanceof DomainError) return cause.fields;
    throw cause;
  }
}
