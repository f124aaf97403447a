// Without script: native radios and checkboxes in a fieldset.
import type { ComponentProps, ReactNode } from "react";
import { useField } from "remix-validated-form";
import { Choice, FieldError, FieldHint } from "./field";
import * as styles from "./form.css";

type ChoiceProps = Omit<ComponentProps<typeof Choice>, "type">;
type Change = ChoiceProps["onChange"];

/** One of a few. The first option carries the field's name as id, for the error summary. */
export function RadioGroup({
  name,
  legend,
  options,
  onChange,
}: {
  name: string;
  legend: ReactNode;
  options: readonly { value: string; label: ReactNode }[];
  onChange?: Change;
}) {
  const { error, getInputProps } = useField(name);
  return (
    <fieldset className={styles.fieldset}>
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.choiceGroup}>
        {options.map(({ value, label }, index) => (
          <Choice
            key={value}
            {...getInputProps<ChoiceProps & { type: "radio" }>({
              type: "radio",
              id: index === 0 ? name : `${name}-${value}`,
              value,
              onChange,
              "aria-describedby": error ? `${name}-error` : undefined,
            })}
          >
            {label}
          </Choice>
        ))}
      </div>
      <FieldError name={name} error={error} />
    </fieldset>
  );
}

/** Yes or no; posts `true`, or nothing. */
export function Checkbox({
  name,
  label,
  hint,
  onChange,
}: {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  onChange?: Change;
}) {
  const { error, getInputProps } = useField(name);
  return (
    <div>
      <Choice
        {...getInputProps<ChoiceProps & { type: "checkbox" }>({
          type: "checkbox",
          id: name,
          value: "true",
          onChange,
          "aria-describedby": hint ? `${name}-hint` : undefined,
        })}
      >
        {label}
      </Choice>
      <FieldHint name={name} hint={hint} />
      <FieldError name={name} error={error} />
    </div>
  );
}
