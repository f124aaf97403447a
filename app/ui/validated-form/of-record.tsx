import { useLayoutEffect, useState, type ReactNode } from "react";

/**
 * Shows what belongs to one record, and begins anew when a link or the history leads to another on the same route. What
 * was shown goes first: the form library forgets the values of a form only then.
 */
export function OfRecord({
  record,
  children,
}: {
  /** Identifies it; null and undefined stand for a new one. */
  record: string | null | undefined;
  children: ReactNode;
}) {
  const [shown, setShown] = useState(record);
  useLayoutEffect(() => setShown(record), [record]);
  return shown === record && children;
}
