// Without script: one form; each button posts it, Search and 'Unassign All' get the page again with the ticks kept.
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { startTransition, useCallback, useEffect, useRef, useState, type FormEvent } from "react";
import { muted } from "#styles/global.css";
import { MessageBlock } from "../../../ui/feedback/message-block";
import { Button } from "../../../ui/form/button";
import * as form from "../../../ui/form/form.css";
import { DialogActions, DialogCancel, DialogRoute } from "../../../ui/overlay/dialog-route";
import * as panels from "../target-picker.css";
import { byField, byKind, chosenIn, type ChosenTargets } from "../targets";
import { AssignedPanel, AvailablePanel } from "./panels";
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

function ManageMachines({
  data,
  isReadOnly,
  path,
  view,
  returned,
  onSearch,
}: {
  data: ManagedTargets;
  isReadOnly: boolean;
  path: string;
  view: DialogView;
  /** Answer to a post without script. */
  returned: DialogReply | undefined;
  onSearch: (search: string, ticked: ChosenTargets) => void;
}) {
  const address = path + listSearchOf(useLocation().search);
  const element = useRef<HTMLFormElement>(null);
  const [answer, setAnswer] = useState<DialogAnswer | null>(null);
  const [search, setSearch] = useState(returned?.search || data.search);
  const [ticked, setTicked] = useState(returned?.ticked ?? data.ticked);
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
  const sorted = byKind(({ kind }) => ({
    assigned: sortList(data.lists[kind].assigned, search, data.search),
    available: sortList(data.lists[kind].available, search, data.search),
  }));
  const lists = byKind(({ kind }) => withPending(sorted[kind], pending));

  // Ticks and text entered before hydration are in the page, but not yet in the state.
  useEffect(() => {
    const fields = new FormData(element.current!);
    setSearch(String(fields.get(fieldNames.search) ?? ""));
    setTicked(chosenIn(fields));
  }, []);

  function send(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent;
    event.preventDefault();
    const intent = submitter instanceof HTMLButtonElement ? submitter.value : "";
    if (intent === "search") return onSearch(typed(), ticked);
    if (intent === addIntent) {
      const chosen = byField(({ kind, field }) => {
        const available = new Set(data.lists[kind].available.shown.map(({ id }) => id));
        return ticked[field].filter((id) => available.has(id));
      });
      own.send(addIntent, chosen);
    } else own.send(intent);
    if (intent === unassignAllIntent) {
      setIsQuestionOpen(false);
      document.getElementById("assigned-machines")?.focus();
    }
  }

  // The sorting may still lag behind the typing.
  function typed(): string {
    return String(new FormData(element.current!).get(fieldNames.search) ?? "");
  }

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
      <p>{data.summary}.</p>
      <div className={styles.about}>
        <div role="status">
          {message && message.kind !== "error" && (
            <MessageBlock kind={message.kind}>{message.text}</MessageBlock>
          )}
        </div>
        <div role="alert">
          {message?.kind === "error" && <MessageBlock kind="error">{message.text}</MessageBlock>}
        </div>
        <label className={form.label} htmlFor="dialog-search">
          Search machines
        </label>
        <p className={form.hint} id="dialog-search-hint">
          By serial number or name. Machines that match come first in both lists.
        </p>
        <p role="status" className={form.hint}>
          {search.trim() !== "" &&
            `Matching: ${sorted.machine.assigned.matching} assigned, ${sorted.machine.available.matching} available.`}
        </p>
      </div>
      <div className={styles.tools}>
        <input
          className={`${form.input} ${styles.searchInput}`}
          id="dialog-search"
          name={fieldNames.search}
          type="search"
          autoComplete="off"
          defaultValue={returned?.search || data.search}
          onChange={({ currentTarget: { value } }) => startTransition(() => setSearch(value))}
          aria-describedby="dialog-search-hint"
        />
        <Button
          icon="search"
          value="search"
          formMethod="get"
          formAction={`${address.split("?")[0]}#dialog-search`}
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
      </div>
      <div className={panels.panels}>
        <AssignedPanel
          lists={lists}
          view={view}
          isReadOnly={isReadOnly}
          search={search}
          address={address}
          onAnswer={setAnswer}
          question={{ isOpen: isQuestionOpen, onToggle: setIsQuestionOpen }}
        />
        {!isReadOnly && (
          <AvailablePanel
            lists={lists}
            search={search}
            ticked={ticked}
            onTick={setTicked}
            isAdding={own.isPending && own.intent === addIntent}
          />
        )}
      </div>
    </form>
  );
}

/** A form that is sent by GET has no query string but its fields: the list's own travels in these. */
function ListSearch({ address }: { address: string }) {
  const params = new URLSearchParams(address.split("?")[1]);
  return [...params].map(([name, value], index) => (
    <input key={index} type="hidden" name={name} value={value} />
  ));
}
