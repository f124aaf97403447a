import { createValidator, type Validator } from "remix-validated-form";
import * as z from "zod/mini";
import { invalidFields } from "../errors";
import { text } from "./fields";
import { type FieldErrors, formIdField, restoreIntent, wholeFormError } from "./validator";

// The policy of the pages forbids `new Function`, by which zod may speed up schemas.
z.config({ jitless: true });

/** An object schema, or one whose output is made of it. */
type FormSchema<Value> = z.ZodMiniType<Value>;

function fieldsOf(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodMiniPipe) return fieldsOf(schema.def.in);
  if (schema instanceof z.ZodMiniIntersection)
    return [...fieldsOf(schema.def.left), ...fieldsOf(schema.def.right)];
  return Object.keys((schema as z.ZodMiniObject).def.shape);
}

/** Reads fields as a value, or as one message for each wrong field in the order of the form. */
export function readFields<Value>(
  schema: FormSchema<Value>,
  fields: object,
): { data: Value; errors?: undefined } | { data?: undefined; errors: FieldErrors } {
  const { data, error } = schema.safeParse(fields);
  if (!error) return { data };
  const errors: FieldErrors = {};
  for (const field of [...fieldsOf(schema), wholeFormError]) {
    const issue = error.issues.find(({ path }) => path[0] === field);
    if (issue) errors[field] = issue.message;
  }
  return { errors };
}

/** @throws DomainError invalid, with a message for each wrong field */
export function parseFields<Value>(schema: FormSchema<Value>, fields: object): Value {
  const { data, errors } = readFields(schema, fields);
  if (errors) throw invalidFields(errors);
  return data;
}

/**
 * Builds the only kind of remix-validated-form validator in use (an ESLint rule keeps it so).
 *
 * The library builds nested objects from field names before any schema sees them, and one short
 * name (`x[100000000]`) blocks the process for most of a minute. So only the names that the schema
 * has are passed on; whatever else was posted is dropped here.
 * @param sendIntent the value of the button that sends the form off; a press of any other button
 *   is not validated. Without one, only restoring the form is not.
 */
export function formValidator<Value>(
  schema: FormSchema<Value>,
  sendIntent?: string,
): Validator<Value> {
  const known = new Set([...fieldsOf(schema), "intent", formIdField]);
  const isSent = ({ intent }: Record<string, unknown>) =>
    typeof intent !== "string" || (sendIntent ? intent === sendIntent : intent !== restoreIntent);
  const validator = createValidator<Value>({
    validate: async (posted) => {
      if (!isSent(posted)) return { data: posted as Value, error: undefined };
      const { data, errors } = readFields(schema, posted);
      return errors ? { data: undefined, error: errors } : { data, error: undefined };
    },
    validateField: async (posted, field) => ({ error: readFields(schema, posted).errors?.[field] }),
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

/** The hidden field of an edit that names the version which it is based on. */
const editedVersion = z.pipe(
  z.object({ version: text }).check(
    z.refine(({ version }) => /^[1-9]\d{0,8}$/.test(version), {
      path: [wholeFormError],
      error: "Open this page again, then save.",
    }),
  ),
  z.transform(({ version }) => ({ version: Number(version) })),
);

export function editValidator<Value>(schema: FormSchema<Value>) {
  return formValidator(z.intersection(schema, editedVersion));
}
