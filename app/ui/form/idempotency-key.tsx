// Without script: a hidden field.
import { useActionData, useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { idempotencyField } from "../../forms/validator";

/**
 * The idempotency key of a form, which stays the same while the form is on the screen, so that a
 * repeated attempt creates once; after a conflict the server answers with another. The page's loader
 * is a `formLoader`.
 * @param suffix distinguishes several forms of one page
 */
export function IdempotencyKey({ suffix }: { suffix?: string | undefined }) {
  const { idempotencyKey } = useLoaderData<{ idempotencyKey: string }>();
  const value = suffix ? `${idempotencyKey}-${suffix}` : idempotencyKey;
  const answered = useActionData<{ idempotencyKey?: string }>()?.idempotencyKey;
  const [key, setKey] = useState(value);
  // An attempt without an answer goes on with the key of the last answer.
  if (answered && answered !== key) setKey(answered);
  return <input type="hidden" name={idempotencyField} value={key} />;
}
