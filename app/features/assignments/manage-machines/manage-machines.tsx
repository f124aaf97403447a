// Without script: one form; each button posts it, Search and 'Unassign All' get the page again with the ticks kept.
import { useSearchParams } from "@remix-run/react";
import { startTransition } from "react";
import { idempotencyField } from "../../../forms/validator";
import { dialogSearch } from "../../../lists/list-params";
import { MessageBlock } from "../../../ui/feedback/message-block";
import { Button, SubmitButton } from "../../../ui/form/button";
import * as form from "../../../ui/form/form.css";
import { TargetBox, TargetPanel, TargetSearch } from "../target-picker";
import * as panels from "../target-picker.css";
import {
  addIntent,
  type DialogAnswer,
  type DialogView,
  fieldNames,
  refreshIntent,
} from "./machines-dialog";
import { AssignedPanel } from "./assigned-panel";
import * as styles from "./machines-dialog.css";
import { type ManagedTargetsOptions, type Targets, useManagedTargets } from "./use-managed-targets";

export function ManageMachines({
  isReadOnly,
  path,
  view,
  ...props
}: Omit<ManagedTargetsOptions, "address"> & {
  isReadOnly: boolean;
  path: string;
  view: DialogView;
}) {
  const address = path + dialogSearch(useSearchParams()[0]);
  const { idempotencyKey } = props.data;
  const targets = useManagedTargets({ ...props, address });
  return (
    <form
      ref={targets.form}
      method="post"
      action={address}
      className={styles.form}
      onSubmit={targets.send}
      aria-label={`Machines of this ${view.noun}`}
    >
      <ListSearch address={address} />
      <input type="hidden" name={idempotencyField} value={idempotencyKey} />
      <p>{props.data.summary}.</p>
      <Answer answer={targets.answer} count={targets.answerCount} />
      <Search targets={targets} path={path} canRefresh={view.canRefresh} />
      <div className={panels.panels}>
        {!isReadOnly && (
          <Available
            targets={targets}
            empty={props.data.pickers.at(-1)!.emptyNote || "All machines are assigned."}
          />
        )}
        <AssignedPanel
          targets={targets}
          isReadOnly={isReadOnly}
          path={path}
          post={{ address, idempotencyKey }}
          view={view}
        />
      </div>
    </form>
  );
}

/** @param count makes each answer an element of its own: one with the words of the last is announced, too */
function Answer({ answer, count }: { answer: DialogAnswer | null | undefined; count: number }) {
  const message = answer && (
    <MessageBlock key={count} kind={answer.kind}>
      {answer.text}
    </MessageBlock>
  );
  return (
    <div className={styles.about}>
      <div role="status">{answer?.kind !== "error" && message}</div>
      <div role="alert">{answer?.kind === "error" && message}</div>
    </div>
  );
}

type SearchProps = { targets: Targets; path: string; canRefresh: boolean };

function Search({ targets: { search, setSearch, ...targets }, path, canRefresh }: SearchProps) {
  const { available, chosen } = targets.matching;
  return (
    <TargetSearch
      hint="By serial number or name. Machines that match come first in both lists."
      status={
        <p role="status" className={form.hint}>
          {search.trim() !== "" &&
            `Matching: ${chosen.matching} assigned, ${available.matching} available.`}
        </p>
      }
      defaultValue={search}
      onChange={({ currentTarget: { value } }) => startTransition(() => setSearch(value))}
    >
      <Button
        icon="search"
        value="search"
        formMethod="get"
        formAction={`${path}#${fieldNames.search}`}
      >
        Search
      </Button>
      {canRefresh && (
        <Button
          icon="refresh"
          name="intent"
          value={refreshIntent}
          aria-disabled={targets.isPending || undefined}
        >
          Refresh
        </Button>
      )}
    </TargetSearch>
  );
}

function Available({ targets, empty }: { targets: Targets; empty: string }) {
  return (
    <TargetPanel
      name="Available"
      lists={targets.lists.map(({ kind, available }) => ({ kind, ...available }))}
      row={(target) => (
        <TargetBox
          key={target.id}
          target={target}
          isTicked={targets.isTicked(target)}
          onToggle={targets.toggle}
        />
      )}
      empty={empty}
      control={
        <a className={panels.skip} href="#add-selected">
          Skip the machine list
        </a>
      }
      canSearch={targets.search === ""}
    >
      <div className={styles.panelFoot}>
        <p role="status">Selected: {targets.selected}</p>
        <SubmitButton
          id="add-selected"
          name="intent"
          value={addIntent}
          size="small"
          isPending={targets.isAdding}
          pendingLabel="Adding..."
        >
          Add Selected
        </SubmitButton>
      </div>
    </TargetPanel>
  );
}

/** A form that is sent by GET has no query string but its fields: the list's own travels in these. */
function ListSearch({ address }: { address: string }) {
  const params = new URLSearchParams(address.split("?")[1]);
  return [...params].map(([name, value], index) => (
    <input key={index} type="hidden" name={name} value={value} />
  ));
}
