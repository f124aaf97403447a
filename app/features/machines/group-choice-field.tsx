// Without script: boxes; the button of the search, where there are many, posts the form, which comes back as it was typed.
import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useField } from "remix-validated-form";
import { Button } from "../../ui/form/button";
import { FieldError } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { matchingGroupsFirst, searchedFrom, type GroupChoices } from "./group-choices";
import * as styles from "./machine-selector.css";
import { groupNote } from "./group-words";

/** Groups that something is assigned to; nothing where there are none. */
export function GroupChoiceField({ choices }: { choices: GroupChoices }) {
  const { error } = useField("groups");
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const [search, setSearch] = useState(choices.search);
  const isSelected = new Set(choices.selected);
  const isWhole = choices.shown.length === choices.total;

  // What was typed before the scripts arrived is in the page, not yet in the state.
  useEffect(() => {
    const typed = fieldset.current?.querySelector<HTMLInputElement>("[name=group_search]");
    if (typed) setSearch(typed.value);
  }, []);

  if (choices.total === 0) return null;
  return (
    <fieldset className={form.fieldset} id="groups" tabIndex={-1} ref={fieldset}>
      <legend className={form.legend}>Machine groups</legend>
      <p className={form.hint}>
        All machines of a group accept the code, and those that join it later too.
      </p>
      <FieldError name="groups" error={error} />
      {choices.total >= searchedFrom && (
        <GroupSearch search={choices.search} isWhole={isWhole} onSearch={setSearch} />
      )}
      <ul className={`${styles.panel} ${styles.list}`}>
        {matchingGroupsFirst(choices.shown, isWhole ? search : choices.search).map((group) => (
          <li key={group.id}>
            <label className={styles.machine}>
              <input
                className={form.checkbox}
                type="checkbox"
                name="groups"
                value={group.id}
                defaultChecked={isSelected.has(group.id)}
              />
              <span className={styles.words}>
                {group.name}
                <span className={styles.note}>{groupNote(group)}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {!isWhole && (
        <p className={form.hint}>
          {choices.shown.length} of {choices.total} groups shown. Search to find the others.
        </p>
      )}
    </fieldset>
  );
}

function GroupSearch({
  search,
  isWhole,
  onSearch,
}: {
  search: string;
  /** Every group is on the page: the browser searches by itself. */
  isWhole: boolean;
  onSearch: (search: string) => void;
}) {
  const formAction = `${useLocation().search}#groups`;
  function stay(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === "Enter" && isWhole) event.preventDefault();
  }
  return (
    <div className={styles.search}>
      <label className={form.label} htmlFor="group_search">
        Search groups
      </label>
      <p className={form.hint} id="group_search-hint">
        By name. Groups that match come first.
      </p>
      <div className={styles.searchRow}>
        <input
          className={form.input}
          id="group_search"
          name="group_search"
          type="search"
          autoComplete="off"
          defaultValue={search}
          onChange={({ currentTarget }) => onSearch(currentTarget.value)}
          onKeyDown={stay}
          aria-describedby="group_search-hint"
        />
        <Button
          name="intent"
          value="search-groups"
          formNoValidate
          formAction={formAction}
          onClick={(event) => {
            if (isWhole) event.preventDefault();
          }}
        >
          Search groups
        </Button>
      </div>
    </div>
  );
}
