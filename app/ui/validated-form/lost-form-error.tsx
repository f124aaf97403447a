import { useActionData } from "@remix-run/react";
import { wholeFormError } from "../../forms/validator";
import { FailureNote } from "../feedback/message-block";

/** Says why a form was refused that its page has no longer, because somebody else decided or deleted what it is about. */
export function LostFormError({ formId }: { formId: string }) {
  const answer = useActionData<{ formId?: string; fieldErrors?: Record<string, string> }>();
  const error = answer?.formId === formId && answer.fieldErrors?.[wholeFormError];
  return <FailureNote isPending={false}>{error}</FailureNote>;
}
