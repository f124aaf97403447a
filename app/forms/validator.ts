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
 * Builds the `clientAction` of a form: a failed request keeps the page and what was typed, and an
 * ended session leads to the sign-in page and back.
 * @param fallback the message where the server gave no reason
 * @param fileError returns why the server would reject a file: then the form is not sent
 */
export function rerenderForm(fallback: string, fileError?: (file: File) => string | null) {
  return async ({ request, serverAction }: ClientActionFunctionArgs) => {
    const posted = await request.clone().formData();
    const rerender = (fieldErrors: FieldErrors) => ({
      fieldErrors,
      formId: posted.get(formIdField) ?? undefined,
      ...(posted.has("version") && { version: posted.get("version") }),
    });
    for (const [name, value] of posted) {
      const error = value instanceof File && fileError?.(value);
      if (error) return rerender({ [name]: error });
    }
    try {
      return await actionOrSignIn(request, () => serverAction<object>());
    } catch (cause) {
      return rerender({ [wholeFormError]: await networkErrorMessage(cause, fallback) });
    }
  };
}
