import { useSearchParams } from "@remix-run/react";

/** Of one moment. */
const passing = ["f", "page", "after", "before", "download"];

/**
 * The address of this list with something changed: relative, on its first page unless it names one.
 * '' takes a parameter away.
 */
export function useListAddress() {
  const [params] = useSearchParams();
  return (changes: Record<string, string>) => {
    const next = new URLSearchParams(params);
    for (const name of passing) next.delete(name);
    for (const [name, value] of Object.entries(changes)) next.set(name, value);
    for (const [name, value] of [...next]) if (value === "") next.delete(name);
    return `?${next}`;
  };
}
