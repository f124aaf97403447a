import { Form, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { SubmitButton } from "../form/submit-button";
import { DialogActions, DialogCancel, DialogRoute } from "./dialog-route";
import { FailureNote } from "./failure-note";

/**
 * A dialog that asks whether to do one thing: its verb does it, Cancel leaves. It stays open, and
 * says why, when that fails.
 *
 * Without script: a section of the page with a plain form and a link.
 */
export function ConfirmDialog({
  title,
  address,
  closeTo,
  returnFocusTo,
  verb,
  pendingVerb,
  isDangerous = false,
  fields,
  failure,
  children,
}: {
  title: string;
  /** Of the dialog itself, which its form is sent to. */
  address: string;
  closeTo: string;
  /** The id of what opened it. */
  returnFocusTo: string;
  /** What the button says: 'Delete 3 codes'. */
  verb: string;
  /** And while it is being done: 'Deleting...'. */
  pendingVerb: string;
  /** It takes something away: announced as an alert, its button red. */
  isDangerous?: boolean;
  /** Hidden fields of the form. */
  fields?: ReactNode;
  /** Why it was not done. */
  failure: string | null | undefined;
  /** What will happen. */
  children: ReactNode;
}) {
  const isPending = useNavigation().formAction?.startsWith(address) ?? false;
  return (
    <DialogRoute
      title={title}
      closeTo={closeTo}
      returnFocusTo={returnFocusTo}
      {...(isDangerous && { role: "alertdialog" })}
    >
      <FailureNote isPending={isPending}>{failure}</FailureNote>
      {children}
      <Form method="post" preventScrollReset>
        {fields}
        <DialogActions>
          <SubmitButton
            isPending={isPending}
            pendingLabel={pendingVerb}
            {...(isDangerous && { variant: "danger" })}
          >
            {verb}
          </SubmitButton>
          <DialogCancel to={closeTo} />
        </DialogActions>
      </Form>
    </DialogRoute>
  );
}
