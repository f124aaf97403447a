// Without script: a GET form; 'Show preview' loads the page with what is chosen in its address.
import { useLoaderData, useLocation, useNavigation, useSubmit } from "@remix-run/react";
import { useEffect, useRef, type FormEvent, type ReactNode } from "react";
import type { LabelField } from "../../features/labels/label-options";
import { formatNumber } from "../../format/number";
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
import type { loader } from "./loader.server";
import type { LabelScreen } from "./screen.server";

/** The buttons of files stand outside of the form. */
export const formId = "labels";

/** Returns the form as it was filled, on a page that has one. */
function useLabelForm(): LabelScreen["form"] {
  return useLoaderData<typeof loader>().screen!.form;
}

export function LabelForm() {
  const form = useLabelForm();
  const element = useFollowingFields(form.values);
  const isPending = useNavigation().location?.pathname.endsWith("/labels") ?? false;
  const submit = useSubmit();

  /** Leaves files to the browser, and loads the preview without a document. */
  function follow(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (submitter?.hasAttribute("formaction")) return;
    event.preventDefault();
    submit(event.currentTarget, { preventScrollReset: true });
  }

  return (
    <form
      ref={element}
      id={formId}
      method="get"
      onSubmit={follow}
      // Back shows what the address says, not what was chosen after it.
      autoComplete="off"
      className={`${styles.form} ${css.form}`}
    >
      <FocusedErrors errors={form.errors} />
      <CodeFields />
      <FormatField />
      <GridFields />
      <fieldset className={`${styles.fieldset} ${css.onlySingle}`}>
        <legend className={styles.legend}>Custom label size, in millimetres</legend>
        <div className={`${css.own} ${css.numbers}`}>
          <NumberField name="width" label="Width" />
          <NumberField name="height" label="Height" />
        </div>
      </fieldset>

      <div className={css.onlySheets}>
        <NumberField
          name="first"
          label="First label"
          hint="Position of the first label on a partly used sheet. Count row by row from 1."
        />
      </div>

      <Choices
        type="checkbox"
        name="caption"
        legend="Printed beside the QR code"
        hint="The code is always printed."
        options={{ name: "Name", discount: "Discount", expiry: "Expiration date" }}
      >
        {/* Says that the boxes were there, should none be ticked. */}
        <input type="hidden" name="caption" value="code" />
      </Choices>
      <Choices
        name="error_correction"
        legend="Error correction"
        hint="How much of the QR code may be dirty or scratched. A higher level makes its modules (squares) smaller."
        options={{ L: "L, 7%", M: "M, 15%", Q: "Q, 25%", H: "H, 30%" }}
      />
      <div className={css.onlySheets}>
        <Choices
          name="cut"
          legend="Crop marks"
          hint="For plain paper. Label sheets are already cut."
          options={{ none: "None", crop: "Corners", lines: "Lines" }}
        />
      </div>
      <div className={styles.formActions}>
        <Button aria-disabled={isPending || undefined}>
          {isPending ? "Loading..." : "Show preview"}
        </Button>
      </div>
    </form>
  );
}

function CodeFields() {
  const { range, sheetNoun, added, values, errors } = useLabelForm();
  return (
    <>
      {added.length > 0 && (
        <SelectField
          name="added"
          label="Choose from"
          error={errors.added}
          defaultValue={values.added}
        >
          <option value="">All codes</option>
          {added.map(([id, text]) => (
            <option key={id} value={id}>
              {text}
            </option>
          ))}
        </SelectField>
      )}
      <Choices
        name="codes"
        legend={range ? "Codes to print" : "Print this code"}
        hint="Inactive, expired and used-up codes are not redeemable."
        options={
          range
            ? { redeemable: "Redeemable codes", all: "All codes" }
            : { redeemable: "If it is redeemable", all: "In any case" }
        }
      />
      {range && (
        <fieldset className={styles.fieldset} aria-describedby="range-hint">
          <legend className={styles.legend}>Part of the codes</legend>
          <FieldHint
            name="range"
            hint={`Leave empty to print all. Codes are numbered 1 to ${formatNumber(range.codes)} in the order of the archive, ${sheetNoun}s as they are printed. To print a ${sheetNoun} again, enter its codes: ${sheetNoun}s are numbered anew once codes are redeemed.`}
          />
          <div className={`${css.own} ${css.numbers}`}>
            <NumberField name="from_code" label="First code" />
            <NumberField name="to_code" label="Last code" />
            <NumberField name="from_sheet" label={`First ${sheetNoun}`} />
            <NumberField name="to_sheet" label={`Last ${sheetNoun}`} />
          </div>
        </fieldset>
      )}
    </>
  );
}

function FormatField() {
  const { groups, values, errors } = useLabelForm();
  return (
    <SelectField
      name="format"
      label="Label format"
      hint="The Avery number is on the pack. Other brands list it as compatible."
      error={errors.format}
      defaultValue={values.format}
    >
      {groups.map(({ label, formats }) => (
        <optgroup key={label} label={label}>
          {formats.map(([format, name]) => (
            <option key={format} value={format}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  );
}

const gridLabels: { [Name in LabelField]?: string } = {
  columns: "Columns",
  rows: "Rows",
  gap_columns: "Gap between columns",
  gap_rows: "Gap between rows",
  margin_top: "Top margin",
  margin_bottom: "Bottom margin",
  margin_left: "Left margin",
  margin_right: "Right margin",
};

function GridFields() {
  return (
    <fieldset className={`${styles.fieldset} ${css.onlyGrid}`} aria-describedby="grid-hint">
      <legend className={styles.legend}>Custom columns and rows</legend>
      <FieldHint name="grid" hint="Lengths in millimetres. The labels fill the remaining space." />
      <div className={css.own}>
        <Choices name="paper" legend="Paper" options={{ a4: "A4", letter: "US Letter" }} />
        <div className={css.numbers}>
          {Object.entries(gridLabels).map(([name, label]) => (
            <NumberField key={name} name={name as LabelField} label={label} />
          ))}
        </div>
      </div>
    </fieldset>
  );
}

/** Takes the focus when a preview was asked for, and leaves it where it is when the page is only read again. */
function FocusedErrors({ errors }: Pick<LabelScreen["form"], "errors">) {
  const summary = useRef<HTMLDivElement>(null);
  const { key } = useLocation();
  const last = useRef({ errors, key });
  useEffect(() => {
    const isRead = last.current.errors !== errors;
    // A link from the summary to a field is another location, too, which reads nothing.
    if (isRead && last.current.key !== key) summary.current?.focus();
    last.current = { errors, key };
  }, [errors, key]);
  const items = Object.entries(errors).map(([field, message]) => ({ href: `#${field}`, message }));
  return items.length > 0 ? <ErrorSummary ref={summary} errors={items} /> : null;
}

function NumberField({ name, ...field }: { name: LabelField; label: string; hint?: string }) {
  const { values, errors } = useLabelForm();
  const isWhole = !/^(margin|gap|width|height)/.test(name);
  return (
    <InputField
      {...field}
      name={name}
      error={errors[name]}
      defaultValue={values[name]}
      inputMode={isWhole ? "numeric" : "decimal"}
      className={styles.short}
    />
  );
}

function Choices({
  type = "radio",
  name,
  legend,
  hint,
  options,
  children,
}: {
  type?: "radio" | "checkbox";
  name: LabelField | "caption";
  legend: string;
  hint?: string;
  options: Record<string, string>;
  children?: ReactNode;
}) {
  const { values, errors } = useLabelForm();
  const error = errors[name];
  const chosen: string[] = [values[name]].flat();
  return (
    <fieldset className={styles.fieldset} aria-describedby={describedBy(name, { error, hint })}>
      <legend className={styles.legend}>{legend}</legend>
      <FieldHint name={name} hint={hint} />
      {children}
      <div className={styles.choiceGroup}>
        {Object.entries(options).map(([value, label], index) => (
          <Choice
            key={value}
            type={type}
            id={index === 0 ? name : `${name}-${value}`}
            name={name}
            value={value}
            defaultChecked={chosen.includes(value)}
          >
            {label}
          </Choice>
        ))}
      </div>
      <FieldError name={name} error={error} />
    </fieldset>
  );
}
