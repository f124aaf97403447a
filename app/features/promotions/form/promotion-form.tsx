// Without script: the same form; Enter in a field presses Search, which creates nothing.
import { useActionData, useNavigation } from "@remix-run/react";
import type { KeyboardEvent, ReactNode } from "react";
import { useFormContext, type Validator } from "remix-validated-form";
import { wholeFormError } from "../../../forms/validator";
import { paths } from "../../../paths";
import { ButtonLink } from "../../../ui/form/button";
import { Form, IdempotencyKey } from "../../../ui/form/form";
import * as formStyles from "../../../ui/form/form.css";
import { SubmitButton } from "../../../ui/form/submit-button";
import { Card } from "../../../ui/layout/page";
import { TargetPickers } from "../../assignments/target-picker";
import type { Picker } from "../../assignments/targets";
import * as styles from "./promotion-form.css";
import { createIntent } from "./single-form";

/** Answer to a form that was rejected, or in which a button of a picker was pressed. */
type Answer = { pickers?: Picker[] };

type PromotionFormProps<T> = {
  id: string;
  title: string;
  validator: Validator<T>;
  /** Initial values. */
  values: Record<string, string | boolean> | null;
  pickers: Picker[];
  idempotencyKey: string;
  /** Label of the button, and its label while pending. */
  button: { label: string; pendingLabel: string };
  /** The fields above the machines. */
  children: ReactNode;
};

/** A form that creates promotions: its own fields, the machines, one attempt at a time. */
export function PromotionForm<T extends Record<string, unknown>>({
  id,
  title,
  validator,
  values,
  pickers,
  idempotencyKey,
  button,
  children,
}: PromotionFormProps<T>) {
  const answer = useActionData<Answer>();
  return (
    <Card className={styles.card}>
      <Form
        id={id}
        validator={validator}
        defaultValues={values ?? { discount_type: "percentage" }}
        onKeyDown={createOnEnter}
      >
        <h2>{title}</h2>
        <IdempotencyKey value={idempotencyKey} />
        {children}
        <TargetPickers pickers={answer?.pickers ?? pickers} />
        <div className={formStyles.formActions}>
          <CreateButton {...button} />
          <ButtonLink to={paths.qrList}>Cancel</ButtonLink>
        </div>
      </Form>
    </Card>
  );
}

function createOnEnter(event: KeyboardEvent<HTMLFormElement>) {
  const { target } = event;
  const isLine = target instanceof HTMLInputElement && /^(text|radio|checkbox)$/.test(target.type);
  if (event.key !== "Enter" || !isLine || event.defaultPrevented) return;
  event.preventDefault();
  event.currentTarget.requestSubmit(
    event.currentTarget.querySelector<HTMLButtonElement>(`button[value="${createIntent}"]`),
  );
}

function CreateButton({ label, pendingLabel }: PromotionFormProps<unknown>["button"]) {
  const { isSubmitting, fieldErrors, hasBeenSubmitted } = useFormContext();
  const isPending = useNavigation().formData?.get("intent") === createIntent;
  const hasWrongField = Object.keys(fieldErrors).some((name) => name !== wholeFormError);
  return (
    <SubmitButton
      name="intent"
      value={createIntent}
      isPending={isPending || isSubmitting}
      pendingLabel={pendingLabel}
      aria-disabled={hasBeenSubmitted && hasWrongField}
    >
      {label}
    </SubmitButton>
  );
}
