import { useActionData } from "@remix-run/react";
import { useState } from "react";
import { useLastMessage } from "../form/last-message";

/**
 * Returns the values with which a page brought a form back, until they are saved. The form library would replace them by
 * the default values when the page is hydrated, in all controls that nobody has touched since.
 */
export function useValuesSentBack(id: string): Record<string, unknown> | undefined {
  const answer = useActionData<{ formId?: string; repopulateFields?: Record<string, unknown> }>();
  const message = useLastMessage();
  const [firstAnswer] = useState(answer);
  const [firstMessage] = useState(message);
  if (firstAnswer?.formId === id && firstMessage === message) return firstAnswer.repopulateFields;
}
