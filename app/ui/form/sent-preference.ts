import { useFetchers } from "@remix-run/react";
import { paths } from "../../paths";

/** Returns the value of a preference that is being sent, to be shown before it is saved. */
export function useSentPreference(name: string): string | undefined {
  const sent = useFetchers().find(
    ({ formAction, formData }) => formAction === paths.preferences && formData?.has(name),
  );
  return sent?.formData?.get(name)?.toString();
}
