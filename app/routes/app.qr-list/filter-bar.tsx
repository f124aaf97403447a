// Without script: a GET form, and links for what is chosen or taken away with one press.
import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { filterWords } from "../../features/promotions/filter-words";
import { promotionStatuses } from "../../features/promotions/promotion";
import { createdChoices, filterParameters } from "../../features/promotions/promotion-filters";
import { statusWords } from "../../features/promotions/promotion-words";
import { Button } from "../../ui/form/button";
import { Field, describedBy } from "../../ui/form/field";
import { useFollowingFields } from "../../ui/form/following-fields";
import * as form from "../../ui/form/form.css";
import { Icon } from "../../ui/icon/icon";
import { visuallyHidden } from "#styles/global.css";
import * as css from "./filter-bar.css";
import type { PromotionListData } from "./last-list";
import { useListUrl } from "./list-url";

export function FilterBar({ list }: { list: PromotionListData }) {
  const hasProblems = Object.keys(list.filterProblems).length > 0;
  return (
    <section aria-label="Filters" className={css.bar}>
      <details className={css.fold} open={hasProblems}>
        <summary className={css.summary}>
          <Icon name="chevron-down" size="small" /> Filters
        </summary>
        <FilterForm list={list} />
      </details>
      <Choices list={list} />
    </section>
  );
}

function FilterForm({ list }: { list: PromotionListData }) {
  const { kept } = useListUrl();
  const element = useFollowingFields(list.typed);
  const text = (name: string, label: ReactNode, inputMode?: "numeric") => {
    const error = list.filterProblems[name];
    return (
      <Field name={name} label={label} error={error}>
        <input
          type="text"
          id={name}
          name={name}
          defaultValue={list.typed[name]}
          autoComplete="off"
          inputMode={inputMode}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(name, { error })}
          className={`${form.input} ${error ? form.inputError : ""}`}
        />
      </Field>
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
      {["sort", "per_page", "hide", "created", "deleted"].map(
        (name) =>
          kept[name] && <input key={name} type="hidden" name={name} defaultValue={kept[name]} />,
      )}
      <div className={css.fields}>
        {text("created_after", <DateLabel>Created After</DateLabel>, "numeric")}
        {text("created_before", <DateLabel>Created Before</DateLabel>, "numeric")}
        {text("serial_number", "Serial Number")}
        {text("controller", "Name of Controller")}
        {text("text", "Name or code")}
      </div>
      <details open={list.isMoreOpen}>
        <summary id="more-filters" className={css.summary}>
          <Icon name="chevron-down" size="small" /> More filters
        </summary>
        <div className={css.fields}>
          <Choice list={list} name="type" label="Type" options={types} />
          <Choice list={list} name="status" label="Status" options={statuses} />
          <Choice list={list} name="is_used" label="Used" options={yesOrNo} />
          <Choice list={list} name="is_reusable" label="Reusable" options={yesOrNo} />
          <Choice list={list} name="is_expired" label="Expired" options={yesOrNo} />
          <Choice list={list} name="is_indefinite" label="Without end" options={yesOrNo} />
          {text("mass_generation_id", "Number of the mass generation", "numeric")}
          <Choice list={list} name="include_deleted" label="Deleted" options={included} />
        </div>
      </details>
      <div>
        <Button variant="primary" id="apply-filters">
          Apply
        </Button>
      </div>
    </Form>
  );
}

const types = { single: "Single", mass: "Mass Gen" };
const yesOrNo = { true: "Yes", false: "No" };
const included = { true: "Included" };
const statuses = Object.fromEntries(promotionStatuses.map((word) => [word, statusWords[word]]));

function DateLabel({ children }: { children: string }) {
  return (
    <>
      {children} <span className={form.labelNote}>DD/MM/YYYY</span>
    </>
  );
}

function Choice({
  list,
  name,
  label,
  options,
}: {
  list: PromotionListData;
  name: string;
  label: string;
  options: Record<string, string>;
}) {
  return (
    <Field name={name} label={label}>
      <select id={name} name={name} defaultValue={list.typed[name]} className={form.select}>
        <option value="">{name === "include_deleted" ? "Left out" : "Any"}</option>
        {Object.entries(options).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  );
}

function Choices({ list }: { list: PromotionListData }) {
  const listUrl = useListUrl();
  const chosen = list.filters.find(([name]) => name === "created")?.[1];
  const none = Object.fromEntries(filterParameters.map((name) => [name, ""]));
  return (
    <div className={css.choices}>
      <span id="quick-choices">Created:</span>
      <ul aria-labelledby="quick-choices" className={css.list}>
        {Object.entries(createdChoices).map(([value, words]) => (
          <li key={value}>
            <Link
              to={listUrl({ created: value, created_after: "", created_before: "" })}
              preventScrollReset
              aria-current={chosen === value ? "true" : undefined}
              className={css.chip}
            >
              {words}
            </Link>
          </li>
        ))}
      </ul>
      {list.isAdmin && (
        <Link
          to={listUrl({ ...none, deleted: "true" })}
          preventScrollReset
          aria-current={list.filters.some(([name]) => name === "deleted") ? "true" : undefined}
          className={css.chip}
        >
          Deleted
        </Link>
      )}
      {list.filters.length > 0 && (
        <ul aria-label="Active filters" className={`${css.list} ${css.end}`}>
          {list.filters.map(([name, value]) => (
            <li key={name}>
              <Link
                to={listUrl({ [name]: "", ...(value === "deleted" && { deleted: "" }) })}
                preventScrollReset
                className={css.active}
              >
                <span className={visuallyHidden}>Remove </span>
                {filterWords(name, value)}
                <Icon name="close" size="small" />
              </Link>
            </li>
          ))}
          <li>
            <Link to={listUrl(none)} preventScrollReset>
              Clear all
            </Link>
          </li>
        </ul>
      )}
    </div>
  );
}
