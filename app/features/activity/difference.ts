/**
 * Writes a change as a line beneath the name of its action. What had no value before, and what the action itself
 * names ('Machines added'), is its new value alone.
 */
export function describeDifference(
  action: string,
  { field, from, to }: { field: string; from: string; to: string },
): string {
  const values = from === "none" ? to : `${from} → ${to}`;
  return field === action ? values : `${field}: ${values}`;
}
