// Without script: a GET form whose buttons unfold its fields, and links for what is chosen or taken away with one press.
import { Form, Link, useNavigate } from "@remix-run/react";
import { useEffect, useRef, type FormEvent, type ReactNode } from "react";
import { visuallyHidden } from "#styles/global.css";
import { capitalized } from "../../format/text";
import { createdChoices, moreFilters, type Filter, type List } from "../../lists/list";
import { Button } from "../form/button";
import { button } from "../form/button.css";
import { useFollowingFields } from "../form/field";
import { Icon } from "../icon/icon";
import { DetailsMenu } from "../overlay/details-menu";
import * as css from "./filter-bar.css";
import { FilterField, type FilterOptions } from "./filter-field";
import { useListUrl } from "../table/list-url";

type FilterBarProps = {
  list: List;
  data: {
    /** The filters that are set: parameters and values. */
    filters: readonly (readonly [string, string])[];
    /** Values of the fields as the URL has them, valid or not. */
    values: Record<string, string>;
    filterErrors: Record<string, string>;
    /** Names of the records whose ids are filters, by parameter. */
    filterNames?: Record<string, string | undefined>;
  };
  /** Options that are read from the database, by parameter. */
  options?: Record<string, FilterOptions>;
  /** The ids of <datalist>s, by parameter. */
  suggestions?: Record<string, string>;
  /** The <datalist>s. */
  children?: ReactNode;
};

/** Returns changes of the URL that take all filters away. */
export function withoutFilters({ filters }: List): Record<string, string> {
  const cleared = Object.values(filters).filter(({ isView }) => !isView);
  return Object.fromEntries(cleared.map(({ param }) => [param, ""]));
}

/** One row above a list: the search, a button for each group of filters, and what is set beneath. */
export function FilterBar({ children, ...props }: FilterBarProps) {
  const { list, data, options = {} } = props;
  const url = useListUrl(list);
  const filters = new Map(Object.values(list.filters).map((filter) => [filter.param, filter]));
  const active = new Map(
    data.filters.map(([name, value]) => {
      const choice = filters.get(name)?.choices?.[value] ?? data.filterNames?.[name];
      return [name, choice ?? options[name]?.find(([option]) => option === value)?.[1] ?? value];
    }),
  );
  // One filter may cover another: taking it away takes both.
  const covered = [...filters]
    .filter(([name, { isView }]) => !isView && !active.has(name) && !data.filterErrors[name])
    .map(([name]) => name);
  const withoutCovered = Object.fromEntries(covered.map((name) => [name, ""]));
  return (
    <section aria-label="Filters" className={css.bar}>
      <FilterForm {...props} filters={filters} active={active} />
      {children}
      {active.size > 0 && (
        <ul aria-label="Active filters" className={css.list}>
          {[...active].map(([name, label]) => (
            <li key={name}>
              <Link
                to={url({ ...withoutCovered, [name]: "" })}
                preventScrollReset
                className={css.active}
              >
                <span className={visuallyHidden}>Remove </span>
                {describeFilter(filters.get(name)!, label)}
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
    </section>
  );
}

type FilterFormProps = FilterBarProps & {
  filters: ReadonlyMap<string, Filter>;
  /** Labels of the values that are set, by parameter. */
  active: ReadonlyMap<string, string>;
};

function FilterForm({
  list,
  data: { values, filterErrors },
  options = {},
  suggestions = {},
  filters,
  active,
}: FilterFormProps) {
  const url = useListUrl(list);
  const navigate = useNavigate();
  const { search, filterGroups = {} } = list;
  const element = useFollowingFields(values);
  const hidden = ["sort", "per_page", "hide", "show", ...filters.keys()].filter(
    (name) => url.params[name] && !(name in values),
  );
  const field = (param: string) => (
    <FilterField
      key={param}
      filter={filters.get(param)!}
      isSearch={param === search}
      value={values[param]}
      error={filterErrors[param]}
      options={options[param]}
      list={suggestions[param]}
    />
  );

  const isApplied = useRef(false);
  useEffect(() => {
    // Its group is open by now, and would close when the focus moved elsewhere.
    if (isApplied.current)
      element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    isApplied.current = false;
  }, [element, filterErrors]);

  /** Navigates to a URL without the parameters of empty fields. */
  function apply(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    isApplied.current = true;
    const params = new URLSearchParams();
    for (const [name, value] of new FormData(event.currentTarget))
      if (value !== "") params.append(name, `${value}`);
    const path = list.path ?? location.pathname;
    navigate(params.size > 0 ? `${path}?${params}` : path + (list.emptySearch ?? ""), {
      preventScrollReset: true,
    });
  }

  return (
    <Form
      ref={element}
      id="filters"
      method="get"
      role="search"
      preventScrollReset
      className={css.form}
      onSubmit={apply}
    >
      {hidden.map((name) => (
        <input key={name} type="hidden" name={name} defaultValue={url.params[name]} />
      ))}
      {search && <div className={css.search}>{field(search)}</div>}
      {Object.entries(filterGroups).map(([label, params]) => (
        <FilterGroup
          key={label}
          label={label}
          params={params}
          url={url}
          sets={{ filters, active }}
          isOpen={params.some((param) => filterErrors[param])}
        >
          {params.map(field)}
        </FilterGroup>
      ))}
      <Button variant="quiet" id="apply-filters">
        Apply
      </Button>
    </Form>
  );
}

type SetFilters = Pick<FilterFormProps, "filters" | "active">;

type FilterGroupProps = {
  label: string;
  params: readonly string[];
  url: ReturnType<typeof useListUrl>;
  sets: SetFilters;
  isOpen: boolean;
  children: ReactNode;
};

/** A button that unfolds the fields of a group; days have quick choices above them. */
function FilterGroup({ label, params, url, sets, isOpen, children }: FilterGroupProps) {
  return (
    <DetailsMenu
      isOpen={isOpen}
      group="filters"
      className={css.group}
      summaryClass={button.default}
      summary={
        <>
          {`${describeGroup(label, params, sets)} `}
          <Icon name="chevron-down" size="small" />
        </>
      }
    >
      <div className={css.fields}>
        {params.includes("created_after") && (
          <QuickChoices label={label} url={url} chosen={sets.active.get("created")} />
        )}
        {children}
      </div>
    </DetailsMenu>
  );
}

/** Names the values of a group as its chips do, or the number of those that are set if they have no name or no room. */
function describeGroup(
  label: string,
  params: readonly string[],
  { filters, active }: SetFilters,
): string {
  const names = params.includes("created_after") ? ["created", ...params] : params;
  const set = names.filter((name) => active.has(name));
  const [first] = set;
  const isNamed = label !== moreFilters;
  if (!first) return isNamed ? `${label}: any` : label;
  const chip = describeFilter(filters.get(first)!, active.get(first)!);
  const isChip = set.length === 1 && chip.startsWith(label);
  const text = isChip
    ? chip
    : `${label}: ${set.map((name) => describeValue(filters.get(name)!, active.get(name)!)).join(" – ")}`;
  return isNamed && set.length < 3 && text.length < 40 ? text : `${label} (${set.length})`;
}

type QuickChoicesProps = {
  label: string;
  url: ReturnType<typeof useListUrl>;
  chosen: string | undefined;
};

/** Links that set the time with one press. */
function QuickChoices({ label, url, chosen }: QuickChoicesProps) {
  return (
    <ul aria-label={label} className={css.list}>
      {Object.entries(createdChoices).map(([value, choice]) => (
        <li key={value}>
          <Link
            to={url({ created: value, created_after: "", created_before: "" })}
            preventScrollReset
            aria-current={chosen === choice ? "true" : undefined}
            className={css.chip}
          >
            {capitalized(choice)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Describes a filter that is set: 'Status: Used up'. Values without a label describe themselves. */
function describeFilter(filter: Filter, value: string): string {
  const text = describeValue(filter, value);
  return `${filter.label}: ${filter.kind === "flag" ? text.toLowerCase() : text}`;
}

/** Dates are typed with slashes and shown with dots (RULES T4). */
function describeValue({ kind, choices }: Filter, value: string): string {
  return choices?.[value] ?? (kind === "day" ? value.replaceAll("/", ".") : value);
}
