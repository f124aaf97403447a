import type { ComponentProps } from "react";
import { Button, ButtonLink } from "../../ui/form/button";
import { Choice, Field, InputField, SelectField } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { parts } from "../../ui/layout/layout.css";
import * as css from "../demo.css";
import type { ShowcaseProps } from "./showcase-page";

const buttons = (
  <div className={form.formActions}>
    <Button type="button" variant="primary">
      Save changes
    </Button>
    <Button type="reset">Cancel</Button>
  </div>
);

const fields = (inputs: Record<string, Omit<ComponentProps<typeof InputField>, "name" | "ref">>) =>
  Object.entries(inputs).map(([name, input]) => <InputField key={name} name={name} {...input} />);

const options = (names: readonly string[]) =>
  names.map((name) => <option key={name}>{name}</option>);

const choices = (type: "checkbox" | "radio", legend: string, names: readonly string[]) => (
  <fieldset>
    <legend className={form.legend}>{legend}</legend>
    {names.map((name, index) => (
      <Choice
        key={name}
        type={type}
        name={type}
        value={name}
        defaultChecked={index === 0}
        disabled={name === "Disabled"}
      >
        {name}
      </Choice>
    ))}
  </fieldset>
);

export const formElementCards = {
  "Horizontal form": (
    <form className={css.horizontal}>
      {fields({
        normal: { label: "Normal field", placeholder: "May have a placeholder" },
        hint: { label: "Label hint", hint: "Some help text" },
        disabled: { label: "Disabled input", disabled: true, defaultValue: "Disabled" },
        max: { label: "Max length of 3", maxLength: 3 },
        combined: { label: "Combined", hint: "Min length 10", maxLength: 10, after: ".00" },
        secret: {
          type: "password",
          label: "Password",
          placeholder: "Min 8 characters",
          autoComplete: "new-password",
        },
      })}
      {buttons}
    </form>
  ),
  "Default form": (
    <form className={form.form}>
      {fields({
        email: { type: "email", label: "Email address", placeholder: "Enter email" },
        password: { type: "password", label: "Password", autoComplete: "current-password" },
      })}
      {buttons}
    </form>
  ),
  Selects: (
    <div className={parts}>
      <SelectField name="plain" label="Default select">
        {options(["Jane", "Lucy", "Mary", "Zoe"])}
      </SelectField>
      <SelectField name="grouped" label="Grouped select">
        <optgroup label="Sky">{options(["Sky blue", "Sky green"])}</optgroup>
        <optgroup label="Sea">{options(["Sea blue", "Sea green"])}</optgroup>
      </SelectField>
    </div>
  ),
  Sizes: fields({
    short: { label: "Short", className: form.short },
    medium: { label: "Medium", className: form.medium },
    full: { label: "Full width" },
  }),
  "Checkboxes and radios": (
    <>
      {choices("checkbox", "Checkboxes", ["First", "Second", "Third", "Disabled"])}
      {choices("radio", "Radios", ["One", "Two"])}
      {fields({ wrong: { label: "Input with an error", error: "Enter a number" } })}
    </>
  ),
  "Text areas": (
    <Field name="text" label="Default">
      <textarea id="text" name="text" rows={4} className={form.textArea} />
    </Field>
  ),
};

/** Validate only marks the first field: there is no rule. */
export function validationCards({ query }: ShowcaseProps) {
  const valueOf = (name: string) => query.get(name)?.slice(0, 200) ?? "";
  const error = query.has("validate") ? "This field is marked as an error." : null;
  return {
    "Dead simple validation": (
      <form className={form.form}>
        <p>No rule is checked. Validate marks the first field, so that its error can be seen.</p>
        {fields({
          first: { label: "Required field", defaultValue: valueOf("first"), error },
          second: { label: "Second field", defaultValue: valueOf("second") },
        })}
        <div className={form.formActions}>
          <Button variant="primary" name="validate" value="1">
            Validate
          </Button>
          <ButtonLink to="?">Cancel</ButtonLink>
        </div>
      </form>
    ),
  };
}
