// Without script: a button that unfolds a plain form, which comes back open and filled when it is refused.
import { useActionData, useNavigation } from "@remix-run/react";
import { useEffect, useMemo, useRef } from "react";
import { muted } from "#styles/global.css";
import { formatDateInput } from "../../../forms/typed-date";
import { button } from "../../../ui/form/button.css";
import { Form, FormSubmit, IdempotencyKey, TextField } from "../../../ui/form/form";
import { ExpiryField } from "./expiry-field";
import { type EditFormFacts, editFormValidator } from "./promotion-forms";
import * as css from "./promotion-form.css";

const formId = "edit";

/** Form of the values that can be edited (RULES P4), behind a button. */
export function EditForm({
  facts,
  name,
  version,
  idempotencyKey,
}: {
  facts: EditFormFacts;
  name: string;
  /** The one that the editor has seen. */
  version: number;
  idempotencyKey: string;
}) {
  const { today, heldDay, hasName, hasExpiration, isOnlyExtended } = facts;
  const validator = useMemo(
    () => editFormValidator({ today, heldDay, hasName, hasExpiration, isOnlyExtended }),
    [today, heldDay, hasName, hasExpiration, isOnlyExtended],
  );
  const answer = useActionData<{ formId?: string; version?: string | null }>();
  const wasRefused = answer?.formId === formId;
  const isPending = useNavigation().formData?.has("version") ?? false;
  const details = useCloseWhenSaved(version, wasRefused);
  const fields = [hasName && "name", hasExpiration && "expiration"].filter(Boolean);
  if (fields.length === 0) return null;
  return (
    <details ref={details} open={wasRefused}>
      <summary className={`${button.default} ${css.editButton}`}>
        <span className={css.whenClosed}>Edit {fields.join(" or ")}</span>{" "}
        <span className={css.whenOpen}>Close without saving</span>
      </summary>
      <Form
        id={formId}
        validator={validator}
        defaultValues={{
          promotionName: name,
          expiration_date: heldDay === null ? "" : formatDateInput(heldDay),
        }}
      >
        <IdempotencyKey value={idempotencyKey} />
        <input type="hidden" name="version" value={answer?.version ?? version} />
        {hasName && <TextField name="promotionName" label="Name" hint="Required." />}
        {hasExpiration && (
          <ExpiryField name="expiration_date" today={today} isRequired={isOnlyExtended} />
        )}
        <p className={muted}>
          {isOnlyExtended && "The expiration can only be moved to a later day. "}
          Code, discount and kind of use are printed and can&apos;t be changed.
        </p>
        <FormSubmit isPending={isPending} pendingLabel="Saving..." label="Save changes" />
      </Form>
    </details>
  );
}

/** Folds the form up after it was saved, and gives the focus back to its button. */
function useCloseWhenSaved(version: number, wasRefused: boolean) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const element = details.current;
    if (!element?.open || wasRefused) return;
    if (element.contains(document.activeElement)) element.querySelector("summary")?.focus();
    element.open = false;
  }, [version, wasRefused]);
  return details;
}
