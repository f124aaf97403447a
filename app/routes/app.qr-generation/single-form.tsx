import { useNavigation } from "@remix-run/react";
import { useMemo, type KeyboardEvent } from "react";
import { useFormContext } from "remix-validated-form";
import type { MachineChoices } from "../../features/machines/machine-choices";
import { MachineSelector } from "../../features/machines/machine-selector";
import { DiscountFields } from "../../features/promotions/discount-fields";
import { createIntent, singleFormValidator } from "../../features/promotions/single-form";
import { wholeFormError } from "../../forms/validator";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Form } from "../../ui/form/form";
import * as formStyles from "../../ui/form/form.css";
import { SubmitButton } from "../../ui/form/submit-button";
import { TextField } from "../../ui/form/text-field";
import { Card } from "../../ui/layout/page";
import * as styles from "./single-form.css";

type SingleFormProps = {
  /** YYYY-MM-DD in the site's zone. */
  today: string;
  expiryExample: string;
  choices: MachineChoices;
  once: string;
  /** What it is filled with at first. */
  values: Record<string, string | boolean> | null;
};

/** Without script: the same form; Enter in a field presses Search, which creates nothing. */
export function SingleForm({ today, expiryExample, choices, once, values }: SingleFormProps) {
  const validator = useMemo(() => singleFormValidator(today), [today]);

  function createOnEnter(event: KeyboardEvent<HTMLFormElement>) {
    const { target } = event;
    const isLine =
      target instanceof HTMLInputElement && /^(text|radio|checkbox)$/.test(target.type);
    if (event.key !== "Enter" || !isLine || event.defaultPrevented) return;
    event.preventDefault();
    event.currentTarget.requestSubmit(
      event.currentTarget.querySelector<HTMLButtonElement>(`button[value="${createIntent}"]`),
    );
  }

  return (
    <Card className={styles.card}>
      <Form
        id="single-qr-code"
        validator={validator}
        defaultValues={values ?? { discount_type: "percentage" }}
        onKeyDown={createOnEnter}
      >
        <h2>Single QR Code</h2>
        <input type="hidden" name="_once" value={once} />
        <TextField name="promotionName" label="Name" hint="Shown in the list and on labels." />
        <DiscountFields discountName="discount" expiryExample={expiryExample} />
        <MachineSelector choices={choices} />
        <div className={formStyles.formActions}>
          <CreateButton />
          <ButtonLink to={paths.qrList}>Cancel</ButtonLink>
        </div>
      </Form>
    </Card>
  );
}

function CreateButton() {
  const { isSubmitting, fieldErrors, hasBeenSubmitted } = useFormContext();
  const isPending = useNavigation().formData?.get("intent") === createIntent;
  const hasWrongField = Object.keys(fieldErrors).some((name) => name !== wholeFormError);
  return (
    <SubmitButton
      name="intent"
      value={createIntent}
      isPending={isPending || isSubmitting}
      pendingLabel="Creating..."
      aria-disabled={hasBeenSubmitted && hasWrongField}
    >
      Create promotion
    </SubmitButton>
  );
}
