// Without script: a GET form; 'Show preview' loads the page with what is chosen in its address.
import { Form, useNavigation } from "@remix-run/react";
import { useEffect, useRef, type ReactNode } from "react";
import type { LabelField } from "../../features/labels/label-options";
import { Button } from "../../ui/form/button";
import {
  Choice,
  describedBy,
  ErrorSummary,
  FieldError,
  FieldHint,
  InputField,
  SelectField,
  useFollowingFields,
} from "../../ui/form/field";
import * as styles from "../../ui/form/form.css";
import * as css from "./labels.css";
import type { LabelScreen } from "./screen.server";

type FormProps = { form: LabelScreen["form"] };

export function LabelForm({ form }: FormProps) {
  const { typed, caption, problems } = form;
  const element = useFollowingFields({ ...typed, caption });
  const isPending = useNavigation().location?.pathname.endsWith("/labels") ?? false;
  const length = (name: LabelField, label: string) => (
    <NumberField name={name} label={label} form={form} inputMode="decimal" />
  );
  return (
    <Form
      ref={element}
      method="get"
      preventScrollReset
      // Back shows what the address says, not what was chosen after it.
      autoComplete="off"
      className={`${styles.form} ${css.form}`}
    >
      <Problems problems={problems} />
      <SelectField
        name="format"
        label="Labels"
        hint="The number is on the pack; other makers name it too."
        error={problems.format}
        defaultValue={typed.format}
      >
        {form.groups.map(({ label, formats }) => (
          <optgroup key={label} label={label}>
            {formats.map(([format, name]) => (
              <option key={format} value={format}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectField>

      <fieldset className={`${styles.fieldset} ${css.onlyGrid}`}>
        <legend className={styles.legend}>Columns and rows of your own</legend>
        <FieldHint name="grid" hint="Lengths in millimetres. The labels fill what is left." />
        <div className={css.own}>
          <Choices
            form={form}
            name="paper"
            legend="Paper"
            options={{ a4: "A4", letter: "US Letter" }}
          />
          <div className={css.numbers}>
            <NumberField name="columns" label="Columns" form={form} inputMode="numeric" />
            <NumberField name="rows" label="Rows" form={form} inputMode="numeric" />
            {length("gap_columns", "Gap between columns")}
            {length("gap_rows", "Gap between rows")}
            {length("margin_top", "Top margin")}
            {length("margin_bottom", "Bottom margin")}
            {length("margin_left", "Left margin")}
            {length("margin_right", "Right margin")}
          </div>
        </div>
      </fieldset>

      <fieldset className={`${styles.fieldset} ${css.onlySingle}`}>
        <legend className={styles.legend}>Label of your own size, in millimetres</legend>
        <div className={`${css.own} ${css.numbers}`}>
          {length("width", "Width")}
          {length("height", "Height")}
        </div>
      </fieldset>

      <div className={css.onlySheets}>
        <NumberField
          name="first"
          label="First label"
          hint="Where the first sheet begins, for half-used sheets. Counted row by row from 1."
          form={form}
          inputMode="numeric"
        />
      </div>

      <Captions form={form} />
      <Choices
        form={form}
        name="error_correction"
        legend="Error correction"
        hint="How much of the QR code may be dirty or scratched. More makes its modules smaller."
        options={{ L: "L, 7 %", M: "M, 15 %", Q: "Q, 25 %", H: "H, 30 %" }}
      />
      <div className={css.onlySheets}>
        <Choices
          form={form}
          name="cut"
          legend="For cutting"
          hint="For plain paper; bought sheets are cut already."
          options={{ none: "Nothing", crop: "Crop marks", lines: "Lines" }}
        />
      </div>
      <div className={styles.formActions}>
        <Button aria-disabled={isPending || undefined}>
          {isPending ? "Loading..." : "Show preview"}
        </Button>
      </div>
    </Form>
  );
}

/** Takes the focus when it has something new to say. */
function Problems({ problems }: Pick<LabelScreen["form"], "problems">) {
  const summary = useRef<HTMLDivElement>(null);
  const lastProblems = useRef(problems);
  useEffect(() => {
    if (lastProblems.current === problems) return;
    lastProblems.current = problems;
    summary.current?.focus();
  }, [problems]);
  const errors = Object.entries(problems).map(([field, message]) => ({ field, message }));
  return errors.length > 0 ? <ErrorSummary ref={summary} errors={errors} /> : null;
}

function NumberField({
  name,
  label,
  hint,
  form: { typed, problems },
  inputMode,
}: FormProps & {
  name: LabelField;
  label: string;
  hint?: string;
  inputMode: "numeric" | "decimal";
}) {
  return (
    <InputField
      name={name}
      label={label}
      hint={hint}
      error={problems[name]}
      defaultValue={typed[name]}
      inputMode={inputMode}
      className={styles.short}
    />
  );
}

function Choices({
  form: { typed, problems },
  name,
  legend,
  hint,
  options,
}: FormProps & {
  name: LabelField;
  legend: ReactNode;
  hint?: string;
  options: Record<string, string>;
}) {
  const error = problems[name];
  return (
    <fieldset className={styles.fieldset} aria-describedby={describedBy(name, { error, hint })}>
      <legend className={styles.legend}>{legend}</legend>
      <FieldHint name={name} hint={hint} />
      <div className={styles.choiceGroup}>
        {Object.entries(options).map(([value, label], index) => (
          <Choice
            key={value}
            type="radio"
            id={index === 0 ? name : `${name}-${value}`}
            name={name}
            value={value}
            defaultChecked={typed[name] === value}
          >
            {label}
          </Choice>
        ))}
      </div>
      <FieldError name={name} error={error} />
    </fieldset>
  );
}

const parts = { name: "Name", discount: "Discount", expiry: "Expiration date" } as const;

function Captions({ form: { caption, problems } }: FormProps) {
  return (
    <fieldset className={styles.fieldset} aria-describedby="caption-hint">
      <legend className={styles.legend}>Printed beside the QR code</legend>
      <FieldHint name="caption" hint="The code itself, XXXX-XXXX-XXXX, is always printed." />
      {/* Says that the boxes were there, should none be ticked. */}
      <input type="hidden" name="caption" value="code" />
      <div className={styles.choiceGroup}>
        {Object.entries(parts).map(([part, label], index) => (
          <Choice
            key={part}
            type="checkbox"
            id={index === 0 ? "caption" : `caption-${part}`}
            name="caption"
            value={part}
            defaultChecked={caption.some((one) => one === part)}
          >
            {label}
          </Choice>
        ))}
      </div>
      <FieldError name="caption" error={problems.caption} />
    </fieldset>
  );
}
