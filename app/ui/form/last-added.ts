import { useRef } from "react";

/**
 * Returns the id that was added last to the records of a page. As the key of the form that adds them, it makes the form
 * a new one once something was added; what is removed leaves the input as it is.
 */
export function useLastAdded(records: readonly { id: string }[]): string | undefined {
  const known = useRef(new Set<string>());
  const last = useRef<string>();
  for (const { id } of records) {
    if (known.current.has(id)) continue;
    known.current.add(id);
    last.current = id;
  }
  return last.current;
}
