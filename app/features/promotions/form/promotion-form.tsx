// Without script: the same form; Enter in a field presses Search, which creates nothing.
import { useActionData } from "@remix-run/react";
import type { ChangeEvent, KeyboardEvent, ReactNode } from "react";
import { useFormContext, type Validator } from "remix-validated-form";
import { wholeFormError } from "../../../forms/validator";
import { paths } from "../../../paths";
import { visuallyHidden } from "#styles/global.css";
import { Button, ButtonLink } from "../../../ui/form/button";
import { Checkbox, Form, RadioGroup, TextField, FormButton } from "../../../ui/validated-form/form";
import { IdempotencyKey } from "../../../ui/form/idempotency-key";
import { fillField } from "../../../ui/validated-form/fill-field";
import * as formStyles from "../../../ui/form/form.css";
import { Card } from "../../../ui/layout/page";
import { useAreScriptsRunning } from "../../../ui/overlay/focus";
import { TargetFields } from "../../assignments/target-fields";
import type { Picker } from "../../assignments/targets";
import { CapFields } from "../../caps/cap-fields";
import { capTexts } from "../../caps/cap-texts";
import * as styles from "./promotion-form.css";
import { createIntent, switchButtonId, switchIntent } from "./promotion-forms";
import { ExpiryField } from "./expiry-field";
import { FoldedFields } from "./folded-fields";
import { PatternFields } from "./pattern-fields";
import { TimesFields } from "./times-fields";

type PromotionFormProps<T> = {
  id: string;
  title: string;
  validator: Validator<T>;
  page: {
    /** Source of the initial values. */
    copy: { values: Record<string, string | boolean | string[]> | null } | null;
    pickers: Picker[];
  };
  button: { label: string; pendingLabel: string };
  /** Address of the other kind's form. */
  otherForm: string;
  /** The fields above the machines. */
  children: ReactNode;
};

export function PromotionForm<T extends Record<string, unknown>>({
  id,
  title,
  validator,
  page: { copy, pickers },
  button,
  otherForm,
  children,
}: PromotionFormProps<T>) {
  // After a rejection, and after a press of a picker's button.
  const answer = useActionData<{ pickers?: Picker[]; repopulateFields?: Record<string, string> }>();
  return (
    <Card className={styles.card}>
      <Form
        id={id}
        validator={validator}
        defaultValues={answer?.repopulateFields ?? copy?.values ?? { discount_type: "percentage" }}
        onKeyDown={createOnEnter}
      >
        <h2 className={visuallyHidden}>{title}</h2>
        <IdempotencyKey />
        <div className={styles.columns}>
          <div className={styles.column}>{children}</div>
          <div className={styles.machines}>
            <TargetFields pickers={answer?.pickers ?? pickers} />
          </div>
          <div>
            <div className={formStyles.formActions}>
              <CreateButton {...button} />
              <ButtonLink to={paths.qrList}>Cancel</ButtonLink>
              <SwitchButton to={otherForm} />
            </div>
          </div>
        </div>
      </Form>
    </Card>
  );
}

function createOnEnter(event: KeyboardEvent<HTMLFormElement>) {
  const { target, nativeEvent } = event;
  const isLine = target instanceof HTMLInputElement && /^(text|radio|checkbox)$/.test(target.type);
  // Enter also ends the composition of a word in Chinese or Japanese.
  if (event.key !== "Enter" || !isLine || event.defaultPrevented || nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.requestSubmit(
    event.currentTarget.querySelector<HTMLButtonElement>(`button[value="${createIntent}"]`),
  );
}

/** Opens the other form with what is entered in this one. With scripts, the tabs do. */
function SwitchButton({ to }: { to: string }) {
  return (
    <Button
      id={switchButtonId}
      name="intent"
      value={switchIntent}
      formAction={to}
      formNoValidate
      hidden={useAreScriptsRunning()}
    >
      {to === paths.massGeneration ? "Continue as mass generation" : "Continue as single code"}
    </Button>
  );
}

function CreateButton({ label, pendingLabel }: PromotionFormProps<unknown>["button"]) {
  const { fieldErrors } = useFormContext();
  const isDisabled =
    useAreScriptsRunning() && Object.keys(fieldErrors).some((name) => name !== wholeFormError);
  return (
    <FormButton
      name="intent"
      value={createIntent}
      pendingLabel={pendingLabel}
      aria-disabled={isDisabled}
    >
      {label}
    </FormButton>
  );
}

export function DiscountFields({
  isMass = false,
  today,
}: {
  isMass?: boolean;
  /** YYYY-MM-DD in the site's zone. */
  today: string;
}) {
  const discountName = isMass ? "discount_value" : "discount";
  return (
    <>
      <div className={styles.beside}>
        <RadioGroup
          name="discount_type"
          legend="Discount type"
          onChange={forceOneDrink}
          options={{ percentage: "Percentage", free_drink: "Free drinks" }}
        />
        <TextField
          name={discountName}
          label={
            <>
              <span className={styles.forPercentage}>Percentage off</span>{" "}
              <span className={styles.forFreeDrinks}>Number of free drinks</span>
            </>
          }
          hint={
            <>
              <span className={styles.forPercentage}>Required. 1 to 100.</span>{" "}
              <span className={styles.forFreeDrinks}>Required. 1 to 1,000, one for each use.</span>
              <span className={styles.forOneDrink}> Always 1 with one-time use.</span>
            </>
          }
          width="short"
          inputMode="numeric"
        />
      </div>
      <div className={styles.choices}>
        <Checkbox
          name="is_single_use"
          label="One-time use"
          hint={isMass ? "Each code is accepted once." : "The code is accepted once."}
          onChange={forceOneDrink}
        />
        <Checkbox
          name="is_renewable"
          label="Renewable"
          hint="Its uses renew on the first day of each month. It has no expiration date."
          onChange={clearExpiry}
        />
      </div>
      <div className={styles.expiry}>
        <ExpiryField name="expiration_date" today={today} />
      </div>
      <div className={styles.folded}>
        <TimesFields />
        <FoldedFields title="Caps" names={Object.keys(capTexts)}>
          <CapFields />
        </FoldedFields>
        <PatternFields />
      </div>
    </>
  );

  /** Forces a free drink with single use to one drink (RULES U2). */
  function forceOneDrink({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const form = currentTarget.form!;
    const values = new FormData(form);
    if (values.get("discount_type") === "free_drink" && values.has("is_single_use"))
      fillField(form.elements.namedItem(discountName) as HTMLInputElement, "1");
  }
}

/** Clears the expiration date when Renewable is turned on (RULES U5). */
function clearExpiry({ currentTarget }: ChangeEvent<HTMLInputElement>) {
  const field = currentTarget.form!.elements.namedItem("expiration_date") as HTMLInputElement;
  if (currentTarget.checked) fillField(field, "");
}
