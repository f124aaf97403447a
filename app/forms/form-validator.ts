import { createValidator, type Validator } from "remix-validated-form";
import {
  type FieldReaders,
  formIdField,
  formSchema,
  type FormSchema,
  postedText,
  restoreIntent,
  wholeFormError,
} from "./validator";

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
    const knownFields = new FormData();
    for (const [name, value] of entries)
      if (known.has(name) && typeof value === "string") knownFields.append(name, value);
    return knownFields;
  };
  return {
    validate: (posted) => validator.validate(onlyKnown(posted)),
    validateField: (posted, field) => validator.validateField!(onlyKnown(posted), field),
  };
}

/**
 * Builds the validator of an edit, whose hidden field names the version that it is based on.
 * @param otherNames fields that the form has besides
 */
export function editValidator<Posted extends object, Value>(
  fields: FieldReaders<Posted>,
  errorsOf: (posted: Posted) => Partial<Record<string, string | null>>,
  toValue: (posted: Posted) => Value,
  otherNames: readonly string[] = [],
): Validator<Value & { version: number }> {
  type PostedEdit = Posted & { version: string };
  const allFields = { ...fields, version: postedText } as FieldReaders<PostedEdit>;
  const withoutVersion = ({ version: _version, ...values }: PostedEdit) =>
    values as Posted & object;
  return formValidator(
    [...Object.keys(allFields), ...otherNames],
    formSchema(
      allFields,
      (posted) => ({
        ...errorsOf(withoutVersion(posted)),
        [wholeFormError]: versionError(posted.version),
      }),
      (posted) => ({ ...toValue(withoutVersion(posted)), version: Number(posted.version) }),
    ),
  );
}

function versionError(version: string): string | null {
  return /^[1-9]\d{0,8}$/.test(version) ? null : "Open this page again, then save.";
}
