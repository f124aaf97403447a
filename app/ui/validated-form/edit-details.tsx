// Without script: a button that unfolds its form, which comes back open and filled when it is refused.
import { useActionData, useResolvedPath } from "@remix-run/react";
import { useLayoutEffect, useRef, type ReactNode } from "react";
import { button } from "../form/button.css";
import * as css from "./edit-details.css";

/** The form that edits what a page shows, behind a button. */
export function EditDetails({
  label,
  formId,
  version,
  children,
}: {
  label: string;
  /** Id of the form, which stays open when it was refused. */
  formId: string;
  /** Changes when the form is saved, which folds it up. */
  version: number;
  children: ReactNode;
}) {
  const wasRefused = useActionData<{ formId?: string }>()?.formId === formId;
  const details = useRef<HTMLDetailsElement>(null);
  const { pathname } = useResolvedPath(".");
  // The focus goes back to the button, before the browser takes it from a form that is folded up. The history can lead to
  // the page of another record.
  useLayoutEffect(() => {
    const element = details.current;
    if (!element || wasRefused) return;
    if (element.contains(document.activeElement)) element.querySelector("summary")?.focus();
    element.open = false;
  }, [version, wasRefused, pathname]);
  return (
    <details ref={details} open={wasRefused}>
      <summary className={`${button.default} ${css.editButton}`}>
        <span className={css.whenClosed}>{label}</span>{" "}
        <span className={css.whenOpen}>Close without saving</span>
      </summary>
      {children}
    </details>
  );
}
