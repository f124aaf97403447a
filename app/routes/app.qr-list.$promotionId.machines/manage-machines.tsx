// Without script: one form; each button posts it, Search and 'Unassign All' get the page again with the ticks kept.
import { startTransition, useCallback, useEffect, useRef, useState, type FormEvent } from "react";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Button } from "../../ui/form/button";
import * as form from "../../ui/form/form.css";
import { AssignedPanel } from "./assigned-panel";
import { AvailablePanel } from "./available-panel";
import {
  addIntent,
  fieldNames,
  refreshIntent,
  unassignAllIntent,
  type DialogAnswer,
} from "./dialog-actions";
import { sortList, withPending } from "./machine-lists";
import * as styles from "./machines.css";
import type { ManagedMachines } from "./manage.server";
import { useDialogAction, useDialogAddress, usePendingChange } from "./use-dialog-actions";
import * as panels from "../../features/machines/machine-selector.css";

type Returned = { answer: DialogAnswer | null; ticked: string[]; search: string };

export function ManageMachines({
  data,
  returned,
  onSearch,
}: {
  data: ManagedMachines;
  /** What a post without script came back with. */
  returned: Returned | undefined;
  onSearch: (search: string, ticked: readonly string[]) => void;
}) {
  const { id, isDeleted } = data;
  const address = useDialogAddress(id);
  const element = useRef<HTMLFormElement>(null);
  const [answer, setAnswer] = useState<DialogAnswer | null>(null);
  const [search, setSearch] = useState(returned?.search || data.search);
  const [ticked, setTicked] = useState<readonly string[]>(returned?.ticked ?? data.ticked);
  const [isQuestionOpen, setIsQuestionOpen] = useState(data.isQuestionOpen);
  const sent = useRef<readonly string[]>([]);

  const afterOwn = useCallback((next: DialogAnswer) => {
    const machines = sent.current;
    sent.current = [];
    setAnswer(next);
    // What could not be added is ticked again.
    if (next.kind === "error") setTicked((now) => [...new Set([...now, ...machines])]);
  }, []);
  const own = useDialogAction(address, afterOwn);
  const assigned = sortList(data.assigned, search, data.search);
  const available = sortList(data.available, search, data.search);
  const lists = withPending(assigned, available, usePendingChange(id));

  // What was ticked and typed before the scripts arrived is in the page, not yet in the state.
  useEffect(() => {
    const fields = new FormData(element.current!);
    setSearch(String(fields.get(fieldNames.search) ?? ""));
    setTicked(fields.getAll(fieldNames.machines).map(String));
  }, []);

  function send(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent;
    event.preventDefault();
    const intent = submitter instanceof HTMLButtonElement ? submitter.value : "";
    if (intent === "search") return onSearch(typed(), ticked);
    if (own.isPending) return;
    if (intent === addIntent) {
      const machines = ticked.filter((serial) =>
        data.available.shown.some(({ serialNumber }) => serialNumber === serial),
      );
      sent.current = machines;
      setTicked([]);
      own.send(addIntent, machines);
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

  const said = answer ?? returned?.answer;
  return (
    <form
      ref={element}
      method="post"
      action={address}
      className={styles.form}
      onSubmit={send}
      aria-label="Machines of this promotion"
    >
      <ListSearch address={address} />
      <div className={styles.about}>
        <div role="status">
          {said && said.kind !== "error" && (
            <MessageBlock kind={said.kind}>{said.text}</MessageBlock>
          )}
        </div>
        <div role="alert">
          {said?.kind === "error" && <MessageBlock kind="error">{said.text}</MessageBlock>}
        </div>
        <label className={form.label} htmlFor="dialog-search">
          Search machines
        </label>
        <p className={form.hint} id="dialog-search-hint">
          By serial number or name. Machines that match come first in both lists.
        </p>
        <p role="status" className={form.hint}>
          {search.trim() !== "" &&
            `Matching: ${assigned.matching} assigned, ${available.matching} available.`}
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
        <Button
          icon="refresh"
          name="intent"
          value={refreshIntent}
          aria-disabled={own.isPending || undefined}
        >
          Refresh
        </Button>
      </div>
      <div className={panels.panels}>
        <AssignedPanel
          list={lists.assigned}
          groups={data.groups}
          isReadOnly={isDeleted}
          search={search}
          address={address}
          onAnswer={setAnswer}
          question={{ isOpen: isQuestionOpen, onToggle: setIsQuestionOpen }}
        />
        {!isDeleted && (
          <AvailablePanel
            list={lists.available}
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
