// Without script: a plain form. With it: the page stays, and the button says how it went.
import { useActionData } from "@remix-run/react";
import { wholeFormError } from "../../../forms/validator";
import { FailureNote } from "../../../ui/feedback/message-block";
import { PostButton, type PostAnswer } from "../../../ui/form/post-button";

const pendingLabels = { deactivate: "Deactivating...", reactivate: "Reactivating..." };

/** Posts an action on what the page is about to the page's own address. */
export function LifecycleButton({
  intent,
  ...button
}: {
  intent: keyof typeof pendingLabels;
  isMenuItem?: boolean;
  variant?: "default" | "primary";
  children: string;
}) {
  return <PostButton intent={intent} pendingLabel={pendingLabels[intent]} {...button} />;
}

/** Says why a button's action was refused, where no script runs. */
export function RefusedAction() {
  const answer = useActionData<PostAnswer>();
  const message = answer?.formId === undefined && answer?.fieldErrors?.[wholeFormError];
  return message ? <FailureNote isPending={false}>{message}</FailureNote> : null;
}
