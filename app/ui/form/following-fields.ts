// Without script: nothing; the document brings its fields with their values.
import { useEffect, useRef } from "react";

/**
 * For a form of filters: the fields keep what is typed, whatever is loaded meanwhile, until the
 * address says something else.
 * @param typed the values by the fields' names, as the address says them
 * @returns the ref of the form
 */
export function useFollowingFields(typed: Record<string, string>) {
  const element = useRef<HTMLFormElement>(null);
  const values = JSON.stringify(typed);
  const shown = useRef(values);
  useEffect(() => {
    if (shown.current === values) return;
    shown.current = values;
    for (const field of element.current?.elements ?? []) {
      const isOne = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
      const value = (JSON.parse(values) as Record<string, string>)[isOne ? field.name : ""];
      if (isOne && value !== undefined) field.value = value;
    }
  }, [values]);
  return element;
}
