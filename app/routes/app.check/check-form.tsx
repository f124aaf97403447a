// Without script: a GET form whose code field is empty and focused, so that the next scan fills it.
import { Form, useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import {
  SerialSuggestions,
  type SerialSuggestion,
} from "../../features/machines/serial-suggestions";
import { Button } from "../../ui/form/button";
import { describedBy, Field } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import * as css from "./check.css";

type CheckFormProps = {
  typed: { code: string; machine: string };
  machines: readonly SerialSuggestion[];
  machineError: string | null;
};

export function CheckForm({ typed, machines, machineError }: CheckFormProps) {
  const code = useCodeField(typed.code);
  return (
    <Form
      method="get"
      role="search"
      aria-label="Check a code"
      preventScrollReset
      className={css.form}
      onSubmit={code.onSubmit}
    >
      <Field name="code" label="Code" hint="Type, paste or scan it. Checking uses nothing up.">
        <input
          ref={code.ref}
          type="text"
          id="code"
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          enterKeyHint="go"
          aria-describedby={describedBy("code", { hint: true })}
          className={`${form.input} ${css.code}`}
          // eslint-disable-next-line jsx-a11y/no-autofocus -- what this screen is opened for; a scanner types into it
          autoFocus
        />
      </Field>
      <Field
        name="machine"
        label={
          <>
            Machine <span className={form.labelNote}>optional</span>
          </>
        }
        hint="The serial number, to see what this machine would say."
        error={machineError ?? undefined}
      >
        <input
          type="text"
          id="machine"
          name="machine"
          key={typed.machine}
          defaultValue={typed.machine}
          autoComplete="off"
          spellCheck={false}
          list={machines.length > 0 ? "machines" : undefined}
          aria-invalid={machineError ? true : undefined}
          aria-describedby={describedBy("machine", { hint: true, error: machineError })}
          className={`${form.input} ${machineError ? form.inputError : ""}`}
        />
      </Field>
      <SerialSuggestions id="machines" machines={machines} />
      <Button variant="primary">Check</Button>
    </Form>
  );
}

/**
 * With scripts the field shows what was asked about, selected: the next scan replaces it, also one
 * that begins before the answer is there. What is typed meanwhile is never touched.
 */
function useCodeField(asked: string) {
  const ref = useRef<HTMLInputElement>(null);
  const { key } = useLocation();
  useEffect(() => {
    const field = ref.current;
    if (!field || (field.value !== "" && field.value !== asked)) return;
    field.value = asked;
    // Focus stays if the user has moved on to another control.
    const active = document.activeElement;
    if (active === field || active === document.body || field.form?.contains(active)) {
      field.focus();
      field.select();
    }
  }, [asked, key]);

  // Once the form is on its way, which is right after this.
  const onSubmit = () => setTimeout(() => ref.current?.select());
  return { ref, onSubmit };
}
