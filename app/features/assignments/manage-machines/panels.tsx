// Without script: each Remove button posts the form; 'Unassign All' asks on the page that comes back.
import { type MouseEvent, useEffect } from "react";
import { Button, IconButton, SubmitButton } from "../../../ui/form/button";
import { isHydrated } from "../../../ui/overlay/focus";
import { MoreTargets, TargetBoxes, TargetPanel, TargetText } from "../target-boxes";
import * as panels from "../target-picker.css";
import {
  byKind,
  type ChosenTargets,
  groupedKinds,
  kindOf,
  maxShown,
  type Target,
  type TargetKind,
  targetKinds,
} from "../targets";
import {
  addIntent,
  capitalized,
  type DialogAnswer,
  type DialogView,
  fieldNames,
  type PendingLists,
  removeIntent,
  unassignAllIntent,
} from "./machines-dialog";
import * as styles from "./machines-dialog.css";
import { useDialogAction } from "./use-dialog";

type Question = { isOpen: boolean; onToggle: (isOpen: boolean) => void };

type RowProps = {
  isReadOnly: boolean;
  address: string;
  onAnswer: (answer: DialogAnswer) => void;
};

type AssignedPanelProps = RowProps & {
  lists: Record<TargetKind, PendingLists>;
  view: DialogView;
  search: string;
  question: Question;
};

export function AssignedPanel({ lists, view, search, question, ...row }: AssignedPanelProps) {
  const { address, isReadOnly } = row;
  const list = lists.machine.assigned;
  const isEmpty = list.total === 0;
  const hasGroups = groupedKinds.some(({ kind }) => lists[kind].assigned.total > 0);
  const canUnassign = !isReadOnly && (!isEmpty || hasGroups);
  return (
    <TargetPanel
      id="assigned-machines"
      title="Assigned Machines"
      count={list.total}
      control={
        canUnassign && (
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
        )
      }
    >
      {canUnassign && question.isOpen && (
        <UnassignQuestion view={view} address={address} {...question} />
      )}
      {groupedKinds.map(({ kind, field }) => {
        const { assigned } = lists[kind];
        return (
          assigned.shown.length + assigned.arriving.length > 0 && (
            <div key={kind}>
              {assigned.total > 0 && (
                <h4 id={`assigned-${field}`} className={styles.groupsTitle}>
                  {capitalized(field)}
                </h4>
              )}
              <AssignedRows
                {...row}
                list={assigned}
                className={styles.groups}
                label={`Assigned ${field}`}
              />
            </div>
          )
        );
      })}
      {isEmpty && list.leaving.size === 0 && (
        <p className={panels.empty}>
          {hasGroups
            ? "No machines assigned directly."
            : `No machines assigned. No machine accepts ${view.codes}.`}
        </p>
      )}
      {!isEmpty &&
        !hasGroups &&
        list.shown.length > 0 &&
        list.shown.every((target) => target.isDisabled) && (
          <p className={styles.note}>
            All assigned machines are deleted from SmartVend. No machine accepts {view.codes}.
          </p>
        )}
      <AssignedRows {...row} list={list} className={panels.list} />
      <MoreTargets shown={maxShown} total={list.total} isSearched={search !== ""} />
    </TargetPanel>
  );
}

function AssignedRows({
  list,
  className,
  label,
  ...row
}: RowProps & { list: PendingLists["assigned"]; className: string; label?: string }) {
  return (
    <ul className={className} aria-label={label}>
      {list.shown.map((target) => (
        <AssignedRow
          key={target.id}
          {...row}
          target={target}
          isLeaving={list.leaving.has(target.id)}
        />
      ))}
      {list.arriving.map((target) => (
        <li key={target.id} className={styles.row}>
          <LinkedTarget target={target} />
          <span className={panels.count}>Adding...</span>
        </li>
      ))}
    </ul>
  );
}

function AssignedRow({
  target,
  isLeaving,
  isReadOnly,
  address,
  onAnswer,
}: RowProps & { target: Target; isLeaving: boolean }) {
  const { kind, id, label } = target;
  const removal = useDialogAction(address, onAnswer);
  const intent = removeIntent(target);

  function remove(event: MouseEvent<HTMLButtonElement>) {
    event.preventDefault();
    const row = event.currentTarget.closest("li");
    const next = row?.nextElementSibling ?? row?.previousElementSibling;
    const button = next?.querySelector("button") ?? document.getElementById("assigned-machines");
    button?.focus();
    removal.send(intent);
  }

  // It stays mounted and reappears when the server rejects the change.
  if (isLeaving) return null;
  return (
    <li className={styles.row}>
      <LinkedTarget target={target} />
      {!isReadOnly && (
        <IconButton
          icon="close"
          label={
            kind === "machine" ? `Remove ${label || id}, ${id}` : `Remove the ${kind} ${label}`
          }
          name="intent"
          value={intent}
          onClick={remove}
        />
      )}
    </li>
  );
}

function LinkedTarget({ target }: { target: Target }) {
  const { path } = kindOf(target.kind);
  return (
    <TargetText target={target}>
      {path ? <a href={path(target.id)}>{target.label}</a> : target.label}
    </TargetText>
  );
}

function UnassignQuestion({
  view,
  address,
  onToggle,
}: { view: DialogView; address: string } & Question) {
  // Before hydration the address of the page moves the focus to the question.
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
      <p id="unassign-words">
        Are you sure you want to unassign all machines from this {view.noun}?
      </p>
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
          Cancel
        </Button>
      </div>
    </div>
  );
}

type AvailablePanelProps = {
  lists: Record<TargetKind, PendingLists>;
  search: string;
  ticked: ChosenTargets;
  onTick: (ticked: ChosenTargets) => void;
  isAdding: boolean;
};

export function AvailablePanel({ lists, search, ticked, onTick, isAdding }: AvailablePanelProps) {
  const list = lists.machine.available;
  const tickedIds = byKind(({ field }) => new Set(ticked[field]));
  const boxes = {
    isTicked: ({ kind, id }: Target) => tickedIds[kind].has(id),
    onToggle({ kind, id }: Target, isTicked: boolean) {
      const { field } = kindOf(kind);
      const others = ticked[field].filter((other) => other !== id);
      onTick({ ...ticked, [field]: isTicked ? [...others, id] : others });
    },
  };
  const selected = targetKinds.flatMap(({ kind }) =>
    lists[kind].available.shown.filter(boxes.isTicked),
  );
  return (
    <TargetPanel
      id="available-machines"
      title="Available Machines"
      count={list.total}
      control={
        <a className={panels.skip} href="#add-selected">
          Skip the machine list
        </a>
      }
    >
      {groupedKinds.map(({ kind, field }) => {
        const { shown, total } = lists[kind].available;
        return (
          total > 0 && (
            <div key={kind}>
              <h4 id={`available-${field}`} className={styles.groupsTitle}>
                {capitalized(field)} <span className={panels.count}>{total}</span>
              </h4>
              <TargetBoxes
                {...boxes}
                targets={shown}
                className={styles.groups}
                aria-labelledby={`available-${field}`}
              />
              <MoreTargets
                shown={shown.length}
                total={total}
                noun={`${field} `}
                isSearched={search !== ""}
              />
            </div>
          )
        );
      })}
      {list.total === 0 && <p className={panels.empty}>All machines are assigned.</p>}
      <TargetBoxes {...boxes} targets={list.shown} aria-labelledby="available-machines" />
      <MoreTargets shown={list.shown.length} total={list.total} isSearched={search !== ""} />
      <div className={styles.panelFoot}>
        <p role="status">Selected: {selected.length}</p>
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
    </TargetPanel>
  );
}
