// Without script: each Remove button posts the form; 'Unassign All' asks on the page that comes back.
import { useEffect, type MouseEvent } from "react";
import { Button, IconButton } from "../../../ui/form/button";
import { isHydrated } from "../../../ui/overlay/focus";
import { MoreTargets, TargetPanel, TargetText } from "../target-boxes";
import * as panels from "../target-picker.css";
import { kindOf, maxShown, groupedKinds, type Target, type TargetKind } from "../targets";
import {
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
        <p className={panels.empty}>{hasGroups ? "No machine assigned by itself." : view.none}</p>
      )}
      {!isEmpty && !hasGroups && list.shown.length > 0 && list.shown.every(isDisabled) && (
        <p className={styles.note}>{view.allDeleted}</p>
      )}
      <AssignedRows {...row} list={list} className={panels.list} />
      <MoreTargets shown={maxShown} total={list.total} isSearched={search !== ""} />
    </TargetPanel>
  );
}

function isDisabled(target: Target): boolean {
  return target.isDisabled;
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
          icon="trash"
          label={removeLabel(target)}
          name="intent"
          value={intent}
          onClick={remove}
        />
      )}
    </li>
  );
}

function removeLabel({ kind, id, label }: Target): string {
  return kind === "machine" ? `Remove ${label || id}, ${id}` : `Remove the ${kind} ${label}`;
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
      <p id="unassign-words">{view.question}</p>
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
