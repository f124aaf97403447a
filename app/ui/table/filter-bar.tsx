// Without script: a GET form, and links for what is chosen or taken away with one press.
import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { visuallyHidden } from "#styles/global.css";
import { createdChoices, describeFilter, type List } from "../../forms/list";
import { Button, ButtonLink } from "../form/button";
import { InputField, SelectField, useFollowingFields } from "../form/field";
import * as form from "../form/form.css";
import { Icon } from "../icon/icon";
import * as css from "./filter-bar.css";
import { EmptyState } from "./list-notes";
import { useListUrl } from "./list-url";

type Options = readonly (readonly [value: string, label: string])[];

type FilterBarProps = {
  list: List;
  data: {
    /** The filters that are set: parameters and values. */
    filters: readonly (readonly [string, string])[];
    /** Values of the fields as the URL has them, valid or not. */
    typed: Record<string, string>;
    filterErrors: Record<string, string>;
  };
  /** Options that are read from the database, by parameter. */
  options?: Record<string, Options>;
  /** The ids of <datalist>s, by parameter. */
  suggestions?: Record<string, string>;
  /** The <datalist>s, and choices beside those by time of creation. */
  children?: ReactNode;
};

/** Returns changes of the URL that take all filters away. */
export function withoutFilters({ filters }: List): Record<string, string> {
  return Object.fromEntries(Object.values(filters).map(({ param }) => [param, ""]));
}

/** A card above a list with the fields of its filters; on phones they are folded. */
export function FilterBar({ children, ...props }: FilterBarProps) {
  const { list, data, options = {} } = props;
  const url = useListUrl(list);
  const set = new Map(data.filters);
  const filters = new Map(Object.values(list.filters).map((filter) => [filter.param, filter]));
  // One filter may cover another: taking it away takes both.
  const covered = [...filters.keys()].filter((name) => !set.has(name) && !data.filterErrors[name]);
  const withoutCovered = Object.fromEntries(covered.map((name) => [name, ""]));
  return (
    <section aria-label="Filters" className={css.bar}>
      <details className={css.fold} open={Object.keys(data.filterErrors).length > 0}>
        <summary className={css.summary}>
          <Icon name="chevron-down" size="small" /> Filters
        </summary>
        <FilterForm {...props} kept={url.kept} />
      </details>
      <div className={css.choices}>
        {filters.has("created") && (
          <>
            <span id="quick-choices">Created:</span>
            <ul aria-labelledby="quick-choices" className={css.list}>
              {Object.entries(createdChoices).map(([value, words]) => (
                <li key={value}>
                  <FilterChip
                    to={url({ created: value, created_after: "", created_before: "" })}
                    isChosen={set.get("created") === value}
                  >
                    {words}
                  </FilterChip>
                </li>
              ))}
            </ul>
          </>
        )}
        {children}
        {set.size > 0 && (
          <ul aria-label="Active filters" className={`${css.list} ${css.end}`}>
            {data.filters.map(([name, value]) => (
              <li key={name}>
                <Link
                  to={url({ ...withoutCovered, [name]: "" })}
                  preventScrollReset
                  className={css.active}
                >
                  <span className={visuallyHidden}>Remove </span>
                  {describeFilter(filters.get(name)!, labelOf(value, options[name]))}
                  <Icon name="close" size="small" />
                </Link>
              </li>
            ))}
            <li>
              <Link to={url(withoutFilters(list))} preventScrollReset>
                Clear all
              </Link>
            </li>
          </ul>
        )}
      </div>
    </section>
  );
}

function FilterForm({
  list: { filters, fields = [], moreFields = [] },
  data: { typed, filterErrors },
  options = {},
  suggestions = {},
  kept,
}: FilterBarProps & { kept: Record<string, string> }) {
  const element = useFollowingFields(typed);
  const params = Object.values(filters).map(({ param }) => param);
  const hidden = ["sort", "per_page", "hide", ...params].filter(
    (name) => kept[name] && !(name in typed),
  );
  const field = (param: string) => {
    const filter = Object.values(filters).find((candidate) => candidate.param === param)!;
    const { kind, choices, fieldLabel, anyLabel = "Any" } = filter;
    const selectable = options[param] ?? (choices && Object.entries(choices));
    return selectable ? (
      <SelectField key={param} name={param} defaultValue={typed[param]} label={fieldLabel}>
        <option value="">{anyLabel}</option>
        {selectable.map(([option, label]) => (
          <option key={option} value={option}>
            {label}
          </option>
        ))}
      </SelectField>
    ) : (
      <InputField
        key={param}
        name={param}
        defaultValue={typed[param]}
        label={
          <>
            {fieldLabel}
            {kind === "day" && <span className={form.labelNote}> DD/MM/YYYY</span>}
          </>
        }
        error={filterErrors[param]}
        inputMode={kind === "text" ? undefined : "numeric"}
        list={suggestions[param]}
      />
    );
  };
  return (
    <Form
      ref={element}
      id="filters"
      method="get"
      role="search"
      preventScrollReset
      className={css.form}
    >
      {hidden.map((name) => (
        <input key={name} type="hidden" name={name} defaultValue={kept[name]} />
      ))}
      <div className={css.fields}>{fields.map(field)}</div>
      {moreFields.length > 0 && (
        <details open={moreFields.some((name) => typed[name] !== "")}>
          <summary id="more-filters" className={css.summary}>
            <Icon name="chevron-down" size="small" /> More filters
          </summary>
          <div className={css.fields}>{moreFields.map(field)}</div>
        </details>
      )}
      <div>
        <Button variant="primary" id="apply-filters">
          Apply
        </Button>
      </div>
    </Form>
  );
}

function labelOf(value: string, options: Options = []): string {
  return options.find(([option]) => option === value)?.[1] ?? value;
}

type FilterChipProps = { to: string; isChosen: boolean; children: string };

/** A link that sets a filter with one press. */
export function FilterChip({ to, isChosen, children }: FilterChipProps) {
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

/** Stands in the place of rows when the filters leave none. */
export function NothingMatches({
  list,
  noun,
  title = "Nothing matches",
  reason = `No ${noun} has all that the filters above ask for.`,
  clearLabel = "Clear the filters",
}: {
  list: List;
  /** Names a row. */
  noun: string;
  title?: string;
  reason?: string;
  clearLabel?: string;
}) {
  const url = useListUrl(list);
  return (
    <EmptyState
      icon="search"
      title={title}
      reason={reason}
      action={<ButtonLink to={url(withoutFilters(list))}>{clearLabel}</ButtonLink>}
    />
  );
}
