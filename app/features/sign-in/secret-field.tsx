// Without script: a text to select, focused by the browser.
import { useEffect, useRef, useState, type ReactNode } from "react";
import { isHydrated } from "../../ui/overlay/focus";
import { CopyButton } from "../../ui/form/copy-button";
import { Field } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import * as css from "./secret-field.css";

/** A secret that was just made or revealed, selected for copying. It exists in this page only. */
export function SecretField({
  label,
  hint,
  secret,
}: {
  label: string;
  hint: ReactNode;
  secret: string;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [isFromDocument] = useState(() => !isHydrated());

  // A document's own is focused by the browser.
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  return (
    <Field name="secret" label={label} hint={hint}>
      <div className={css.line}>
        <textarea
          ref={field}
          id="secret"
          rows={2}
          readOnly
          value={secret}
          autoComplete="off"
          spellCheck={false}
          aria-describedby="secret-hint"
          className={`${form.input} ${css.secret}`}
          onFocus={(event) => event.currentTarget.select()}
          // eslint-disable-next-line jsx-a11y/no-autofocus -- the answer to what was just sent, where no script runs
          autoFocus={isFromDocument}
        />
        <CopyButton text={secret} />
      </div>
    </Field>
  );
}
