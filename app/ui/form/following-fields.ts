// Without script: nothing; the document brings its fields with their values.
import { useEffect, useRef } from "react";

/**
 * For a form of filters: the fields keep what is typed, whatever is loaded meanwhile, until the
 * address says something else.
 * @param typed the values by the fields' names, as the address says them; a list for checkboxes
 * @returns the ref of the form
 */
export function useFollowingFields(typed: Record<string, string | readonly string[]>) {
  const element = useRef<HTMLFormElement>(null);
  const values = JSON.stringify(typed);
  const lastValues = useRef(values);
  useEffect(() => {
    if (lastValues.current === values) return;
    lastValues.current = values;
    const current = JSON.parse(values) as Record<string, string | string[]>;
    for (const field of element.current?.elements ?? []) {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
      const value = current[field.name];
      if (value === undefined) continue;
      if (field.type === "checkbox" || field.type === "radio")
        (field as HTMLInputElement).checked = [value].flat().includes(field.value);
      else if (typeof value === "string") field.value = value;
    }
  }, [values]);
  return element;
}
