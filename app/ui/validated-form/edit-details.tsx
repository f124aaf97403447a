// Without script: a button that unfolds its form, which comes back open and filled when it is refused.
import { useActionData, useResolvedPath } from "@remix-run/react";
import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { button } from "../form/button.css";
import { useLastMessage } from "../form/last-message";
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
  const details = useRef<HTMLDetailsElement>(null);
  const { pathname } = useResolvedPath(".");
  const isRefusal = useActionData<{ formId?: string }>()?.formId === formId;
  // A link within the page, such as that of a dialog, clears the answer: the form stays refused until something is done.
  const record = `${pathname} ${useLastMessage()}`;
  const [refused, setRefused] = useState(isRefusal ? record : null);
  if (isRefusal && refused !== record) setRefused(record);
  const wasRefused = refused === record;
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
