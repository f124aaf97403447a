import { formIdField, type FieldErrors } from "../forms/validator";

/**
 * Returns what a page needs to show a posted form again; fields of one name, such as ticks, are a list. Reads the form in
 * one pass: `getAll` for each name would take seconds for thousands of names.
 * @param secrets fields that are never sent back
 */
export function formFields(
  fieldErrors: FieldErrors,
  posted: FormData,
  secrets: readonly string[] = [],
) {
  const valuesOf = new Map<string, FormDataEntryValue[]>();
  for (const [name, value] of posted) {
    const values = valuesOf.get(name);
    if (values) values.push(value);
    else valuesOf.set(name, [value]);
  }
  const { [formIdField]: formId, ...repopulateFields } = Object.fromEntries(
    [...valuesOf].map(([name, values]) => [name, values.length > 1 ? values : values[0]!]),
  );
  for (const secret of secrets) delete repopulateFields[secret];
  return { fieldErrors, repopulateFields, ...(typeof formId === "string" && { formId }) };
}
