// Without script: the three buttons post the whole form, which comes back as it was typed.
import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { useField } from "remix-validated-form";
import { FieldError } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { Button } from "../../ui/form/button";
import { visuallyHidden } from "#styles/global.css";
import { maxShown, type MachineChoice, type MachineChoices } from "./machine-choices";
import { useSelection } from "./machine-selection";
import * as styles from "./machine-selector.css";

/**
 * Two panels (core §2): a tick in the first moves a machine to the second, and back.
 *
 * The Search button is the first submit button of the form on purpose: without scripts, Enter in
 * any field presses the first one, and it must never be the one that creates.
 */
export function MachineSelector({
  choices,
  hint = "A code is accepted only at the machines it is assigned to.",
  noneSelected = "No machine selected: no machine will accept the code yet.",
}: {
  choices: MachineChoices;
  hint?: string;
  /** In the place of the selected machines. */
  noneSelected?: string;
}) {
  const { error } = useField("machines");
  const { available, selected, search, ...own } = useSelection(choices);
  const selectorButton = useSelectorButton();

  return (
    <fieldset className={form.fieldset} id="machines" tabIndex={-1} ref={own.fieldset}>
      <legend className={form.legend}>Machines</legend>
      <p className={form.hint}>
        {hint}{" "}
        <a className={styles.skip} href="#after-machines">
          Skip the machine list
        </a>
      </p>
      <FieldError name="machines" error={error} />
      <div className={styles.search}>
        <label className={form.label} htmlFor="machine_search">
          Search machines
        </label>
        <p className={form.hint} id="machine_search-hint">
          By serial number or name.
        </p>
        <div className={styles.searchRow}>
          <input
            className={form.input}
            id="machine_search"
            name="machine_search"
            type="search"
            autoComplete="off"
            defaultValue={search}
            onChange={own.onSearch}
            onKeyDown={own.onSearchKeyDown}
            aria-describedby="machine_search-hint"
          />
          <Button {...selectorButton} value="search-machines">
            Search
          </Button>
        </div>
      </div>
      <div className={styles.panels}>
        <Panel
          id="available-machines"
          title="Available Machines"
          count={available.total}
          button={
            <Button {...selectorButton} value="select-all" size="small" onClick={own.onSelectAll}>
              Select All
            </Button>
          }
        >
          <MachineList
            machines={available.shown}
            isSelected={false}
            onToggle={own.onToggle}
            empty={search ? "No machine matches the search." : "Every machine is selected."}
          />
          {available.total > available.shown.length && (
            <p className={styles.more}>
              {available.shown.length} of {available.total} shown. Search to find the others.
            </p>
          )}
        </Panel>
        <Panel
          id="selected-machines"
          title="Selected Machines"
          count={selected.length}
          button={
            <Button
              {...selectorButton}
              value="unselect-all"
              size="small"
              onClick={own.onUnselectAll}
            >
              Unselect All
            </Button>
          }
        >
          <MachineList
            machines={selected.slice(0, maxShown)}
            isSelected
            onToggle={own.onToggle}
            empty={noneSelected}
          />
          {selected.slice(maxShown).map(({ serialNumber }) => (
            <input key={serialNumber} type="hidden" name="machines" value={serialNumber} />
          ))}
          {selected.length > maxShown && (
            <p className={styles.more}>And {selected.length - maxShown} more.</p>
          )}
        </Panel>
      </div>
      <p className={visuallyHidden} role="status">
        {own.announcement}
      </p>
      <span id="after-machines" tabIndex={-1} />
    </fieldset>
  );
}

/** Posts the form as it stands; the page that comes back begins at the machines. */
function useSelectorButton() {
  // With the query, which a fragment alone would lose.
  const formAction = `${useLocation().search}#machines`;
  return { name: "intent", formNoValidate: true, formAction } as const;
}

function Panel({
  id,
  title,
  count,
  button,
  children,
}: {
  id: string;
  title: string;
  count: number;
  button: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <header className={styles.panelHead}>
        <h3 id={id} className={styles.panelTitle} tabIndex={-1}>
          {title} <span className={styles.count}>{count}</span>
        </h3>
        {button}
      </header>
      {children}
    </section>
  );
}

function MachineList({
  machines,
  isSelected,
  onToggle,
  empty,
}: {
  machines: readonly MachineChoice[];
  isSelected: boolean;
  onToggle: (machine: MachineChoice, isSelected: boolean) => void;
  empty: string;
}) {
  if (machines.length === 0) return <p className={styles.empty}>{empty}</p>;
  return (
    <ul className={styles.list}>
      {machines.map((machine) => (
        <li key={machine.serialNumber}>
          <label className={styles.machine}>
            <input
              className={form.checkbox}
              type="checkbox"
              name="machines"
              value={machine.serialNumber}
              defaultChecked={isSelected}
              onChange={(event) => onToggle(machine, event.currentTarget.checked)}
            />
            <span>
              {machine.humanName}
              <span className={styles.serialNumber}>{machine.serialNumber}</span>
            </span>
          </label>
        </li>
      ))}
    </ul>
  );
}
