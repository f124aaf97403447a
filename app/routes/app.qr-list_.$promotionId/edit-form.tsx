// Without script: the same form; a refused one comes back filled.
import { useNavigation } from "@remix-run/react";
import { useMemo } from "react";
import { useFormContext } from "remix-validated-form";
import { editFormValidator, type EditFormFacts } from "../../features/promotions/form/edit-form";
import { ExpiryField } from "../../features/promotions/form/expiry-field";
import { formatDateInput } from "../../forms/typed-date";
import { muted } from "#styles/global.css";
import { Form } from "../../ui/form/form";
import * as formStyles from "../../ui/form/form.css";
import { SubmitButton } from "../../ui/form/submit-button";
import { TextField } from "../../ui/form/text-field";

type EditFormProps = {
  edit: EditFormFacts & { name: string };
  /** Version of the promotion that the editor has seen. */
  version: string;
};

/** Form of the values that can be edited (RULES P4). */
export function EditForm({ edit, version }: EditFormProps) {
  const { today, heldDay, isSingle, isRenewable, name } = edit;
  const validator = useMemo(
    () => editFormValidator({ today, heldDay, isSingle, isRenewable }),
    [today, heldDay, isSingle, isRenewable],
  );
  const canChange = isSingle || !isRenewable;
  return (
    <Form
      id="edit-promotion"
      validator={validator}
      defaultValues={{
        promotionName: name,
        expiration_date: heldDay === null ? "" : formatDateInput(heldDay),
      }}
    >
      <h2>Edit</h2>
      <p className={muted}>{frozenFieldsMessage(edit)}</p>
      <input type="hidden" name="version" value={version} />
      {isSingle && <TextField name="promotionName" label="Name" />}
      {!isRenewable && (
        <ExpiryField
          name="expiration_date"
          example={formatDateInput(`${today.slice(0, 4)}-12-31`)}
        />
      )}
      {canChange && (
        <div className={formStyles.formActions}>
          <SaveButton />
        </div>
      )}
    </Form>
  );
}

function frozenFieldsMessage({ isSingle, isRenewable }: EditFormFacts): string {
  const frozen = "Everything else is printed and can't be changed.";
  if (isSingle) {
    return isRenewable
      ? `Only the name can be changed: a renewable promotion has no expiration date. ${frozen}`
      : `Name and expiration date can be changed. ${frozen}`;
  }
  return isRenewable
    ? "Nothing can be changed: the name is its mass generation's, and a renewable promotion has no expiration date. Everything else is printed."
    : `Only the expiration date of this one code can be changed: the name is its mass generation's. ${frozen}`;
}

function SaveButton() {
  const { isSubmitting } = useFormContext();
  const isPending = useNavigation().formData?.has("version") ?? false;
  return (
    <SubmitButton isPending={isPending || isSubmitting} pendingLabel="Saving...">
      Save changes
    </SubmitButton>
  );
}
