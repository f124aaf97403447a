// Without script: a hidden field.
import { useActionData } from "@remix-run/react";

/** The version that a form is based on; after a conflict, the one that the page shows then. */
export function VersionField({ version }: { version: number }) {
  const answer = useActionData<{ version?: string | null }>();
  return <input type="hidden" name="version" value={answer?.version ?? version} />;
}

/** Tells whether a save was refused because of another one: then the page shows the current values. */
export function useIsConflict(): boolean {
  return useActionData<{ version?: string | null }>()?.version === null;
}
