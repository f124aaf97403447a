// Without script: a GET form.
import { Form } from "@remix-run/react";
import { machineList } from "../../features/machines/machine-list";
import { paths } from "../../paths";
import { Button, ButtonLink } from "../../ui/form/button";
import { Field } from "../../ui/form/field";
import { useFollowingFields } from "../../ui/form/following-fields";
import * as form from "../../ui/form/form.css";
import { withoutFilters } from "../../ui/table/filter-bar";
import { useListUrl } from "../../ui/table/list-url";
import * as css from "./list.css";
import type { MachineListData } from "./route";

export function SearchForm({ list }: { list: MachineListData }) {
  const listUrl = useListUrl(machineList);
  const element = useFollowingFields(list.typed);
  const field = (name: string, label: string) => (
    <Field name={name} label={label}>
      <input
        type="search"
        id={name}
        name={name}
        defaultValue={list.typed[name]}
        autoComplete="off"
        className={form.input}
      />
    </Field>
  );
  return (
    <Form
      ref={element}
      id="filters"
      method="get"
      action={paths.machines}
      role="search"
      aria-label="Machines"
      preventScrollReset
      className={`${css.bar} ${css.search}`}
    >
      {["sort", "per_page"].map(
        (name) =>
          listUrl.kept[name] && (
            <input key={name} type="hidden" name={name} value={listUrl.kept[name]} />
          ),
      )}
      {field("serial_number", "Serial number")}
      {field("name", "Name")}
      <div className={css.buttons}>
        <Button variant="primary" icon="search" id="search-machines">
          Search
        </Button>
        {list.filters.length > 0 && (
          <ButtonLink to={listUrl(withoutFilters(machineList))} variant="quiet">
            Clear filters
          </ButtonLink>
        )}
      </div>
    </Form>
  );
}
