// Without script: a GET form whose code field is empty and focused, so that the next scan fills it.
import { Form, useLoaderData, useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { SerialSuggestions } from "../../features/machines/serial-suggestions";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formLoader, formsAction } from "../../http/form-action.server";
import { requireEditor, requireUser } from "../../http/guards.server";
import { Button } from "../../ui/form/button";
import { InputField, optional } from "../../ui/form/field";
import { Page } from "../../ui/layout/page";
import { AnswerMessage, CodeCard, FixButtons, MachineChoices } from "./answer";
import * as css from "./check.css";
import { readCheckScreen } from "./check-screen.server";
import { runFix } from "./fixes.server";

// The answer comes first: without script it is what a new document is announced by.
export const meta = pageMeta<{ answer: { title: string } | null }>((data) => data?.answer?.title);

/** Tells whether a code would be accepted now, and why not (RULES R8). */
export const loader = formLoader(requireUser, readCheckScreen);

export const action = formsAction({ guard: requireEditor, forms: runFix });

export const clientAction = rerenderForm("Error changing code");

export default function CheckCode() {
  const { answer, input, machines, choices, machineError } = useLoaderData<typeof loader>();
  const code = useCodeField(input.code);
  return (
    <Page title="Check a code">
      <Form
        method="get"
        role="search"
        aria-label="Check a code"
        preventScrollReset
        className={css.form}
        onSubmit={code.onSubmit}
      >
        <InputField
          ref={code.ref}
          name="code"
          label="Code"
          hint="Type, paste or scan it. A check does not use the code."
          error={answer?.codeError}
          autoCapitalize="characters"
          spellCheck={false}
          enterKeyHint="go"
          className={css.code}
          // eslint-disable-next-line jsx-a11y/no-autofocus -- what this screen is opened for; a scanner types into it
          autoFocus
        />
        <InputField
          key={input.machine}
          name="machine"
          label={optional("Machine")}
          hint="Serial number or name."
          error={machineError}
          defaultValue={input.machine}
          spellCheck={false}
          list={machines.length > 0 ? "machines" : undefined}
        />
        <SerialSuggestions id="machines" machines={machines} />
        <Button variant="primary">Check</Button>
      </Form>
      {choices.length > 0 && <MachineChoices code={input.code} machines={choices} />}
      <div className={answer ? css.answer : undefined}>
        <div role="status">{answer && <AnswerMessage answer={answer} />}</div>
        {answer?.code && <FixButtons fixes={answer.code.fixes} />}
        {answer?.code && <CodeCard code={answer.code} />}
      </div>
    </Page>
  );
}

/**
 * With scripts the field shows what was asked about, selected: the next scan replaces it, also one
 * that begins before the answer is there. What is typed meanwhile is never touched.
 */
function useCodeField(checkedCode: string) {
  const ref = useRef<HTMLInputElement>(null);
  const lastCheckedCode = useRef("");
  const { key, hash } = useLocation();
  useEffect(() => {
    const field = ref.current;
    // Back leads to the answer about another code than the field has.
    const isUntouched = ["", checkedCode, lastCheckedCode.current].includes(field?.value ?? "");
    lastCheckedCode.current = checkedCode;
    if (!field || !isUntouched) return;
    field.value = checkedCode;
    // Focus stays if the user has moved on to another control, or follows a link to a part of the page.
    const active = document.activeElement;
    const isFree = active === field || active === document.body || field.form?.contains(active);
    if (isFree && hash === "") {
      field.focus();
      field.select();
    }
  }, [checkedCode, key, hash]);

  // Selected after the form has been sent, which happens right after this event.
  const onSubmit = () => setTimeout(() => ref.current?.select());
  return { ref, onSubmit };
}
