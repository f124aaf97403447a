import { useActionData } from "@remix-run/react";
import { useRef, useState } from "react";

type Answer = { secret?: string; fieldErrors?: object };

/** Returns the secret that the page shows once: also after a later attempt that was refused or got no answer. */
export function useNewSecret(): string | undefined {
  const answer = useActionData<Answer>();
  const [last, setLast] = useState(answer?.secret);
  if (answer?.fieldErrors) return last;
  if (answer?.secret !== last) setLast(answer?.secret);
  return answer?.secret;
}

/**
 * Returns the last secret that was made on this page. As the key of the form that makes it, it makes the form a new one
 * once a secret was made; a dialog or an attempt that failed leaves the input as it is.
 */
export function useLastSecret(): string | undefined {
  const secret = useActionData<Answer>()?.secret;
  const last = useRef(secret);
  if (secret !== undefined) last.current = secret;
  return last.current;
}
