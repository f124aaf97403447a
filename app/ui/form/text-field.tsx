// Without script: a native input that keeps what was typed before and after a refused post.
import type { ComponentProps, ReactNode } from "react";
import { useField } from "remix-validated-form";
import { describedBy, Field } from "./field";
import * as styles from "./form.css";

type TextFieldProps = {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  /** How much is expected, where it is less than a line. */
  width?: "short" | "medium";
} & Omit<ComponentProps<"input">, "name" | "defaultValue" | "value" | "width">;

/** A line of text. Its id is its name, so that the error summary can link to it. */
export function TextField({ name, label, hint, width, ...input }: TextFieldProps) {
  const { error, getInputProps } = useField(name);
  return (
    <Field name={name} label={label} hint={hint} error={error}>
      <input
        type="text"
        {...getInputProps<ComponentProps<"input">>({
          autoComplete: "off",
          ...input,
          id: name,
        })}
        className={`${styles.input} ${error ? styles.inputError : ""} ${width ? styles[width] : ""}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(name, { error, hint })}
      />
    </Field>
  );
}
