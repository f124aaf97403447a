// Without script: an input or a <select> of the form around it.
import { visuallyHidden } from "#styles/global.css";
import { capitalized } from "../../format/text";
import type { Filter } from "../../lists/list";
import { InputField, SelectField } from "../form/field";
import * as form from "../form/form.css";

export type FilterOptions = readonly (readonly [value: string, label: string])[];

type FilterFieldProps = {
  filter: Filter;
  isSearch: boolean;
  value: string | undefined;
  error: string | undefined;
  options: FilterOptions | undefined;
  /** The id of its <datalist>. */
  list: string | undefined;
};

/** A field for a value that is chosen or typed. */
export function FilterField({ filter, isSearch, value, options, ...field }: FilterFieldProps) {
  const { kind, param, choices, fieldLabel, anyLabel = "Any" } = filter;
  const known = options ?? (choices && Object.entries(choices));
  // The record of an id may be gone; its filter stays when another one is applied.
  const isGone = kind === "id" && value && !field.error && !known?.some(([id]) => id === value);
  const selectable = known && isGone ? [...known, [value, value] as const] : known;
  return selectable ? (
    <SelectField name={param} defaultValue={value} label={fieldLabel} error={field.error}>
      <option value="">{anyLabel}</option>
      {selectable.map(([option, label]) => (
        <option key={option} value={option}>
          {choices ? capitalized(label) : label}
        </option>
      ))}
    </SelectField>
  ) : (
    <InputField
      {...field}
      name={param}
      defaultValue={value}
      type={isSearch ? "search" : "text"}
      placeholder={isSearch ? fieldLabel : undefined}
      label={
        <span className={isSearch ? visuallyHidden : undefined}>
          {fieldLabel}
          {kind === "day" && <span className={form.labelNote}> DD/MM/YYYY, inclusive</span>}
        </span>
      }
      inputMode={kind === "text" ? undefined : "numeric"}
    />
  );
}
