// Without script: the same; the question is a part of the page that 'Unassign All' asks for.
import { type MouseEvent, useEffect, useState } from "react";
import { Button, IconButton } from "../../../ui/form/button";
import { isHydrated } from "../../../ui/overlay/focus";
import { TargetPanel, TargetText } from "../target-picker";
import * as panels from "../target-picker.css";
import { kindOf, type Target } from "../targets";
import {
  type DialogAnswer,
  type DialogView,
  fieldNames,
  keyOf,
  removeIntent,
  unassignAllIntent,
  withRemovals,
} from "./machines-dialog";
import * as styles from "./machines-dialog.css";
import { useDialogAction } from "./use-dialog";
import type { Targets } from "./use-managed-targets";

type AssignedPanelProps = {
  targets: Targets;
  isReadOnly: boolean;
  path: string;
  post: Parameters<typeof useDialogAction>[0];
  view: DialogView;
};

/** Lists assigned machines and groups, each with its button to remove it, and asks before all are unassigned. */
export function AssignedPanel({ targets, isReadOnly, path, post, view }: AssignedPanelProps) {
  const { isQuestionOpen, setIsQuestionOpen } = targets;
  const [removals, setRemovals] = useState<readonly Target[]>([]);
  const assigned = targets.lists.map(({ kind, chosen }) => ({
    kind,
    total: chosen.total,
    shown: withRemovals(kind, chosen.shown, removals),
  }));
  const isAny = assigned.some(({ total }) => total > 0);
  const isNobodyLeft =
    isAny && assigned.every(({ shown }) => shown.every((target) => target.isDisabled));
  const canUnassign = !isReadOnly && isAny;
  const closeQuestion = () => {
    setIsQuestionOpen(false);
    document.getElementById("unassign-all")?.focus();
  };
  return (
    <TargetPanel
      name="Assigned"
      lists={assigned}
      row={(target) => (
        <AssignedRow
          key={target.id}
          target={target}
          isReadOnly={isReadOnly}
          post={post}
          onRemove={() => setRemovals((now) => [...now, target])}
          onAnswer={(answer) => {
            targets.addAnswer(answer);
            setRemovals((now) => now.filter((removal) => keyOf(removal) !== keyOf(target)));
          }}
        />
      )}
      empty={
        isAny
          ? "No machines assigned directly."
          : `No machines assigned. No machine accepts ${view.codes}.`
      }
      control={
        canUnassign && (
          <Button
            id="unassign-all"
            size="small"
            formMethod="get"
            formAction={`${path}#unassign-question`}
            name={fieldNames.question}
            value="1"
            aria-expanded={isQuestionOpen}
            onClick={(event) => {
              event.preventDefault();
              setIsQuestionOpen(true);
            }}
          >
            Unassign All
          </Button>
        )
      }
      canSearch={targets.search === ""}
      top={
        <>
          {canUnassign && isQuestionOpen && (
            <UnassignQuestion view={view} path={path} onCancel={closeQuestion} />
          )}
          {isNobodyLeft && (
            <p className={styles.note}>
              All assigned machines are marked as deleted. No machine accepts {view.codes}.
            </p>
          )}
        </>
      }
    />
  );
}

function AssignedRow({
  target,
  isReadOnly,
  post,
  onRemove,
  onAnswer,
}: {
  target: Target;
  isReadOnly: boolean;
  post: AssignedPanelProps["post"];
  onRemove: () => void;
  onAnswer: (answer: DialogAnswer) => void;
}) {
  const { describe, path } = kindOf(target.kind);
  const removal = useDialogAction(post, onAnswer);
  const intent = removeIntent(target);

  function remove(event: MouseEvent<HTMLButtonElement>) {
    event.preventDefault();
    const row = event.currentTarget.closest("li");
    const next = row?.nextElementSibling ?? row?.previousElementSibling;
    const button = next?.querySelector("button") ?? document.getElementById("assigned-machines");
    button?.focus();
    onRemove();
    removal.send(intent);
  }

  // It stays mounted and reappears when the server rejects the change.
  if (target.pending === "removing") return null;
  return (
    <li className={styles.row}>
      <TargetText target={target}>
        <a href={path(target.id)}>{target.label || target.id}</a>
      </TargetText>
      {target.pending === "adding" ? (
        <span className={panels.count}>Adding...</span>
      ) : (
        !isReadOnly && (
          <IconButton
            icon="close"
            label={`Remove ${describe(target)}`}
            name="intent"
            value={intent}
            onClick={remove}
          />
        )
      )}
    </li>
  );
}

function UnassignQuestion({
  view,
  path,
  onCancel,
}: {
  view: DialogView;
  path: string;
  onCancel: () => void;
}) {
  // Before hydration the address of the page moves the focus to the question.
  useEffect(() => {
    if (isHydrated()) document.getElementById("keep-machines")?.focus();
  }, []);

  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape bubbles up from its buttons
    <div
      id="unassign-question"
      className={styles.question}
      role="group"
      aria-labelledby="unassign-words"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // The dialog stays open.
        event.stopPropagation();
        onCancel();
      }}
    >
      <p id="unassign-words">{view.unassignQuestion}</p>
      <div className={styles.tools}>
        <Button variant="danger" size="small" name="intent" value={unassignAllIntent}>
          Yes, unassign all
        </Button>
        <Button
          size="small"
          formMethod="get"
          formAction={`${path}#assigned-machines`}
          id="keep-machines"
          onClick={(event) => {
            event.preventDefault();
            onCancel();
          }}
        >
          Cancel
        </Button>
      </div>
    </div>
  );
}
