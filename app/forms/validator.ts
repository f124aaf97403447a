import { createValidator, validationError, type Validator } from "remix-validated-form";
import type * as z from "zod/mini";

export type FieldErrors = Record<string, string>;

/** The name under which FieldErrors holds a sentence about the form as a whole. */
export const wholeFormError = "_form";

// Posted by ValidatedForm, so that an answer finds the form it belongs to.
const formIdField = "__rvfInternalFormId";

/**
 * The only door to remix-validated-form's validators (an ESLint rule keeps it so).
 *
 * The library builds nested objects from field names before any schema sees them, and one short
 * name (`x[100000000]`) blocks the process for most of a minute. So only the names that the form
 * has are passed on; whatever else was posted is dropped here.
 * @param isOtherIntent true for a press of a button that changes the form but doesn't send it off
 */
export function formValidator<T>(
  fieldNames: readonly string[],
  schema: z.ZodMiniType<T>,
  isOtherIntent: (posted: Record<string, unknown>) => boolean = () => false,
): Validator<T> {
  const known = new Set([...fieldNames, formIdField]);
  const errorsOf = (posted: Record<string, unknown>): FieldErrors => {
    const errors: FieldErrors = {};
    for (const { path, message } of schema.safeParse(posted).error?.issues ?? [])
      errors[String(path[0] ?? wholeFormError)] ??= message;
    return errors;
  };
  const validator = createValidator<T>({
    validate: async (posted) => {
      if (isOtherIntent(posted)) return { data: posted as T, error: undefined };
      const { data, success } = schema.safeParse(posted);
      return success ? { data, error: undefined } : { data: undefined, error: errorsOf(posted) };
    },
    validateField: async (posted, field) => ({ error: errorsOf(posted)[field] }),
  });
  const onlyKnown = (posted: Record<string, unknown>): FormData => {
    const entries = posted instanceof FormData ? [...posted.entries()] : Object.entries(posted);
    const kept = new FormData();
    for (const [name, value] of entries)
      if (known.has(name) && typeof value === "string") kept.append(name, value);
    return kept;
  };
  return {
    validate: (posted) => validator.validate(onlyKnown(posted)),
    validateField: (posted, field) => validator.validateField!(onlyKnown(posted), field),
  };
}

/**
 * The answer to a form that can't be accepted: its sentences, and what was typed, less `secrets`.
 * @param status 422 where a rule is broken, 409 where somebody was faster, 200 where nothing is wrong
 */
export function refillForm(
  errors: FieldErrors,
  posted: Record<string, unknown>,
  { status = 422, secrets = [] }: { status?: number; secrets?: readonly string[] } = {},
) {
  const { [formIdField]: formId, ...typed } = posted;
  for (const secret of secrets) delete typed[secret];
  return validationError(
    { fieldErrors: errors, formId: typeof formId === "string" ? formId : undefined },
    typed,
    { status },
  );
}
