// Without script: the label follows the chosen type by CSS; the server applies the same rules.
import type { ChangeEvent } from "react";
import { Checkbox, RadioGroup } from "../../../ui/form/choice-fields";
import { TextField } from "../../../ui/form/text-field";
import { ExpiryField } from "./expiry-field";
import * as styles from "./discount-fields.css";

/** Fields of discount, uses and expiration, the same for one code and for many. */
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
