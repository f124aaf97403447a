// Without script: one form; each button posts it, Search and 'Unassign All' get the page again with the ticks kept.
import { startTransition, useCallback, useEffect, useRef, useState, type FormEvent } from "react";
import { MessageBlock } from "../../../ui/feedback/message-block";
import { Button } from "../../../ui/form/button";
import * as form from "../../../ui/form/form.css";
import { matchingGroupsFirst } from "../../machines/group-choices";
import * as panels from "../../machines/machine-selector.css";
import { AssignedPanel } from "./assigned-panel";
import { AvailablePanel } from "./available-panel";
import {
  addIntent,
  fieldNames,
  refreshIntent,
  tickedIn,
  unassignAllIntent,
  type DialogAnswer,
  type DialogReply,
  type Ticked,
} from "./dialog-actions";
import type { DialogView } from "./dialog-view";
import { groupsWithPending, sortList, withPending } from "./machine-lists";
import * as styles from "./machines-dialog.css";
import type { ManagedMachines } from "./managed-machines";
import { useDialogAction, useDialogAddress, usePendingChange } from "./use-dialog-actions";

const nothing: Ticked = { machines: [], groups: [] };

export function ManageMachines({
  data,
  path,
  words,
  returned,
  onSearch,
  canRefresh = false,
}: {
  data: ManagedMachines;
  /** Of the dialog, without a query string. */
  path: string;
  words: DialogView;
  /** What a post without script came back with. */
  returned: DialogReply | undefined;
  onSearch: (search: string, ticked: Ticked) => void;
  canRefresh?: boolean;
}) {
  const address = useDialogAddress(path);
  const element = useRef<HTMLFormElement>(null);
  const [answer, setAnswer] = useState<DialogAnswer | null>(null);
  const [search, setSearch] = useState(returned?.search || data.search);
  const [ticked, setTicked] = useState<Ticked>(returned?.ticked ?? data.ticked);
  const [isQuestionOpen, setIsQuestionOpen] = useState(data.isQuestionOpen);
  const sent = useRef(nothing);

  const afterOwn = useCallback((next: DialogAnswer) => {
    const { machines, groups } = sent.current;
    sent.current = nothing;
    setAnswer(next);
    // What could not be added is ticked again.
    if (next.kind === "error")
      setTicked((now) => ({
        machines: [...new Set([...now.machines, ...machines])],
        groups: [...new Set([...now.groups, ...groups])],
      }));
  }, []);
  const own = useDialogAction(address, afterOwn);
  const assigned = sortList(data.assigned, search, data.search);
  const available = sortList(data.available, search, data.search);
  const pending = usePendingChange(path);
  const lists = withPending(assigned, available, pending);
  const matchingGroups = matchingGroupsFirst(data.groups.available.shown, search);
  const groups = groupsWithPending(
    data.groups.assigned,
    { shown: matchingGroups, total: data.groups.available.total },
    pending,
  );

  // What was ticked and typed before the scripts arrived is in the page, not yet in the state.
  useEffect(() => {
    const fields = new FormData(element.current!);
    setSearch(String(fields.get(fieldNames.search) ?? ""));
    setTicked(tickedIn(fields));
  }, []);

  function send(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent;
    event.preventDefault();
    const intent = submitter instanceof HTMLButtonElement ? submitter.value : "";
    if (intent === "search") return onSearch(typed(), ticked);
    if (own.isPending) return;
    if (intent === addIntent) {
      const isAvailable = new Set([
        ...data.available.shown.map((machine) => machine.serialNumber),
        ...matchingGroups.map((group) => group.id),
      ]);
      const chosen = {
        machines: ticked.machines.filter((serial) => isAvailable.has(serial)),
        groups: ticked.groups.filter((groupId) => isAvailable.has(groupId)),
      };
      sent.current = chosen;
      setTicked(nothing);
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

  const said = answer ?? returned?.answer;
  return (
    <form
      ref={element}
      method="post"
      action={address}
      className={styles.form}
      onSubmit={send}
      aria-label={words.form}
    >
      <ListSearch address={address} />
      <p>{data.summary}.</p>
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
        {canRefresh && (
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
          list={lists.assigned}
          groups={groups}
          words={words}
          isReadOnly={data.isReadOnly}
          search={search}
          address={address}
          onAnswer={setAnswer}
          question={{ isOpen: isQuestionOpen, onToggle: setIsQuestionOpen }}
        />
        {!data.isReadOnly && (
          <AvailablePanel
            list={lists.available}
            groups={groups.available}
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
