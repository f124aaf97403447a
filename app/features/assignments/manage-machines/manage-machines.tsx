// Without script: one form; each button posts it, Search and 'Unassign All' get the page again with the ticks kept.
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import {
  type FormEvent,
  type MouseEvent,
  startTransition,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { muted } from "#styles/global.css";
import { MessageBlock } from "../../../ui/feedback/message-block";
import { Button, IconButton, SubmitButton } from "../../../ui/form/button";
import * as form from "../../../ui/form/form.css";
import { DialogActions, DialogCancel, DialogRoute } from "../../../ui/overlay/dialog-route";
import { isHydrated } from "../../../ui/overlay/focus";
import { TargetBox, TargetPicker, TargetSearch, TargetText } from "../target-picker";
import * as panels from "../target-picker.css";
import { byField, type ChosenTargets, kindOf, pickerFields, type Target } from "../targets";
import {
  addIntent,
  type DialogAnswer,
  type DialogData,
  type DialogReply,
  type DialogView,
  dialogViews,
  fieldNames,
  listSearchOf,
  type ManagedTargets,
  refreshIntent,
  removeIntent,
  sortList,
  unassignAllIntent,
  withPending,
} from "./machines-dialog";
import * as styles from "./machines-dialog.css";
import { useDialogAction, useDialogData, usePendingChange } from "./use-dialog";

export function MachinesDialog({ owner }: { owner: keyof typeof dialogViews }) {
  const view = dialogViews[owner];
  const data = useLoaderData() as DialogData;
  const returned = useActionData<DialogReply>();
  const path = view.path(data.about.id);
  const { about, targets, failure, read } = useDialogData(data, path);
  const closeTo = `${view.closeTo(about.id)}${listSearchOf(useLocation().search)}`;
  return (
    <DialogRoute title={view.title} size="wide" describedBy="dialog-about" closeTo={closeTo}>
      <div id="dialog-about" className={styles.about}>
        <p>
          <strong>{about.name}</strong> {about.code ? <code>{about.code}</code> : about.size}
        </p>
        {about.isDeleted && <p>{`This ${view.noun} is deleted. Its machines can't be changed.`}</p>}
        {about.note && <p className={muted}>{about.note}</p>}
      </div>
      {failure && (
        <div role="alert">
          <MessageBlock
            kind="error"
            action={
              <Button type="button" size="small" onClick={() => read("")}>
                Try Again
              </Button>
            }
          >
            {failure}
          </MessageBlock>
        </div>
      )}
      {targets && (
        <ManageMachines
          data={targets}
          isReadOnly={about.isDeleted}
          path={path}
          view={view}
          returned={returned}
          onSearch={read}
        />
      )}
      {!targets && !failure && <p role="status">Loading...</p>}
      <DialogActions>
        <DialogCancel to={closeTo}>Close</DialogCancel>
      </DialogActions>
    </DialogRoute>
  );
}

type ManageMachinesProps = {
  data: ManagedTargets;
  isReadOnly: boolean;
  path: string;
  view: DialogView;
  /** Answer to a post without script. */
  returned: DialogReply | undefined;
  onSearch: (search: string, ticked: ChosenTargets) => void;
};

function ManageMachines({ data, isReadOnly, path, view, returned, onSearch }: ManageMachinesProps) {
  const { pickers, summary } = data;
  const address = path + listSearchOf(useLocation().search);
  const pathOfGet = address.split("?")[0]!;
  const element = useRef<HTMLFormElement>(null);
  const serverSearch = pickers[0]!.search;
  const [answer, setAnswer] = useState<DialogAnswer | null>(null);
  const [search, setSearch] = useState(returned?.search || serverSearch);
  const [ticked, setTicked] = useState<ChosenTargets>(
    returned?.ticked ??
      byField(({ kind }) => pickers.find((picker) => picker.kind === kind)?.ticked ?? []),
  );
  const [isQuestionOpen, setIsQuestionOpen] = useState(data.isQuestionOpen);

  const afterOwn = useCallback((next: DialogAnswer, added: ChosenTargets) => {
    setAnswer(next);
    // Targets that could not be added stay ticked.
    if (next.kind !== "error")
      setTicked((now) =>
        byField(({ field }) => now[field].filter((id) => !added[field].includes(id))),
      );
  }, []);
  const own = useDialogAction(address, afterOwn);
  const pending = usePendingChange(path);
  const sorted = pickers.map(({ kind, available, chosen }) => ({
    kind,
    available: sortList(available, search, serverSearch),
    chosen: sortList(chosen, search, serverSearch),
  }));
  const lists = sorted.map((lists) => ({ kind: lists.kind, ...withPending(lists, pending) }));
  const assigned = lists.map(({ kind, chosen }) => ({ kind, ...chosen }));
  const available = lists.map(({ kind, ...list }) => ({ kind, ...list.available }));
  // The machines, by which the panels are called, come last.
  const machines = sorted[sorted.length - 1]!;
  const isTicked = ({ kind, id }: Target) => ticked[kindOf(kind).field].includes(id);
  const count = available.reduce((sum, { shown }) => sum + shown.filter(isTicked).length, 0);

  // Ticks and text entered before hydration are in the page, but not yet in the state.
  useEffect(() => {
    const entered = pickerFields(new FormData(element.current!));
    setSearch(entered.searchFor("machine"));
    setTicked(entered.ticked);
  }, []);

  function send(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent;
    event.preventDefault();
    const intent = submitter instanceof HTMLButtonElement ? submitter.value : "";
    // The sorting may still lag behind the typing.
    const typed = pickerFields(new FormData(element.current!)).searchFor("machine");
    if (intent === "search") return onSearch(typed, ticked);
    if (intent === addIntent)
      own.send(
        addIntent,
        byField(({ kind, field }) => {
          const offered = pickers.find((picker) => picker.kind === kind)!.available.shown;
          return offered.map(({ id }) => id).filter((id) => ticked[field].includes(id));
        }),
      );
    else own.send(intent);
    if (intent === unassignAllIntent) {
      setIsQuestionOpen(false);
      document.getElementById("assigned-machines")?.focus();
    }
  }

  const isAny = assigned.some(({ total }) => total > 0);
  const canUnassign = !isReadOnly && isAny;
  const isNobodyLeft =
    isAny && assigned.every(({ shown }) => shown.every((target) => target.isDisabled));
  const message = answer ?? returned?.answer;
  return (
    <form
      ref={element}
      method="post"
      action={address}
      className={styles.form}
      onSubmit={send}
      aria-label={`Machines of this ${view.noun}`}
    >
      <ListSearch address={address} />
      <p>{summary}.</p>
      <div className={styles.about}>
        <div role="status">
          {message && message.kind !== "error" && (
            <MessageBlock kind={message.kind}>{message.text}</MessageBlock>
          )}
        </div>
        <div role="alert">
          {message?.kind === "error" && <MessageBlock kind="error">{message.text}</MessageBlock>}
        </div>
      </div>
      <TargetSearch
        kind="machine"
        hint="By serial number or name. Machines that match come first in both lists."
        status={
          <p role="status" className={form.hint}>
            {search.trim() !== "" &&
              `Matching: ${machines.chosen.matching} assigned, ${machines.available.matching} available.`}
          </p>
        }
        defaultValue={returned?.search || serverSearch}
        onChange={({ currentTarget: { value } }) => startTransition(() => setSearch(value))}
      >
        <Button
          icon="search"
          value="search"
          formMethod="get"
          formAction={`${pathOfGet}#${fieldNames.search}`}
        >
          Search
        </Button>
        {view.canRefresh && (
          <Button
            icon="refresh"
            name="intent"
            value={refreshIntent}
            aria-disabled={own.isPending || undefined}
          >
            Refresh
          </Button>
        )}
      </TargetSearch>
      <TargetPicker
        available={
          isReadOnly
            ? null
            : {
                name: "Available",
                lists: available,
                row: (target) => (
                  <TargetBox
                    key={target.id}
                    target={target}
                    isTicked={isTicked(target)}
                    onToggle={({ kind, id }, isNowTicked) => {
                      const { field } = kindOf(kind);
                      const others = ticked[field].filter((other) => other !== id);
                      setTicked({ ...ticked, [field]: isNowTicked ? [...others, id] : others });
                    }}
                  />
                ),
                empty: "All machines are assigned.",
                control: (
                  <a className={panels.skip} href="#add-selected">
                    Skip the machine list
                  </a>
                ),
                canSearch: search === "",
                foot: (
                  <div className={styles.panelFoot}>
                    <p role="status">Selected: {count}</p>
                    <SubmitButton
                      id="add-selected"
                      name="intent"
                      value={addIntent}
                      size="small"
                      isPending={own.isPending && own.intent === addIntent}
                      pendingLabel="Adding..."
                    >
                      Add Selected
                    </SubmitButton>
                  </div>
                ),
              }
        }
        chosen={{
          name: "Assigned",
          lists: assigned,
          row: (target) => (
            <AssignedRow
              key={target.id}
              target={target}
              isReadOnly={isReadOnly}
              address={address}
              onAnswer={setAnswer}
            />
          ),
          empty: isAny
            ? "No machines assigned directly."
            : `No machines assigned. No machine accepts ${view.codes}.`,
          control: canUnassign && (
            <Button
              id="unassign-all"
              size="small"
              formMethod="get"
              formAction={`${pathOfGet}#unassign-question`}
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
          ),
          canSearch: search === "",
          top: (
            <>
              {canUnassign && isQuestionOpen && (
                <UnassignQuestion
                  view={view}
                  path={pathOfGet}
                  onCancel={() => {
                    setIsQuestionOpen(false);
                    document.getElementById("unassign-all")?.focus();
                  }}
                />
              )}
              {isNobodyLeft && (
                <p className={styles.note}>
                  All assigned machines are deleted from SmartVend. No machine accepts {view.codes}.
                </p>
              )}
            </>
          ),
        }}
      />
    </form>
  );
}

function AssignedRow({
  target,
  isReadOnly,
  address,
  onAnswer,
}: {
  target: Target;
  isReadOnly: boolean;
  address: string;
  onAnswer: (answer: DialogAnswer) => void;
}) {
  const { describe, path } = kindOf(target.kind);
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

/** A form that is sent by GET has no query string but its fields: the list's own travels in these. */
function ListSearch({ address }: { address: string }) {
  const params = new URLSearchParams(address.split("?")[1]);
  return [...params].map(([name, value], index) => (
    <input key={index} type="hidden" name={name} value={value} />
  ));
}
