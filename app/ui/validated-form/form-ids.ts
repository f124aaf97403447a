import { createContext, useContext, useSyncExternalStore } from "react";
import { formIdField } from "../../forms/validator";
import { onRouterChange, routerState } from "../../remix/router";

type FormAround = {
  formId: string;
  /** Begins the ids of its fields. */
  prefix: string;
  /** The values that the page has for its fields. */
  pageValues?: Record<string, unknown> | undefined;
};

/** Tells fields about the form around them. */
export const FormIds = createContext<FormAround>({ formId: "", prefix: "" });

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
