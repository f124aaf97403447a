// Without script: a plain post of native controls; one that is not accepted comes back as a 422 page, filled as it was.
import { useActionData, useLoaderData, useResolvedPath } from "@remix-run/react";
import {
  useContext,
  useEffect,
  useRef,
  type ComponentProps,
  type ReactNode,
  type RefObject,
} from "react";
import { useField, useFormContext, ValidatedForm, type Validator } from "remix-validated-form";
import { wholeFormError } from "../../forms/validator";
import { noAnswerMessage } from "../../forms/network-errors";
import { NoAnswer, useErrorTitle } from "../feedback/message-block";
import { SubmitButton } from "../form/button";
import {
  Choice,
  describedBy,
  ErrorSummary,
  Field,
  FieldError,
  FieldHint,
  InputField,
  usePasswordAgain,
} from "../form/field";
import * as styles from "../form/form.css";
import { FormIds, useFieldId, useIsFormSending } from "./form-ids";
import { OfRecord } from "./of-record";
import { useInputRestoredOnBack } from "./restored-input";
import { useValuesSentBack } from "./values-sent-back";

type FormProps<T> = {
  id: string;
  validator: Validator<T>;
  defaultValues?: Record<string, unknown>;
  children: ReactNode;
  /** Begins the ids of the fields, where the page has another form with fields of these names. */
  idPrefix?: string;
} & Pick<
  ComponentProps<typeof ValidatedForm>,
  "action" | "onKeyDown" | "replace" | "preventScrollReset" | "encType"
>;

/** A form that is checked by the same rule in the browser and on the server. Its input stays with its record. */
export function Form<T extends Record<string, unknown>>(props: FormProps<T>) {
  return (
    <OfRecord record={useResolvedPath(".").pathname}>
      <FormOfRecord {...props} />
    </OfRecord>
  );
}

function FormOfRecord<T extends Record<string, unknown>>({
  children,
  idPrefix = "",
  ...props
}: FormProps<T>) {
  const wasAttempted = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  useInputRestoredOnBack(form);
  return (
    <ValidatedForm<T, undefined>
      {...props}
      formRef={form}
      defaultValues={(useValuesSentBack(props.id) ?? props.defaultValues) as never}
      method="post"
      noValidate
      disableFocusOnError
      className={styles.form}
      onSubmitCapture={() => {
        wasAttempted.current = true;
      }}
      // Errors of later input leave the focus in its field, also after an attempt that was saved or got no answer.
      onInputCapture={() => {
        wasAttempted.current = false;
      }}
    >
      <FormIds.Provider
        value={{ formId: props.id, prefix: idPrefix, pageValues: props.defaultValues }}
      >
        <FormErrors wasAttempted={wasAttempted} />
        {children}
      </FormIds.Provider>
    </ValidatedForm>
  );
}

/** Takes focus after a refused attempt. */
function FormErrors({ wasAttempted }: { wasAttempted: RefObject<boolean> & { current: boolean } }) {
  const { fieldErrors, hasBeenSubmitted } = useFormContext();
  const passwordId = usePasswordId();
  const { prefix } = useContext(FormIds);
  const answer = useActionData<{
    fieldErrors?: unknown;
    /** Leads to what an earlier attempt created. */
    firstAttempt?: { href: string; message: string };
  }>();
  const summary = useRef<HTMLDivElement>(null);
  const rejected = Object.entries(fieldErrors).filter(([, message]) => message !== noAnswerMessage);
  const errors = rejected.map(([name, message]) => ({
    href: name === wholeFormError ? null : `#${name === "password" ? passwordId : prefix + name}`,
    message,
  }));
  const isShown = errors.length > 0 && (hasBeenSubmitted || Boolean(answer?.fieldErrors));

  useErrorTitle(isShown);

  useEffect(() => {
    if (!wasAttempted.current || !isShown) return;
    wasAttempted.current = false;
    summary.current?.focus();
  }, [fieldErrors, isShown, wasAttempted]);

  return isShown ? (
    <ErrorSummary ref={summary} errors={errors.concat(answer?.firstAttempt ?? [])} />
  ) : null;
}

type FormButtonProps = Omit<ComponentProps<typeof SubmitButton>, "isPending">;

export function FormSubmit({ label, children, ...button }: FormButtonProps & { label: string }) {
  return (
    <div className={styles.formActions}>
      <FormButton {...button}>{label}</FormButton>
      {children}
    </div>
  );
}

/** A button that sends a form, beneath the message that no answer came. */
export function FormButton(button: FormButtonProps) {
  const hasNoAnswer = useFormContext().fieldErrors[wholeFormError] === noAnswerMessage;
  const isPending = useIsFormSending();
  return (
    <>
      <div role="alert" className={styles.beforeButton}>
        {hasNoAnswer && !isPending && <NoAnswer />}
      </div>
      <SubmitButton {...button} isPending={isPending} />
    </>
  );
}

const widths = { short: styles.short, medium: styles.medium };

type TextFieldProps = {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  /** Width of the expected text, where it is shorter than a line. */
  width?: keyof typeof widths;
  after?: ReactNode;
} & Omit<ComponentProps<"input">, "name" | "defaultValue" | "value" | "width" | "ref" | "style">;

export function TextField({ name, label, hint, width, after, ...input }: TextFieldProps) {
  const { error, getInputProps } = useField(name);
  return (
    <InputField
      id={useFieldId(name)}
      {...getInputProps<Omit<ComponentProps<"input">, "ref">>(input)}
      name={name}
      label={label}
      hint={hint}
      error={error}
      after={after}
      className={width && widths[width]}
    />
  );
}

/** The id of a form's field for the password: a page may have several forms with one. */
const usePasswordId = () => `${useContext(FormIds).formId}-password`;

/**
 * The field for the password of the person who sends the form, if it was checked too long ago when `formLoader`
 * loaded the page, or since then, which the answer says.
 */
export function PasswordAgain() {
  const { isPasswordAsked } = useLoaderData<{ isPasswordAsked: boolean }>();
  const answer = useActionData<{ fieldErrors?: Record<string, string> }>();
  const passwordAgain = usePasswordAgain();
  const id = usePasswordId();
  if (!isPasswordAsked && answer?.fieldErrors?.password === undefined) return null;
  return <TextField {...passwordAgain} id={id} width="medium" />;
}

type TextAreaProps = { name: string; label: ReactNode; hint?: ReactNode } & Omit<
  ComponentProps<"textarea">,
  "name" | "value"
>;

export function TextArea({ name, label, hint, ...textarea }: TextAreaProps) {
  const { error, getInputProps } = useField(name);
  const input = getInputProps<Omit<ComponentProps<"textarea">, "ref">>(textarea);
  const id = useFieldId(name);
  return (
    <Field name={id} label={label} hint={hint} error={error}>
      <textarea
        rows={6}
        autoComplete="off"
        spellCheck={false}
        {...input}
        // Given by a page that changes what was posted.
        defaultValue={textarea.defaultValue ?? input.defaultValue}
        id={id}
        name={name}
        className={styles.textArea}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { error, hint })}
      />
    </Field>
  );
}

type ChoiceProps = ComponentProps<typeof Choice>;

/** One of a few, or several of them. The first option carries the field's id, for the error summary. */
export function RadioGroup({
  type = "radio",
  name,
  legend,
  options,
  onChange,
}: {
  type?: ChoiceProps["type"];
  name: string;
  legend: ReactNode;
  /** Labels by their values, in their order; values that are whole numbers come first, ascending. */
  options: Readonly<Record<string, ReactNode>>;
  onChange?: ChoiceProps["onChange"];
}) {
  const { error, getInputProps } = useField(name);
  const choices = Object.entries(options);
  const id = useFieldId(name);
  return (
    <fieldset className={styles.fieldset}>
      <legend className={styles.legend}>{legend}</legend>
      <div className={choices.length > 5 ? styles.choiceColumns : styles.choiceGroup}>
        {choices.map(([value, label], index) => (
          <Choice
            key={value}
            {...getInputProps<ChoiceProps>({
              type,
              id: index === 0 ? id : `${id}-${value}`,
              value,
              onChange,
              "aria-invalid": error ? true : undefined,
              "aria-describedby": error ? `${id}-error` : undefined,
            })}
          >
            {label}
          </Choice>
        ))}
      </div>
      <FieldError name={id} error={error} />
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
  onChange?: ChoiceProps["onChange"];
}) {
  const { error, getInputProps } = useField(name);
  const id = useFieldId(name);
  return (
    <div>
      <Choice
        {...getInputProps<ChoiceProps>({
          type: "checkbox",
          id,
          value: "true",
          onChange,
          "aria-invalid": error ? true : undefined,
          "aria-describedby": describedBy(id, { error, hint }),
        })}
      >
        {label}
      </Choice>
      <FieldHint name={id} hint={hint} />
      <FieldError name={id} error={error} />
    </div>
  );
}
