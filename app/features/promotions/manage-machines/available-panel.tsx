// Without script: ticks are posted with the form; the count is that of the page that comes back.
import type { ReactNode } from "react";
import * as form from "../../../ui/form/form.css";
import { SubmitButton } from "../../../ui/form/submit-button";
import { maxShown, type MachineChoice } from "../../machines/machine-choices";
import { groupNote } from "../../machines/group-view";
import * as panels from "../../machines/machine-selector.css";
import { addIntent, fieldNames, type Ticked } from "./dialog-actions";
import type { GroupList } from "./machine-lists";
import * as styles from "./machines-dialog.css";

type AvailablePanelProps = {
  list: { shown: MachineChoice[]; total: number };
  groups: GroupList;
  search: string;
  ticked: Ticked;
  onTick: (ticked: Ticked) => void;
  isAdding: boolean;
};

export function AvailablePanel({
  list,
  groups,
  search,
  ticked,
  onTick,
  isAdding,
}: AvailablePanelProps) {
  const isTicked = new Set(ticked.machines);
  const isTickedGroup = new Set(ticked.groups);
  const selected =
    list.shown.filter((machine) => isTicked.has(machine.serialNumber)).length +
    groups.shown.filter((group) => isTickedGroup.has(group.id)).length;
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
      {groups.total > 0 && (
        <>
          <h4 id="available-groups" className={styles.groupsTitle}>
            Groups <span className={panels.count}>{groups.total}</span>
          </h4>
          <ul className={styles.groups} aria-labelledby="available-groups">
            {groups.shown.map((group) => (
              <Choice
                key={group.id}
                name={fieldNames.groups}
                value={group.id}
                isTicked={isTickedGroup.has(group.id)}
                onTick={(groupIds) => onTick({ ...ticked, groups: groupIds(ticked.groups) })}
              >
                {group.name}
                <span className={panels.note}>{groupNote(group)}</span>
              </Choice>
            ))}
          </ul>
          {groups.total > groups.shown.length && (
            <p className={panels.more}>
              {groups.shown.length} of {groups.total} groups shown.{" "}
              {search ? "" : "Search to find the others."}
            </p>
          )}
        </>
      )}
      {list.total === 0 && <p className={panels.empty}>Every machine is assigned.</p>}
      <ul className={panels.list} aria-labelledby="available-machines">
        {list.shown.map((machine) => (
          <Choice
            key={machine.serialNumber}
            name={fieldNames.machines}
            value={machine.serialNumber}
            isTicked={isTicked.has(machine.serialNumber)}
            onTick={(serials) => onTick({ ...ticked, machines: serials(ticked.machines) })}
          >
            {machine.humanName}
            <span className={panels.serialNumber}>{machine.serialNumber}</span>
          </Choice>
        ))}
      </ul>
      {list.total > list.shown.length && (
        <p className={panels.more}>
          {Math.min(list.shown.length, maxShown)} of {list.total} shown.{" "}
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

function Choice({
  name,
  value,
  isTicked,
  onTick,
  children,
}: {
  name: string;
  value: string;
  isTicked: boolean;
  /** Gets what makes of the ticked ones those that are ticked now. */
  onTick: (change: (ticked: readonly string[]) => string[]) => void;
  children: ReactNode;
}) {
  return (
    <li>
      <label className={panels.machine}>
        <input
          className={form.checkbox}
          type="checkbox"
          name={name}
          value={value}
          defaultChecked={isTicked}
          onChange={({ currentTarget: { checked } }) =>
            onTick((ticked) =>
              checked ? [...ticked, value] : ticked.filter((other) => other !== value),
            )
          }
        />
        <span className={panels.words}>{children}</span>
      </label>
    </li>
  );
}
