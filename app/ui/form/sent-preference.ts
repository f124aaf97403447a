import { useFetcher, useFetchers } from "@remix-run/react";
import type { FormEvent } from "react";
import { paths } from "../../paths";
import { useFollowingFields } from "./field";

/** Returns the value of a preference that is being sent, to be shown before it is saved. */
export function useSentPreference(name: string): string | undefined {
  const sent = useFetchers().find(
    ({ formAction, formData }) => formAction === paths.preferences && formData?.has(name),
  );
  return sent?.formData?.get(name)?.toString();
}

/**
 * Saves a form of preferences while the page stays, with what is typed in its other forms. Lite mode changes how pages
 * are sent, so it needs a new document.
 * @param values the saved values by the fields' names, which another form may change
 */
export function usePreferenceForm(values: Record<string, string | readonly string[]>) {
  const fetcher = useFetcher<{ isSaved: boolean }>();
  // The form that somebody is at may have a later choice than the one that was saved.
  const ref = useFollowingFields(values, ":focus-within, details[open] *");
  const save = (form: HTMLFormElement) => fetcher.submit(form, { preventScrollReset: true });
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    if (new FormData(event.currentTarget).getAll("lite").includes("on")) return;
    event.preventDefault();
    save(event.currentTarget);
  }
  const isPending = fetcher.state !== "idle";
  const isSaved = !isPending && fetcher.data?.isSaved;
  return { save, isPending, isSaved, formProps: { ref, onSubmit } };
}
