// Without script: each Remove button posts the form; 'Unassign All' asks on the page that comes back.
import { useEffect, type MouseEvent, type ReactNode } from "react";
import { paths } from "../../../paths";
import { Badge } from "../../../ui/feedback/badge";
import { Button, IconButton } from "../../../ui/form/button";
import { isHydrated } from "../../../ui/overlay/hydration";
import { maxShown } from "../../machines/machine-choices";
import type { GroupChoice } from "../../machines/machine-group";
import { groupNote } from "../../machines/group-view";
import * as panels from "../../machines/machine-selector.css";
import {
  fieldNames,
  removeGroupIntent,
  removeIntent,
  unassignAllIntent,
  type DialogAnswer,
} from "./dialog-actions";
import type { DialogView } from "./dialog-view";
import type { AssignedMachine, groupsWithPending, withPending } from "./machine-lists";
import * as styles from "./machines-dialog.css";
import { useDialogAction } from "./use-dialog-actions";

type Question = { isOpen: boolean; onToggle: (isOpen: boolean) => void };

type AssignedPanelProps = {
  list: ReturnType<typeof withPending>["assigned"];
  groups: ReturnType<typeof groupsWithPending>;
  words: DialogView;
  isReadOnly: boolean;
  search: string;
  address: string;
  onAnswer: (answer: DialogAnswer) => void;
  question: Question;
};

export function AssignedPanel({
  list,
  groups,
  words,
  isReadOnly,
  search,
  address,
  onAnswer,
  question,
}: AssignedPanelProps) {
  const isEmpty = list.total === 0;
  const hasGroups = groups.assigned.length > groups.leaving.size || groups.arriving.length > 0;
  const canUnassign = !isReadOnly && (!isEmpty || hasGroups);
  const row = { isReadOnly, address, onAnswer };
  return (
    <section className={panels.panel} aria-labelledby="assigned-machines">
      <header className={panels.panelHead}>
        <h3 id="assigned-machines" className={panels.panelTitle} tabIndex={-1}>
          Assigned Machines <span className={panels.count}>{list.total}</span>
        </h3>
        {canUnassign && (
          <Button
            id="unassign-all"
            size="small"
            formMethod="get"
            formAction={`${address.split("?")[0]}#unassign-question`}
            name={fieldNames.question}
            value="1"
            aria-expanded={question.isOpen}
            onClick={(event) => {
              event.preventDefault();
              question.onToggle(true);
            }}
          >
            Unassign All
          </Button>
        )}
      </header>
      {canUnassign && question.isOpen && (
        <UnassignQuestion words={words} address={address} {...question} />
      )}
      {(groups.assigned.length > 0 || groups.arriving.length > 0) && (
        <>
          {hasGroups && (
            <h4 id="assigned-groups" className={styles.groupsTitle}>
              Groups
            </h4>
          )}
          <ul className={styles.groups} aria-label="Assigned groups">
            {groups.assigned.map((group) => (
              <AssignedRow
                key={group.id}
                {...row}
                intent={removeGroupIntent(group.id)}
                label={`Remove the group ${group.name}`}
                isLeaving={groups.leaving.has(group.id)}
              >
                <GroupTargetLine group={group} />
              </AssignedRow>
            ))}
            {groups.arriving.map((group) => (
              <ArrivingRow key={group.id}>
                <GroupTargetLine group={group} />
              </ArrivingRow>
            ))}
          </ul>
        </>
      )}
      {isEmpty && list.leaving.size === 0 && (
        <p className={panels.empty}>{hasGroups ? "No machine assigned by itself." : words.none}</p>
      )}
      {isAllDeleted(list.shown) && !isEmpty && !hasGroups && (
        <p className={styles.note}>{words.allDeleted}</p>
      )}
      <ul className={panels.list}>
        {list.shown.map((machine) => (
          <AssignedRow
            key={machine.serialNumber}
            {...row}
            intent={removeIntent(machine.serialNumber)}
            label={`Remove ${machine.humanName || machine.serialNumber}, ${machine.serialNumber}`}
            isLeaving={list.leaving.has(machine.serialNumber)}
          >
            <MachineView machine={machine} />
          </AssignedRow>
        ))}
        {list.arriving.map((machine) => (
          <ArrivingRow key={machine.serialNumber}>
            <MachineView machine={{ ...machine, isDeleted: false }} />
          </ArrivingRow>
        ))}
      </ul>
      {list.total > maxShown && (
        <p className={panels.more}>
          {maxShown} of {list.total} shown. {search ? "" : "Search to find the others."}
        </p>
      )}
    </section>
  );
}

function isAllDeleted(machines: readonly AssignedMachine[]): boolean {
  return machines.length > 0 && machines.every((machine) => machine.isDeleted);
}

function AssignedRow({
  intent,
  label,
  isLeaving,
  isReadOnly,
  address,
  onAnswer,
  children,
}: Pick<AssignedPanelProps, "isReadOnly" | "address" | "onAnswer"> & {
  intent: string;
  /** What the button does. */
  label: string;
  isLeaving: boolean;
  children: ReactNode;
}) {
  const removal = useDialogAction(address, onAnswer);

  function remove(event: MouseEvent<HTMLButtonElement>) {
    event.preventDefault();
    const row = event.currentTarget.closest("li");
    const next = row?.nextElementSibling ?? row?.previousElementSibling;
    const target = next?.querySelector("button") ?? document.getElementById("assigned-machines");
    target?.focus();
    removal.send(intent);
  }

  // It stays mounted: a refusal brings it back.
  if (isLeaving) return null;
  return (
    <li className={styles.row}>
      {children}
      {!isReadOnly && (
        <IconButton icon="trash" label={label} name="intent" value={intent} onClick={remove} />
      )}
    </li>
  );
}

function ArrivingRow({ children }: { children: ReactNode }) {
  return (
    <li className={styles.row}>
      {children}
      <span className={panels.count}>Adding...</span>
    </li>
  );
}

function MachineView({ machine }: { machine: AssignedMachine }) {
  return (
    <span className={panels.words}>
      {machine.humanName}
      <span className={panels.serialNumber}>{machine.serialNumber}</span>
      {machine.isDeleted && <Badge tone="bad">Deleted from SmartVend</Badge>}
    </span>
  );
}

function GroupTargetLine({ group }: { group: GroupChoice }) {
  return (
    <span className={panels.words}>
      <a href={paths.machineGroup(group.id)}>{group.name}</a>
      <span className={panels.note}>{groupNote(group)}</span>
    </span>
  );
}

function UnassignQuestion({
  words,
  address,
  onToggle,
}: { words: DialogView; address: string } & Question) {
  // A page that opens with the question is focused by its own address.
  useEffect(() => {
    if (isHydrated()) document.getElementById("keep-machines")?.focus();
  }, []);

  return (
    <div
      id="unassign-question"
      className={styles.question}
      role="group"
      aria-labelledby="unassign-words"
      tabIndex={-1}
    >
      <p id="unassign-words">{words.question}</p>
      <div className={styles.tools}>
        <Button variant="danger" size="small" name="intent" value={unassignAllIntent}>
          Yes, unassign all
        </Button>
        <Button
          size="small"
          formMethod="get"
          formAction={`${address.split("?")[0]}#assigned-machines`}
          id="keep-machines"
          onClick={(event) => {
            event.preventDefault();
            onToggle(false);
            document.getElementById("unassign-all")?.focus();
          }}
        >
          Keep them
        </Button>
      </div>
    </div>
  );
}
