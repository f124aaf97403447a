/** Restores input that was not sent when Back leads to its form, as browsers do for documents (RULES H6). */
import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import { fillField, type TextControl } from "./fill-field";

/** Text, or whether a choice is ticked. */
type State = string | boolean;

/** Bounds what is remembered, in memory alone. */
const maxForms = 20;
/** Fields that were changed in forms that were left, by the history entry and the id of the form. */
const leftForms = new Map<string, Map<string, State>>();

/** Secrets are not remembered, and no script fills a field for files. */
const isExcluded = ({ type }: TextControl) =>
  /^(hidden|password|file|submit|button|reset|fieldset|output)$/.test(type);

/**
 * Remembers the fields that differ from the form's initial state when it is left, and fills them in when its entry of the
 * history is shown again. A form that was sent is not remembered.
 */
export function useInputRestoredOnBack(form: RefObject<HTMLFormElement>): void {
  const { key } = useLocation();
  const { formMethod } = useNavigation();
  // A page that is read again in its place has another key.
  const last = useRef({ key, formMethod });
  useEffect(() => {
    last.current = { key, formMethod };
  }, [key, formMethod]);

  // Before other effects of the page, which read what was entered before it was hydrated.
  useLayoutEffect(() => {
    const element = form.current!;
    const nameInHistory = () => `${last.current.key} ${element.id}`;
    const initial = statesIn(element, initialState);
    restore(element, leftForms.get(nameInHistory()));
    leftForms.delete(nameInHistory());
    return () => {
      const isSent = /post/i.test(last.current.formMethod ?? "");
      const changed = [...statesIn(element)].filter(([name, state]) => initial.get(name) !== state);
      if (isSent || changed.length === 0) return;
      leftForms.set(nameInHistory(), new Map(changed));
      if (leftForms.size > maxForms) leftForms.delete(leftForms.keys().next().value!);
    };
  }, [form]);
}

/** Fields that appear once others are filled in are filled in afterwards. */
function restore(form: HTMLFormElement, states: Map<string, State> = new Map()): void {
  const controls = controlsIn(form);
  const missing = new Map(states);
  for (const [name, state] of states) {
    const control = controls.get(name);
    if (!control) continue;
    missing.delete(name);
    if (isChoice(control)) tick(control, state as boolean);
    else fillField(control, state as string);
    const folded = control.closest("details");
    if (folded) folded.open = true;
  }
  if (missing.size > 0 && missing.size < states.size)
    requestAnimationFrame(() => restore(form, missing));
}

/** A click would also do what follows a press, which has been done: it clears other fields or moves the focus. */
function tick(control: HTMLInputElement, isTicked: boolean): void {
  control.checked = isTicked;
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

function statesIn(form: HTMLFormElement, stateOf = currentState): Map<string, State> {
  return new Map([...controlsIn(form)].map(([name, control]) => [name, stateOf(control)]));
}

const currentState = (control: TextControl): State =>
  isChoice(control) ? control.checked : control.value;

/** Returns what the page was sent with: fields can be filled in before its scripts run. */
function initialState(control: TextControl): State {
  if (control instanceof HTMLSelectElement)
    return [...control.options].find((option) => option.defaultSelected)?.value ?? control.value;
  return isChoice(control) ? control.defaultChecked : control.defaultValue;
}

/** Returns fields by names of their own: those of choices end with their values, those of others with a number. */
function controlsIn(form: HTMLFormElement): Map<string, TextControl> {
  const controls = ([...form.elements] as TextControl[]).filter((control) => !isExcluded(control));
  const numberOf = (control: TextControl) =>
    controls.filter(({ name }) => name === control.name).indexOf(control);
  return new Map(
    controls.map((control) => [
      `${control.name} ${isChoice(control) ? control.value : numberOf(control)}`,
      control,
    ]),
  );
}

function isChoice(control: TextControl): control is HTMLInputElement {
  return control.type === "checkbox" || control.type === "radio";
}
