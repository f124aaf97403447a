// Without script: a plain post; a refused one comes back as a 422 page, filled as it was.
import { useActionData } from "@remix-run/react";
import {
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
  type RefObject,
} from "react";
import { useFormContext, ValidatedForm, type Validator } from "remix-validated-form";
import { idempotencyField, wholeFormError } from "../../forms/validator";
import { ErrorSummary } from "./field";
import * as styles from "./form.css";
import { SubmitButton } from "./submit-button";

type FormProps<T> = {
  id: string;
  validator: Validator<T>;
  defaultValues?: Record<string, unknown>;
  children: ReactNode;
} & Pick<ComponentProps<typeof ValidatedForm>, "action" | "onKeyDown" | "formRef">;

/** A form that is checked by the same rule in the browser and on the server. */
export function Form<T extends Record<string, unknown>>({ children, ...props }: FormProps<T>) {
  const wasAttempted = useRef(false);
  return (
    <ValidatedForm<T, undefined>
      {...(props as FormProps<T> & { defaultValues?: never })}
      method="post"
      noValidate
      disableFocusOnError
      className={styles.form}
      onSubmitCapture={() => {
        wasAttempted.current = true;
      }}
    >
      <FormErrors wasAttempted={wasAttempted} />
      {children}
    </ValidatedForm>
  );
}

/** Takes focus after a refused attempt. */
function FormErrors({ wasAttempted }: { wasAttempted: RefObject<boolean> & { current: boolean } }) {
  const { fieldErrors, hasBeenSubmitted } = useFormContext();
  const answer = useActionData<{ fieldErrors?: unknown }>();
  const summary = useRef<HTMLDivElement>(null);
  const errors = Object.entries(fieldErrors).map(([name, message]) => ({
    field: name === wholeFormError ? null : name,
    message,
  }));
  const isShown = errors.length > 0 && (hasBeenSubmitted || Boolean(answer?.fieldErrors));

  useEffect(() => {
    if (!wasAttempted.current || !isShown) return;
    wasAttempted.current = false;
    summary.current?.focus();
  }, [fieldErrors, isShown, wasAttempted]);

  return isShown ? <ErrorSummary ref={summary} errors={errors} /> : null;
}

/**
 * The idempotency key of a form, which stays the same while the form is on the screen, so that a
 * repeated attempt creates once; after a conflict the server answers with another.
 */
export function IdempotencyKey({ value }: { value: string }) {
  const answer = useActionData<{ idempotencyKey?: string }>();
  const [key] = useState(value);
  return <input type="hidden" name={idempotencyField} value={answer?.idempotencyKey ?? key} />;
}

/** The button of a form, which also shows that the browser is still checking it. */
export function PendingSubmit({ isPending, ...button }: ComponentProps<typeof SubmitButton>) {
  const { isSubmitting } = useFormContext();
  return <SubmitButton {...button} isPending={isPending || isSubmitting} />;
}
