// Without script: a label, a hint, a native control and its error, all bound by id.
import {
  forwardRef,
  useEffect,
  useRef,
  useState,
  type ComponentPropsWithoutRef,
  type ReactNode,
} from "react";
import { Icon } from "../icon/icon";
import { useAreScriptsRunning } from "../overlay/focus";
import { apart, Button } from "./button";
import * as styles from "./form.css";

/** The ids a control names in `aria-describedby`: its error first, then its hint. */
export function describedBy(name: string, { error, hint }: { error?: unknown; hint?: unknown }) {
  const ids = [error && `${name}-error`, hint && `${name}-hint`];
  return ids.filter(Boolean).join(" ") || undefined;
}

type FieldProps = {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null | undefined;
};

export function Field({
  name,
  label,
  hint,
  error,
  children,
}: FieldProps & { children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={name}>
        {label}
      </label>
      {apart}
      <FieldHint name={name} hint={hint} />
      {children}
      <FieldError name={name} error={error} />
    </div>
  );
}

/** The label of a field that may be left empty. */
export function optional(label: string): ReactNode {
  return (
    <>
      {label} <span className={styles.labelNote}>optional</span>
    </>
  );
}

export function FieldHint({ name, hint }: Pick<FieldProps, "name" | "hint">) {
  if (!hint) return null;
  return (
    <p className={styles.hint} id={`${name}-hint`}>
      {hint}
    </p>
  );
}

export function FieldError({ name, error }: Pick<FieldProps, "name" | "error">) {
  if (!error) return null;
  return (
    <p className={styles.error} id={`${name}-error`}>
      <Icon name="alert" />
      <span>{error}</span>
    </p>
  );
}

/** A native input with its label, hint and error. Its id is its name, where no other is given. */
export const InputField = forwardRef<
  HTMLInputElement,
  FieldProps & {
    /** Stands beside the input: a button that helps to fill it. */
    after?: ReactNode;
  } & Omit<ComponentPropsWithoutRef<"input">, "name" | "style">
>(function InputField({ name, id = name, label, hint, error, after, className, ...input }, ref) {
  const control = (
    <input
      ref={ref}
      type="text"
      autoComplete="off"
      {...input}
      id={id}
      name={name}
      aria-invalid={error ? true : undefined}
      aria-describedby={describedBy(id, { error, hint })}
      className={[styles.input, className].filter(Boolean).join(" ")}
    />
  );
  return (
    <Field name={id} label={label} hint={hint} error={error}>
      {after ? (
        <div className={styles.inputRow}>
          {control}
          {after}
        </div>
      ) : (
        control
      )}
    </Field>
  );
});

/** Describes the field for the password of the person who sends a form, which scripts can show. */
export function usePasswordAgain() {
  const [isShown, setIsShown] = useState(false);
  return {
    name: "password",
    type: isShown ? "text" : "password",
    label: "Your password",
    hint: "Required, because you last entered it more than 10 minutes ago.",
    autoComplete: "current-password",
    after: useAreScriptsRunning() && (
      <Button type="button" variant="quiet" onClick={() => setIsShown(!isShown)}>
        {isShown ? "Hide password" : "Show password"}
      </Button>
    ),
  };
}

/** A native select with its label, hint and error. Its id is its name. */
export function SelectField({
  name,
  label,
  hint,
  error,
  ...select
}: FieldProps & Omit<ComponentPropsWithoutRef<"select">, "id" | "name" | "className" | "style">) {
  return (
    <Field name={name} label={label} hint={hint} error={error}>
      <select
        autoComplete="off"
        {...select}
        id={name}
        name={name}
        aria-describedby={describedBy(name, { error, hint })}
        aria-invalid={error ? true : undefined}
        className={styles.select}
      />
    </Field>
  );
}

/** A native radio or checkbox with its words. Browsers restore no earlier choice over what the page shows. */
export function Choice({
  children,
  ...input
}: { type: "radio" | "checkbox" } & Omit<
  ComponentPropsWithoutRef<"input">,
  "className" | "style"
>) {
  return (
    <>
      <label className={styles.choice}>
        <input autoComplete="off" {...input} />
        {children}
      </label>
      {apart}
    </>
  );
}

/** Lists the errors of a form, with links to their fields. Focused by the browser when the page is loaded. */
export const ErrorSummary = forwardRef<
  HTMLDivElement,
  { errors: readonly { href: string | null; message: string }[] }
>(function ErrorSummary({ errors }, ref) {
  return (
    <div
      ref={ref}
      className={styles.errorSummary}
      role="alert"
      tabIndex={-1}
      // The page answers what was just sent: without scripts this is what moves focus here.
      // eslint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
    >
      <h2 className={styles.inputRow}>
        <Icon name="alert" /> There is a problem
      </h2>
      <ul className={styles.errorSummaryList}>
        {errors.map(({ href, message }) => (
          <li key={href}>{href === null ? message : <a href={href}>{message}</a>}</li>
        ))}
      </ul>
    </div>
  );
});

/**
 * For a form of filters: the fields keep what is typed, whatever is loaded meanwhile, until the
 * address says something else.
 * @param values the values by the fields' names, as the address says them; a list for checkboxes. Others are empty.
 * @param exception a selector of forms that keep their fields all the same
 * @returns the ref of the form
 */
export function useFollowingFields(
  values: Record<string, string | readonly string[]>,
  exception = ":not(*)",
) {
  const element = useRef<HTMLFormElement>(null);
  const json = JSON.stringify(values);
  const lastJson = useRef(json);
  useEffect(() => {
    if (lastJson.current === json) return;
    lastJson.current = json;
    if (element.current?.matches(exception)) return;
    const current = JSON.parse(json) as Record<string, string | string[]>;
    for (const field of element.current?.elements ?? []) {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
      if (field.type === "hidden") continue;
      const value = current[field.name] ?? "";
      if (field.type === "checkbox" || field.type === "radio")
        (field as HTMLInputElement).checked = [value].flat().includes(field.value);
      else if (typeof value === "string") field.value = value;
    }
  }, [json, exception]);
  return element;
}
