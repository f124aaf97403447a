import type { ClientActionFunctionArgs } from "@remix-run/react";
import { actionOrSignIn, networkErrorMessage } from "./network-errors";

export type FieldErrors = Record<string, string>;

/** The name under which FieldErrors holds a message about the form as a whole. */
export const wholeFormError = "_form";

/** The hidden field that makes a repeated post of one form run once. */
export const idempotencyField = "idempotency_key";

/** Asks for the posted form again and for nothing else: it was sent after the session had ended. */
export const restoreIntent = "restore";

/** Posted by ValidatedForm, and by a plain form beside one, so that an answer finds the form it belongs to. */
export const formIdField = "__rvfInternalFormId";

/**
 * Reads the value of a posted field.
 * @returns undefined for one that was posted twice, or as a file: its value would be a guess
 */
type FieldReader<Value> = (posted: unknown) => Value | undefined;

export const postedText: FieldReader<string> = (posted = "") =>
  typeof posted === "string" ? posted : undefined;

/** A box that is not ticked is not posted. */
export const postedTick: FieldReader<boolean> = (posted = "") =>
  typeof posted === "string" ? posted !== "" : undefined;

/** One value is not posted as a list. */
export const postedTexts: FieldReader<string[]> = (posted = []) => {
  const texts = [posted].flat();
  return texts.every((text) => typeof text === "string") ? texts : undefined;
};

/** Reads posted fields as a value, or as one message for each wrong field. Other fields are dropped. */
export type FormSchema<Value> = (
  posted: Record<string, unknown>,
) => { data: Value; errors?: undefined } | { data?: undefined; errors: FieldErrors };

export type FieldReaders<Posted> = { [Field in keyof Posted]: FieldReader<Posted[Field]> };

export function formSchema<Posted extends object, Value>(
  fields: FieldReaders<Posted>,
  errorsOf: (posted: Posted) => Partial<Record<string, string | null>>,
  toValue: (posted: Posted) => Value,
): FormSchema<Value> {
  return (posted) => {
    const read = Object.entries<FieldReader<unknown>>(fields).map(([name, reader]) => [
      name,
      reader(posted[name]),
    ]);
    const unread = read.filter(([, value]) => value === undefined);
    if (unread.length > 0)
      return { errors: Object.fromEntries(unread.map(([name]) => [name, "Enter one value"])) };
    const values = Object.fromEntries(read) as Posted;
    const errors = Object.entries(errorsOf(values)).filter(([, message]) => message != null);
    return errors.length > 0
      ? { errors: Object.fromEntries(errors) as FieldErrors }
      : { data: toValue(values) };
  };
}

/** @param secrets fields that are never sent back */
export function formFields(
  fieldErrors: FieldErrors,
  posted: FormData,
  secrets: readonly string[] = [],
) {
  const { [formIdField]: formId, ...repopulateFields } = Object.fromEntries(posted);
  for (const secret of secrets) delete repopulateFields[secret];
  return { fieldErrors, repopulateFields, ...(typeof formId === "string" && { formId }) };
}

/**
 * Builds the `clientAction` of a form: a failed request keeps the page and what was typed, and an
 * ended session leads to the sign-in page and back.
 * @param fallback the message where the server gave no reason
 */
export function rerenderForm(fallback: string) {
  return async ({ request, serverAction }: ClientActionFunctionArgs) => {
    const posted = await request.clone().formData();
    try {
      return await actionOrSignIn(request, () => serverAction<object>());
    } catch (cause) {
      const fieldErrors = { [wholeFormError]: networkErrorMessage(cause, fallback) };
      const { formId } = formFields({}, posted);
      return {
        fieldErrors,
        formId,
        ...(posted.has("version") && { version: posted.get("version") }),
      };
    }
  };
}
