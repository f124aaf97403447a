// Without script: the same form; Enter in a field presses Search, which creates nothing.
import { useActionData, useNavigation } from "@remix-run/react";
import type { ChangeEvent, KeyboardEvent, ReactNode } from "react";
import { useFormContext, type Validator } from "remix-validated-form";
import { wholeFormError } from "../../../forms/validator";
import { paths } from "../../../paths";
import { ButtonLink } from "../../../ui/form/button";
import {
  Checkbox,
  Form,
  IdempotencyKey,
  RadioGroup,
  TextField,
  FormButton,
} from "../../../ui/form/form";
import * as formStyles from "../../../ui/form/form.css";
import { Card } from "../../../ui/layout/page";
import { TargetPickers } from "../../assignments/target-picker";
import type { Picker } from "../../assignments/targets";
import * as styles from "./promotion-form.css";
import { createIntent } from "./promotion-forms";
import { ExpiryField } from "./expiry-field";

type PromotionFormProps<T> = {
  id: string;
  title: string;
  validator: Validator<T>;
  page: {
    /** Source of the initial values. */
    copy: { values: Record<string, string | boolean> | null } | null;
    pickers: Picker[];
    idempotencyKey: string;
  };
  /** Label of the button, and its label while pending. */
  button: { label: string; pendingLabel: string };
  /** The fields above the machines. */
  children: ReactNode;
};

export function PromotionForm<T extends Record<string, unknown>>({
  id,
  title,
  validator,
  page: { copy, pickers, idempotencyKey },
  button,
  children,
}: PromotionFormProps<T>) {
  // After a rejection, and after a press of a picker's button.
  const answer = useActionData<{ pickers?: Picker[] }>();
  return (
    <Card className={styles.card}>
      <Form
        id={id}
        validator={validator}
        defaultValues={copy?.values ?? { discount_type: "percentage" }}
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
  const { fieldErrors, hasBeenSubmitted } = useFormContext();
  const isPending = useNavigation().formData?.get("intent") === createIntent;
  const hasWrongField = Object.keys(fieldErrors).some((name) => name !== wholeFormError);
  return (
    <FormButton
      name="intent"
      value={createIntent}
      isPending={isPending}
      pendingLabel={pendingLabel}
      aria-disabled={hasBeenSubmitted && hasWrongField}
    >
      {label}
    </FormButton>
  );
}

export function DiscountFields({
  discountName,
  expiryExample,
}: {
  /** `discount` of the single form, `discount_value` of the mass form. */
  discountName: string;
  expiryExample: string;
}) {
  return (
    <>
      <RadioGroup
        name="discount_type"
        legend="Discount type"
        onChange={forceOneDrink}
        options={[
          { value: "percentage", label: "Percentage" },
          { value: "free_drink", label: "Free drinks" },
        ]}
      />
      <TextField
        name={discountName}
        label={
          <>
            <span className={styles.forPercentage}>Percentage off</span>
            <span className={styles.forFreeDrinks}>Number of free drinks</span>
          </>
        }
        hint={
          <>
            <span className={styles.forPercentage}>A whole number from 1 to 100.</span>
            <span className={styles.forFreeDrinks}>
              A whole number from 1 to 1,000: each use of the code gives one drink.
            </span>
            <span className={styles.forOneDrink}> With one-time use it is always 1.</span>
          </>
        }
        width="short"
        inputMode="numeric"
      />
      <div className={styles.choices}>
        <Checkbox
          name="is_single_use"
          label="One-time use"
          hint="The code is accepted once."
          onChange={forceOneDrink}
        />
        <Checkbox
          name="is_renewable"
          label="Renewable"
          hint="The limit comes back on the first day of each month. A renewable code has no expiration date."
          onChange={clearExpiry}
        />
      </div>
      <div className={styles.expiry}>
        <ExpiryField name="expiration_date" example={expiryExample} />
      </div>
    </>
  );

  /** Forces a free drink with single use to one drink (RULES U2). */
  function forceOneDrink({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const form = currentTarget.form!;
    const values = new FormData(form);
    if (values.get("discount_type") === "free_drink" && values.has("is_single_use"))
      fill(form, discountName, "1");
  }
}

/** Clears the expiration date when Renewable is turned on (RULES U5). */
function clearExpiry({ currentTarget }: ChangeEvent<HTMLInputElement>) {
  if (currentTarget.checked) fill(currentTarget.form!, "expiration_date", "");
}

/** Fills a field as typing would, so that an error shown at the field disappears. */
function fill(form: HTMLFormElement, name: string, value: string) {
  const input = form.elements.namedItem(name) as HTMLInputElement;
  if (input.value === value) return;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(input, value);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
