import { createContext, useContext, useSyncExternalStore } from "react";
import { formIdField } from "../../forms/validator";
import { onRouterChange, routerState } from "../../remix/router";

/** The id of the form around, and what the ids of its fields begin with. */
export const FormIds = createContext({ formId: "", prefix: "" });

/** Returns the id of a field: its name, unless the form has a prefix. */
export const useFieldId = (name: string) => useContext(FormIds).prefix + name;

/**
 * Tells whether the form around is being sent. It asks the router itself: React renders a navigation in a transition,
 * and skips one that ends before.
 */
export function useIsFormSending(): boolean {
  const { formId } = useContext(FormIds);
  return useSyncExternalStore(
    onRouterChange,
    () => routerState()?.navigation.formData?.get(formIdField) === formId,
    () => false,
  );
}
