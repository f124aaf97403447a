// Without script: a label, a hint, a native control and its error, all bound by id.
import type { ReactNode } from "react";
import { Icon } from "../icon/icon";
import * as styles from "./form.css";

/** The ids a control names in `aria-describedby`: its error first, then its hint. */
export function describedBy(name: string, { error, hint }: { error?: unknown; hint?: unknown }) {
  return (
    [error ? `${name}-error` : "", hint ? `${name}-hint` : ""].filter(Boolean).join(" ") ||
    undefined
  );
}

export function Field({
  name,
  label,
  hint,
  error,
  children,
}: {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={name}>
        {label}
      </label>
      <FieldHint name={name} hint={hint} />
      {children}
      <FieldError name={name} error={error} />
    </div>
  );
}

export function FieldHint({ name, hint }: { name: string; hint?: ReactNode }) {
  if (!hint) return null;
  return (
    <p className={styles.hint} id={`${name}-hint`}>
      {hint}
    </p>
  );
}

export function FieldError({ name, error }: { name: string; error?: string | undefined }) {
  if (!error) return null;
  return (
    <p className={styles.error} id={`${name}-error`}>
      <Icon name="alert" />
      <span>{error}</span>
    </p>
  );
}
