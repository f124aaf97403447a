// Without script: the same; a form that is refused comes back open and filled.
import { useMemo } from "react";
import { formatDateInput } from "../../../forms/date-input";
import { EditDetails } from "../../../ui/validated-form/edit-details";
import { Form, FormSubmit, TextField } from "../../../ui/validated-form/form";
import { IdempotencyKey } from "../../../ui/form/idempotency-key";
import { useLastMessage } from "../../../ui/form/last-message";
import { VersionField } from "../../../ui/validated-form/version-field";
import { ExpiryField } from "./expiry-field";
import { TimesFields } from "./times-fields";
import { type EditFormFacts, editFormValidator } from "./promotion-forms";

export const editFormId = "edit";

/** Form of the values that can be edited (RULES P4), behind a button. */
export function EditForm({
  facts,
  name,
  times,
  version,
}: {
  facts: EditFormFacts;
  name: string;
  /** The fields of `TimesFields`, filled. */
  times: object;
  /** The one that the editor has seen. */
  version: number;
}) {
  const lastMessage = useLastMessage();
  const { today, heldDay, hasName, hasExpiration, earlierDayError, hasTimes } = facts;
  // A page that is read again has the same facts in another object.
  const key = JSON.stringify(facts);
  const validator = useMemo(() => editFormValidator(JSON.parse(key) as EditFormFacts), [key]);
  const fields = [hasName && "name", hasExpiration && "expiration", hasTimes && "hours"];
  const label = fields
    .filter(Boolean)
    .join(", ")
    .replace(/, (?=\w+$)/, " or ");
  if (label === "") return null;
  return (
    <EditDetails label={`Edit ${label}`} formId={editFormId} version={version}>
      <Form
        id={editFormId}
        validator={validator}
        defaultValues={{
          promotionName: name,
          expiration_date: heldDay === null ? "" : formatDateInput(heldDay),
          ...times,
        }}
        preventScrollReset
      >
        <IdempotencyKey key={lastMessage} suffix={editFormId} />
        <VersionField version={version} />
        {hasName && <TextField name="promotionName" label="Name" hint="Required." />}
        {hasExpiration && (
          <ExpiryField name="expiration_date" today={today} isRequired={earlierDayError !== null} />
        )}
        {hasTimes && <TimesFields />}
        <FormSubmit pendingLabel="Saving..." label="Save changes" />
      </Form>
    </EditDetails>
  );
}
