// Machines and groups of the dialog as the browser shows them, with what is sent and not answered yet.
import { type FormEvent, useCallback, useEffect, useReducer, useRef, useState } from "react";
import {
  byField,
  type ChosenTargets,
  kindOf,
  pickerFields,
  type Target,
  tickedIn,
} from "../targets";
import {
  addIntent,
  type DialogAnswer,
  type DialogReply,
  type ManagedTargets,
  sortList,
  unassignAllIntent,
  withPending,
} from "./machines-dialog";
import { useDialogAction, usePendingChange } from "./use-dialog";

export type ManagedTargetsOptions = {
  data: ManagedTargets;
  /** Address that the form posts to. */
  address: string;
  /** Answer to a post without script. */
  returned: DialogReply | undefined;
  onSearch: (search: string, ticked: ChosenTargets) => void;
};

export type Targets = ReturnType<typeof useManagedTargets>;

/** The answer that came last, and how many came. */
type Answers = { last: DialogAnswer | null; count: number };

const addAnswerTo = ({ count }: Answers, last: DialogAnswer): Answers => ({
  last,
  count: count + 1,
});

/** Holds the search, the ticks and the open question of the dialog, and sends what its buttons ask for. */
export function useManagedTargets({ data, address, returned, onSearch }: ManagedTargetsOptions) {
  const { pickers } = data;
  const form = useRef<HTMLFormElement>(null);
  const serverSearch = pickers[0]!.search;
  const [answers, addAnswer] = useReducer(addAnswerTo, { last: null, count: 0 });
  const [search, setSearch] = useState(returned?.search || serverSearch);
  const [ticked, setTicked] = useState(returned?.ticked ?? tickedIn(pickers));
  const [isQuestionOpen, setIsQuestionOpen] = useState(data.isQuestionOpen);

  const afterOwn = useCallback((next: DialogAnswer, added: ChosenTargets) => {
    addAnswer(next);
    // Targets that could not be added stay ticked.
    if (next.kind !== "error")
      setTicked((now) =>
        byField(({ field }) => now[field].filter((id) => !added[field].includes(id))),
      );
  }, []);
  const own = useDialogAction({ address, idempotencyKey: data.idempotencyKey }, afterOwn);
  const pending = usePendingChange(address.split("?")[0]!);

  // Ticks and text entered before hydration are in the page, but not yet in the state.
  useEffect(() => {
    const entered = pickerFields(new FormData(form.current!));
    setSearch(entered.search);
    setTicked(entered.ticked);
  }, []);

  const isTicked = ({ kind, id }: Target) => ticked[kindOf(kind).field].includes(id);
  const lists = pickers.map(({ kind, available, chosen }) => {
    const sorted = {
      available: sortList(available, search, serverSearch),
      chosen: sortList(chosen, search, serverSearch),
    };
    return { kind, sorted, ...withPending(sorted, pending) };
  });
  const selected = lists.flatMap(({ available }) => available.shown.filter(isTicked));

  return {
    form,
    answer: answers.last ?? returned?.answer,
    answerCount: answers.count,
    addAnswer,
    search,
    setSearch,
    lists,
    /** Numbers of machines that match the search. */
    matching: lists.at(-1)!.sorted,
    isTicked,
    selected: selected.length,
    isQuestionOpen,
    setIsQuestionOpen,
    isPending: own.isPending,
    isAdding: own.isPending && own.intent === addIntent,
    toggle({ kind, id }: Target, isNowTicked: boolean) {
      const { field } = kindOf(kind);
      const others = ticked[field].filter((other) => other !== id);
      setTicked({ ...ticked, [field]: isNowTicked ? [...others, id] : others });
    },
    send(event: FormEvent<HTMLFormElement>) {
      event.preventDefault();
      const { submitter } = event.nativeEvent as SubmitEvent;
      const intent = submitter instanceof HTMLButtonElement ? submitter.value : "";
      // The sorting may still lag behind the typing.
      if (intent === "search")
        return onSearch(pickerFields(new FormData(form.current!)).search, ticked);
      if (intent === addIntent)
        return own.send(
          intent,
          byField(({ kind }) =>
            selected.filter((target) => target.kind === kind).map(({ id }) => id),
          ),
        );
      own.send(intent);
      if (intent !== unassignAllIntent) return;
      setIsQuestionOpen(false);
      document.getElementById("assigned-machines")?.focus();
    },
  };
}
