import { useActionData } from "@remix-run/react";
import { useState } from "react";
import { useLastDefined } from "./last-defined";

type Secrets = { secret: string; recoveryCodes: string[] };
type Answer = Partial<Secrets> & { fieldErrors?: object };

/** Returns the secret that the page shows once: also after a later attempt that was refused or got no answer. */
export function useNewSecret<Name extends keyof Secrets>(name: Name): Answer[Name] {
  const answer = useActionData<Answer>();
  const [last, setLast] = useState(answer?.[name]);
  if (answer?.fieldErrors) return last;
  if (answer?.[name] !== last) setLast(answer?.[name]);
  return answer?.[name];
}

/**
 * Returns the last secret that was made on this page. As the key of the form that makes it, it makes the form a new one
 * once a secret was made; a dialog or an attempt that failed leaves the input as it is.
 */
export function useLastSecret(): string | undefined {
  return useLastDefined(useActionData<Answer>()?.secret);
}
