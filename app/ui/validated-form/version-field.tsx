// Without script: a hidden field.
import { useActionData, useNavigation } from "@remix-run/react";
import { useState } from "react";
import { useLastMessage } from "../form/last-message";

/**
 * The version that a form is based on: that of the page when its fields were filled, even if the page is read again
 * meanwhile. Something that was done here, or a conflict, makes it the one that the page shows then. An answer comes
 * before the page is read again.
 */
export function VersionField({ version }: { version: number }) {
  const answer = useActionData<{ version?: string | null }>();
  const { state } = useNavigation();
  const lastMessage = useLastMessage();
  const current = { version: answer?.version ?? version, answer, lastMessage };
  const [based, setBased] = useState(current);
  const isAnswered = answer?.version !== undefined && answer !== based.answer && state === "idle";
  if (isAnswered || lastMessage !== based.lastMessage) setBased(current);
  return <input type="hidden" name="version" value={based.version} />;
}

/** Tells whether a save was refused because of another one: then the page shows the current values. */
export function useIsConflict(): boolean {
  return useActionData<{ version?: string | null }>()?.version === null;
}
