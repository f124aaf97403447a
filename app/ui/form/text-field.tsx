// Without script: a native control that keeps what was typed before and after a refused post.
import type { ComponentProps, ReactNode } from "react";
import { useField } from "remix-validated-form";
import { describedBy, Field, InputField } from "./field";
import * as styles from "./form.css";

type TextFieldProps = {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  /** How much is expected, where it is less than a line. */
  width?: "short" | "medium";
} & Omit<ComponentProps<"input">, "name" | "defaultValue" | "value" | "width" | "ref" | "style">;

/** A line of text. Its id is its name, so that the error summary can link to it. */
export function TextField({ name, label, hint, width, ...input }: TextFieldProps) {
  const { error, getInputProps } = useField(name);
  return (
    <InputField
      {...getInputProps<Omit<ComponentProps<"input">, "ref">>(input)}
      name={name}
      label={label}
      hint={hint}
      error={error}
      className={width && styles[width]}
    />
  );
}

type TextAreaProps = { name: string; label: ReactNode; hint?: ReactNode } & Omit<
  ComponentProps<"textarea">,
  "name" | "value"
>;

/** Several lines of text. Its id is its name, so that the error summary can link to it. */
export function TextArea({ name, label, hint, ...textarea }: TextAreaProps) {
  const { error } = useField(name);
  return (
    <Field name={name} label={label} hint={hint} error={error}>
      <textarea
        rows={6}
        autoComplete="off"
        spellCheck={false}
        {...textarea}
        id={name}
        name={name}
        className={`${styles.textArea} ${error ? styles.inputError : ""}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(name, { error, hint })}
      />
    </Field>
  );
}
