import { useLayoutEffect, useState, type ReactNode } from "react";

/**
 * Shows what belongs to one record, and begins anew when a link or the history leads to another on the same route. What
 * was shown goes first: the form library forgets the values of a form only then.
 */
export function OfRecord({
  record,
  children,
}: {
  record: string | undefined;
  children: ReactNode;
}) {
  const [shown, setShown] = useState(record);
  useLayoutEffect(() => setShown(record), [record]);
  return shown === record && children;
}
