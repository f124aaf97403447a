// Without script: a hidden field.
import { useActionData, useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { idempotencyField } from "../../forms/validator";

type KeyAnswer = { idempotencyKey?: string };

/**
 * The idempotency key of a form, which stays the same while the form is on the screen, so that a
 * repeated attempt creates once; after a conflict the server answers with another. The page's loader
 * is a `formLoader`.
 * @param suffix distinguishes several forms of one page
 * @param answer the answer of a fetcher; by default that of the page's action
 */
export function IdempotencyKey({ suffix, answer }: { suffix?: string; answer?: KeyAnswer }) {
  const { idempotencyKey } = useLoaderData<{ idempotencyKey: string }>();
  const ending = suffix ? `-${suffix}` : "";
  const ofPage = useActionData<KeyAnswer>();
  const answered = (answer ?? ofPage)?.idempotencyKey;
  const [key, setKey] = useState(idempotencyKey + ending);
  // An attempt without an answer goes on with the key of the last answer to this form: a UUID, and its own ending.
  if (answered && answered !== key && answered.slice(36) === ending) setKey(answered);
  return <input type="hidden" name={idempotencyField} value={key} />;
}
