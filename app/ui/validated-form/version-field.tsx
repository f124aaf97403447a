// Without script: a hidden field.
import { useActionData, useNavigation } from "@remix-run/react";
import { useContext, useState } from "react";
import { useLastMessage } from "../form/last-message";
import { FormIds, useIsFormSending } from "./form-ids";

/**
 * The version that a form is based on: that of the page when its fields were filled, even if the page is read again
 * meanwhile. A conflict makes it the one that the page shows then, and so does something that was done here, unless the
 * page has other values by then that this form didn't save. An answer comes before the page is read again.
 */
export function VersionField({ version }: { version: number }) {
  const answer = useActionData<{ version?: string | null }>();
  const { state } = useNavigation();
  const lastMessage = useLastMessage();
  const isSending = useIsFormSending();
  const values = JSON.stringify(useContext(FormIds).pageValues);
  const current = {
    version: answer?.version ?? version,
    answer,
    lastMessage,
    values,
    wasSent: false,
  };
  const [based, setBased] = useState(current);
  const isAnswered = answer?.version !== undefined && answer !== based.answer && state === "idle";
  const isCurrent = based.wasSent || values === based.values;
  if (isAnswered) setBased(current);
  else if (lastMessage !== based.lastMessage)
    setBased(isCurrent ? current : { ...based, lastMessage });
  else if (isSending && !based.wasSent) setBased({ ...based, wasSent: true });
  return <input type="hidden" name="version" value={based.version} />;
}

/** Tells whether a save was refused because of another one: then the page shows the current values. */
export function useIsConflict(): boolean {
  return useActionData<{ version?: string | null }>()?.version === null;
}
