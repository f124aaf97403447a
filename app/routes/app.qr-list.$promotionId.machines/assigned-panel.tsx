// Without script: each Remove button posts the form; 'Unassign All' asks on the page that comes back.
import { useEffect, type MouseEvent } from "react";
import { shownAtMost } from "../../features/machines/machine-choices";
import * as panels from "../../features/machines/machine-selector.css";
import { Badge } from "../../ui/feedback/badge";
import { Button, IconButton } from "../../ui/form/button";
import { isHydrated } from "../../ui/overlay/hydration";
import { fieldNames, removeIntent, unassignAllIntent, type DialogAnswer } from "./dialog-actions";
import type { AssignedMachine, withPending } from "./machine-lists";
import * as styles from "./machines.css";
import { useDialogAction } from "./use-dialog-actions";

type Question = { isOpen: boolean; onToggle: (isOpen: boolean) => void };

export function AssignedPanel({
  list,
  groups,
  isReadOnly,
  search,
  address,
  onAnswer,
  question,
}: {
  list: ReturnType<typeof withPending>["assigned"];
  groups: { name: string; machineCount: number }[];
  isReadOnly: boolean;
  search: string;
  address: string;
  onAnswer: (answer: DialogAnswer) => void;
  question: Question;
}) {
  const isEmpty = list.total === 0;
  const canUnassign = !isReadOnly && (!isEmpty || groups.length > 0);
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
      {canUnassign && question.isOpen && <UnassignQuestion address={address} {...question} />}
      {groups.length > 0 && <p className={styles.note}>{groupWords(groups)}</p>}
      {isEmpty && list.leaving.size === 0 && groups.length === 0 && (
        <p className={panels.empty}>No machine assigned: no machine accepts this code.</p>
      )}
      {isAllDeleted(list.shown) && !isEmpty && groups.length === 0 && (
        <p className={styles.note}>
          Every assigned machine is deleted from SmartVend: no machine accepts this code.
        </p>
      )}
      <ul className={panels.list}>
        {list.shown.map((machine) => (
          <AssignedRow
            key={machine.serialNumber}
            machine={machine}
            isLeaving={list.leaving.has(machine.serialNumber)}
            isReadOnly={isReadOnly}
            address={address}
            onAnswer={onAnswer}
          />
        ))}
        {list.arriving.map((machine) => (
          <li key={machine.serialNumber} className={styles.row}>
            <MachineWords machine={{ ...machine, isDeleted: false }} />
            <span className={panels.count}>Adding...</span>
          </li>
        ))}
      </ul>
      {list.total > shownAtMost && (
        <p className={panels.more}>
          {shownAtMost} of {list.total} shown. {search ? "" : "Search to find the others."}
        </p>
      )}
    </section>
  );
}

function isAllDeleted(machines: readonly AssignedMachine[]): boolean {
  return machines.length > 0 && machines.every((machine) => machine.isDeleted);
}

function groupWords(groups: { name: string; machineCount: number }[]): string {
  const words = groups.map(
    ({ name, machineCount }) =>
      `${name} (${machineCount} ${machineCount === 1 ? "machine" : "machines"})`,
  );
  return `Assigned as a group: ${words.join(", ")}.`;
}

function AssignedRow({
  machine,
  isLeaving,
  isReadOnly,
  address,
  onAnswer,
}: {
  machine: AssignedMachine;
  isLeaving: boolean;
  isReadOnly: boolean;
  address: string;
  onAnswer: (answer: DialogAnswer) => void;
}) {
  const removal = useDialogAction(address, onAnswer);
  const intent = removeIntent(machine.serialNumber);

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
      <MachineWords machine={machine} />
      {!isReadOnly && (
        <IconButton
          icon="trash"
          label={`Remove ${machine.humanName || machine.serialNumber}, ${machine.serialNumber}`}
          name="intent"
          value={intent}
          onClick={remove}
        />
      )}
    </li>
  );
}

function MachineWords({ machine }: { machine: AssignedMachine }) {
  return (
    <span className={styles.rowWords}>
      {machine.humanName}
      <span className={panels.serialNumber}>{machine.serialNumber}</span>
      {machine.isDeleted && <Badge tone="bad">Deleted from SmartVend</Badge>}
    </span>
  );
}

function UnassignQuestion({ address, onToggle }: { address: string } & Question) {
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
      <p id="unassign-words">Are you sure you want to unassign all machines from this promotion?</p>
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
