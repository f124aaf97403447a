// Without script: a plain post; a refused one comes back as a 422 page, filled as it was.
import { useActionData } from "@remix-run/react";
import { useEffect, useRef, type ComponentProps, type ReactNode, type RefObject } from "react";
import { useFormContext, ValidatedForm, type Validator } from "remix-validated-form";
import { wholeFormError } from "../../forms/validator";
import { Icon } from "../icon/icon";
import * as styles from "./form.css";

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
      <ErrorSummary wasAttempted={wasAttempted} />
      {children}
    </ValidatedForm>
  );
}

/** What is wrong, each sentence a link to its field; takes focus after a refused attempt. */
function ErrorSummary({
  wasAttempted,
}: {
  wasAttempted: RefObject<boolean> & { current: boolean };
}) {
  const { fieldErrors, hasBeenSubmitted } = useFormContext();
  const answer = useActionData<{ fieldErrors?: unknown }>();
  const summary = useRef<HTMLDivElement>(null);
  const errors = Object.entries(fieldErrors);
  const isShown = errors.length > 0 && (hasBeenSubmitted || Boolean(answer?.fieldErrors));

  useEffect(() => {
    if (!wasAttempted.current || !isShown) return;
    wasAttempted.current = false;
    summary.current?.focus();
  }, [fieldErrors, isShown, wasAttempted]);

  if (!isShown) return null;
  return (
    <div
      ref={summary}
      className={styles.errorSummary}
      role="alert"
      tabIndex={-1}
      // The page was answered to a refused post: without scripts this is what moves focus here.
      // eslint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
    >
      <h2 className={styles.errorSummaryTitle}>
        <Icon name="alert" /> There is a problem
      </h2>
      <ul className={styles.errorSummaryList}>
        {errors.map(([name, message]) => (
          <li key={name}>
            {name === wholeFormError ? message : <a href={`#${name}`}>{message}</a>}
          </li>
        ))}
      </ul>
    </div>
  );
}
