import { createValidator, type Validator } from "remix-validated-form";
import { formIdField, restoreIntent, type FormSchema } from "./validator";

/**
 * Builds the only kind of remix-validated-form validator in use (an ESLint rule keeps it so).
 *
 * The library builds nested objects from field names before any schema sees them, and one short
 * name (`x[100000000]`) blocks the process for most of a minute. So only the names that the form
 * has are passed on; whatever else was posted is dropped here.
 * @param sendIntent the value of the button that sends the form off; a press of any other button
 *   is not validated. Without one, only restoring the form is not.
 */
export function formValidator<T>(
  fieldNames: readonly string[],
  schema: FormSchema<T>,
  sendIntent?: string,
): Validator<T> {
  const known = new Set([...fieldNames, "intent", formIdField]);
  const isSent = ({ intent }: Record<string, unknown>) =>
    typeof intent !== "string" || (sendIntent ? intent === sendIntent : intent !== restoreIntent);
  const validator = createValidator<T>({
    validate: async (posted) => {
      if (!isSent(posted)) return { data: posted as T, error: undefined };
      const { data, errors } = schema(posted);
      return errors ? { data: undefined, error: errors } : { data: data as T, error: undefined };
    },
    validateField: async (posted, field) => ({ error: schema(posted).errors?.[field] }),
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
