// Without script: ticks are posted with the form; the count is that of the page that comes back.
import { shownAtMost, type MachineChoice } from "../../features/machines/machine-choices";
import * as panels from "../../features/machines/machine-selector.css";
import * as form from "../../ui/form/form.css";
import { SubmitButton } from "../../ui/form/submit-button";
import { addIntent, fieldNames } from "./dialog-actions";
import * as styles from "./machines.css";

export function AvailablePanel({
  list,
  search,
  ticked,
  onTick,
  isAdding,
}: {
  list: { shown: MachineChoice[]; total: number };
  search: string;
  ticked: readonly string[];
  onTick: (ticked: readonly string[]) => void;
  isAdding: boolean;
}) {
  const isTicked = new Set(ticked);
  const selected = list.shown.filter((machine) => isTicked.has(machine.serialNumber)).length;
  return (
    <section className={panels.panel} aria-labelledby="available-machines">
      <header className={panels.panelHead}>
        <h3 id="available-machines" className={panels.panelTitle} tabIndex={-1}>
          Available Machines <span className={panels.count}>{list.total}</span>
        </h3>
        <a className={panels.skip} href="#add-selected">
          Skip the machine list
        </a>
      </header>
      {list.total === 0 && <p className={panels.empty}>Every machine is assigned.</p>}
      <ul className={panels.list}>
        {list.shown.map((machine) => (
          <li key={machine.serialNumber}>
            <label className={panels.machine}>
              <input
                className={form.checkbox}
                type="checkbox"
                name={fieldNames.machines}
                value={machine.serialNumber}
                defaultChecked={isTicked.has(machine.serialNumber)}
                onChange={({ currentTarget: { checked, value } }) =>
                  onTick(checked ? [...ticked, value] : ticked.filter((serial) => serial !== value))
                }
              />
              <span className={styles.rowWords}>
                {machine.humanName}
                <span className={panels.serialNumber}>{machine.serialNumber}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {list.total > list.shown.length && (
        <p className={panels.more}>
          {Math.min(list.shown.length, shownAtMost)} of {list.total} shown.{" "}
          {search ? "" : "Search to find the others."}
        </p>
      )}
      <div className={styles.panelFoot}>
        <p role="status">Selected: {selected}</p>
        <SubmitButton
          id="add-selected"
          name="intent"
          value={addIntent}
          size="small"
          isPending={isAdding}
          pendingLabel="Adding..."
        >
          Add Selected
        </SubmitButton>
      </div>
    </section>
  );
}
