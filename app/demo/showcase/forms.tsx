import type { ComponentProps } from "react";
import { Button, ButtonLink } from "../../ui/form/button";
import { Choice, describedBy, Field, InputField, SelectField } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { cardSection } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import * as shared from "../demo.css";
import * as css from "./pages.css";
import type { ShowcaseProps } from "./showcase-props";

const stars = ["Jane", "Lucy", "Mary", "Zoe"];

export function FormElementsPage() {
  return (
    <div className={shared.columns.medium}>
      <Card className={cardSection}>
        <h2>Horizontal form</h2>
        <form className={css.horizontal}>
          <InputField name="normal" label="Normal field" placeholder="May have a placeholder" />
          <InputField name="hint" label="Label hint" hint="Some help text" />
          <InputField name="disabled" label="Disabled input" disabled value="Disabled" readOnly />
          <InputField name="max" label="Max length of 3" maxLength={3} />
          <AddonField name="prepended" label="Prepended input" before="@" placeholder="User name" />
          <InputField
            name="secret"
            type="password"
            label="Password"
            placeholder="Min 8 characters"
            autoComplete="new-password"
          />
          <AddonField name="appended" label="Appended input" after=".00" />
          <AddonField
            name="combined"
            label="Combined"
            hint="Min length 10"
            maxLength={10}
            before="$"
            after=".00"
          />
          <FormButtons />
        </form>
      </Card>
      <Card className={cardSection}>
        <h2>Default form</h2>
        <form className={form.form}>
          <InputField name="email" type="email" label="Email address" placeholder="Enter email" />
          <InputField
            name="password"
            type="password"
            label="Password"
            autoComplete="current-password"
          />
          <FormButtons />
        </form>
      </Card>
      <Card className={cardSection}>
        <h2>Selects</h2>
        <SelectField name="plain" label="Default select">
          {stars.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <SelectField name="grouped" label="Grouped select">
          {["Sky", "Sea"].map((group) => (
            <optgroup key={group} label={group}>
              <option>{`${group} blue`}</option>
              <option>{`${group} green`}</option>
            </optgroup>
          ))}
        </SelectField>
      </Card>
      <Card className={cardSection}>
        <h2>Sizes</h2>
        <InputField name="short" label="Short" className={form.short} />
        <InputField name="medium" label="Medium" className={form.medium} />
        <InputField name="full" label="Full width" />
      </Card>
      <Card className={cardSection}>
        <h2>Checkboxes and radios</h2>
        <fieldset>
          <legend className={form.legend}>Checkboxes</legend>
          {["First", "Second", "Third"].map((name, index) => (
            <Choice key={name} type="checkbox" name="box" value={name} defaultChecked={index === 0}>
              {name}
            </Choice>
          ))}
          <Choice type="checkbox" name="box" value="off" disabled>
            Disabled
          </Choice>
        </fieldset>
        <fieldset>
          <legend className={form.legend}>Radios</legend>
          {["One", "Two"].map((name, index) => (
            <Choice key={name} type="radio" name="radio" value={name} defaultChecked={index === 0}>
              {name}
            </Choice>
          ))}
        </fieldset>
        <InputField name="wrong" label="Input with an error" error="Enter a number" />
        <InputField name="right" label="Input without an error" hint="This one is fine" />
      </Card>
      <Card className={cardSection}>
        <h2>Text areas</h2>
        <TextArea name="text" label="Default" rows={4} />
        <TextArea name="long" label="Larger" rows={8} />
      </Card>
    </div>
  );
}

type AddonFieldProps = Pick<ComponentProps<"input">, "maxLength" | "placeholder"> & {
  name: string;
  label: string;
  hint?: string;
  before?: string;
  after?: string;
};

/** An input with fixed text at its ends. */
function AddonField({ name, label, hint, before, after, ...input }: AddonFieldProps) {
  return (
    <Field name={name} label={label} hint={hint}>
      <span className={css.addons}>
        {before && <span className={css.addon}>{before}</span>}
        <input
          {...input}
          type="text"
          id={name}
          name={name}
          aria-describedby={describedBy(name, { hint })}
          className={form.input}
        />
        {after && <span className={css.addon}>{after}</span>}
      </span>
    </Field>
  );
}

function TextArea({ name, label, rows }: { name: string; label: string; rows: number }) {
  return (
    <Field name={name} label={label}>
      <textarea id={name} name={name} rows={rows} className={form.textArea} />
    </Field>
  );
}

function FormButtons() {
  return (
    <div className={form.formActions}>
      <Button type="button" variant="primary">
        Save changes
      </Button>
      <Button type="reset">Cancel</Button>
    </div>
  );
}

/** Validate only marks the first field: there is no rule. */
export function FormValidationPage({ query }: ShowcaseProps) {
  const isMarked = query.has("validate");
  return (
    <Card className={cardSection}>
      <h2>Dead simple validation</h2>
      <p>No rule is checked. Validate marks the first field, so that its error can be seen.</p>
      <form className={form.form}>
        <InputField
          name="first"
          label="Required field"
          defaultValue={query.get("first")?.slice(0, 200) ?? ""}
          error={isMarked ? "This field is marked as an error." : null}
        />
        <InputField
          name="second"
          label="Second field"
          defaultValue={query.get("second")?.slice(0, 200) ?? ""}
        />
        <div className={form.formActions}>
          <Button variant="primary" name="validate" value="1">
            Validate
          </Button>
          <ButtonLink to="?">Cancel</ButtonLink>
        </div>
      </form>
    </Card>
  );
}
