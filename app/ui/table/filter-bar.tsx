// Without script: a GET form, and links for what is chosen or taken away with one press.
import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { visuallyHidden } from "#styles/global.css";
import { createdChoices } from "../../forms/list-filters";
import { Button } from "../form/button";
import { describedBy, Field } from "../form/field";
import { useFollowingFields } from "../form/following-fields";
import * as form from "../form/form.css";
import { Icon } from "../icon/icon";
import * as css from "./filter-bar.css";

/** A card above a list; on phones its form is folded. */
export function FilterBar({
  isOpen,
  fields,
  children,
}: {
  /** Folded or not, it is open: something in it is wrong. */
  isOpen: boolean;
  /** A `FilterForm`. */
  fields: ReactNode;
  /** What is chosen with one press. */
  children: ReactNode;
}) {
  return (
    <section aria-label="Filters" className={css.bar}>
      <details className={css.fold} open={isOpen}>
        <summary className={css.summary}>
          <Icon name="chevron-down" size="small" /> Filters
        </summary>
        {fields}
      </details>
      <div className={css.choices}>{children}</div>
    </section>
  );
}

/**
 * @param typed the values of the fields, by name: as the address has them, right or wrong
 * @param kept parameters that applying filters leaves alone
 */
export function FilterForm({
  typed,
  kept,
  children,
}: {
  typed: Record<string, string>;
  kept: readonly (readonly [name: string, value: string | undefined])[];
  children: ReactNode;
}) {
  const element = useFollowingFields(typed);
  return (
    <Form
      ref={element}
      id="filters"
      method="get"
      role="search"
      preventScrollReset
      className={css.form}
    >
      {kept.map(
        ([name, value]) =>
          value && <input key={name} type="hidden" name={name} defaultValue={value} />,
      )}
      {children}
      <div>
        <Button variant="primary" id="apply-filters">
          Apply
        </Button>
      </div>
    </Form>
  );
}

/** Fields side by side. */
export function FilterFields({ children }: { children: ReactNode }) {
  return <div className={css.fields}>{children}</div>;
}

/** Fields that are asked for less often. */
export function MoreFilters({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  return (
    <details open={isOpen}>
      <summary id="more-filters" className={css.summary}>
        <Icon name="chevron-down" size="small" /> More filters
      </summary>
      <FilterFields>{children}</FilterFields>
    </details>
  );
}

export function TextFilter({
  name,
  label,
  value,
  error,
  ...input
}: {
  name: string;
  label: ReactNode;
  value: string | undefined;
  error: string | undefined;
  inputMode?: "numeric" | undefined;
  list?: string | undefined;
}) {
  return (
    <Field name={name} label={label} error={error}>
      <input
        type="text"
        id={name}
        name={name}
        defaultValue={value}
        autoComplete="off"
        {...input}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(name, { error })}
        className={`${form.input} ${error ? form.inputError : ""}`}
      />
    </Field>
  );
}

export function DayFilter(props: {
  name: string;
  label: string;
  value: string | undefined;
  error: string | undefined;
}) {
  const label = (
    <>
      {props.label} <span className={form.labelNote}>DD/MM/YYYY</span>
    </>
  );
  return <TextFilter {...props} label={label} inputMode="numeric" />;
}

export function ChoiceFilter({
  name,
  label,
  value,
  any = "Any",
  options,
}: {
  name: string;
  label: string;
  value: string | undefined;
  /** What choosing none means. */
  any?: string;
  /** Values and their words; as pairs where the order matters. */
  options: Record<string, string> | readonly [value: string, words: string][];
}) {
  return (
    <Field name={name} label={label}>
      <select id={name} name={name} defaultValue={value} className={form.select}>
        <option value="">{any}</option>
        {(Array.isArray(options) ? options : Object.entries(options)).map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** 'last 7 days' and so on. */
export function CreatedChoices({
  chosen,
  addressOf,
}: {
  chosen: string | undefined;
  addressOf: (value: string) => string;
}) {
  return (
    <>
      <span id="quick-choices">Created:</span>
      <ul aria-labelledby="quick-choices" className={css.list}>
        {Object.entries(createdChoices).map(([value, words]) => (
          <li key={value}>
            <FilterChip to={addressOf(value)} isChosen={chosen === value}>
              {words}
            </FilterChip>
          </li>
        ))}
      </ul>
    </>
  );
}

export function FilterChip({
  to,
  isChosen,
  children,
}: {
  to: string;
  isChosen: boolean;
  children: string;
}) {
  return (
    <Link
      to={to}
      preventScrollReset
      aria-current={isChosen ? "true" : undefined}
      className={css.chip}
    >
      {children}
    </Link>
  );
}

/** Each filter that is set, as a link that takes it away. */
export function ActiveFilters({
  filters,
  without,
  withoutAny,
}: {
  filters: readonly { name: string; words: string }[];
  /** The address without one of them. */
  without: (name: string) => string;
  withoutAny: string;
}) {
  if (filters.length === 0) return null;
  return (
    <ul aria-label="Active filters" className={`${css.list} ${css.end}`}>
      {filters.map(({ name, words }) => (
        <li key={name}>
          <Link to={without(name)} preventScrollReset className={css.active}>
            <span className={visuallyHidden}>Remove </span>
            {words}
            <Icon name="close" size="small" />
          </Link>
        </li>
      ))}
      <li>
        <Link to={withoutAny} preventScrollReset>
          Clear all
        </Link>
      </li>
    </ul>
  );
}
