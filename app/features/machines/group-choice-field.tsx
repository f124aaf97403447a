// Without script: boxes; the button of the search, where there are many, posts the form, which comes back as it was typed.
import { useLocation } from "@remix-run/react";
import { useField } from "remix-validated-form";
import { Button } from "../../ui/form/button";
import { FieldError } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { searchedFrom, type GroupChoices } from "./group-choices";
import { groupNote } from "./group-view";
import * as styles from "./machine-selector.css";

/** Groups that something is assigned to; nothing where there are none. */
export function GroupChoiceField({ choices }: { choices: GroupChoices }) {
  const { error } = useField("groups");
  const { shown, total, selected, search } = choices;
  if (total === 0) return null;
  return (
    <fieldset className={form.fieldset} id="groups" tabIndex={-1}>
      <legend className={form.legend}>Machine groups</legend>
      <p className={form.hint}>
        All machines of a group accept the code, and those that join it later too.
      </p>
      <FieldError name="groups" error={error} />
      {total >= searchedFrom && <GroupSearch search={search} />}
      <ul className={`${styles.panel} ${styles.list}`}>
        {shown.map((group) => (
          <li key={group.id}>
            <label className={styles.machine}>
              <input
                className={form.checkbox}
                type="checkbox"
                name="groups"
                value={group.id}
                defaultChecked={selected.includes(group.id)}
              />
              <span className={styles.words}>
                {group.name}
                <span className={styles.note}>{groupNote(group)}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {shown.length < total && (
        <p className={form.hint}>
          {shown.length} of {total} groups shown. Search to find the others.
        </p>
      )}
    </fieldset>
  );
}

/** The answer has the groups that match at the top. */
function GroupSearch({ search }: { search: string }) {
  const formAction = `${useLocation().search}#groups`;
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
          aria-describedby="group_search-hint"
        />
        <Button name="intent" value="search-groups" formNoValidate formAction={formAction}>
          Search groups
        </Button>
      </div>
    </div>
  );
}
