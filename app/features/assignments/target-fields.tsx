// Without script: the buttons of the picker post the whole form, which comes back as it was typed.
import { useActionData, useLocation } from "@remix-run/react";
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { useField } from "remix-validated-form";
import { describedBy, FieldError } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { Button } from "../../ui/form/button";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import { visuallyHidden } from "#styles/global.css";
import { TargetBox, TargetPanel, TargetSearch } from "./target-picker";
import * as styles from "./target-picker.css";
import {
  type ChosenTargets,
  kindOf,
  mainKind,
  matchesTarget,
  maxShown,
  moveTicked,
  noTargets,
  pickerFields,
  type Picker,
  searchedField,
  type Target,
  tickedIn,
} from "./targets";

type TargetFieldsProps = {
  /** None for a form that has no such field. */
  pickers: readonly Picker[];
  hint?: string;
  /** Stands in the place of the selected machines. */
  noneSelected?: string;
};

/** The fields of a form for machines and groups. */
export function TargetFields(props: TargetFieldsProps) {
  return props.pickers.length > 0 && <TargetPicker {...props} />;
}

/**
 * The Search button is the first submit button of the form on purpose: without scripts, Enter in any
 * field presses the first one, and it must never be the one that creates.
 */
function TargetPicker({ pickers, ...texts }: TargetFieldsProps) {
  const { fieldset, lists, search, announcement, ...own } = useSelection(pickers);
  const { hint, noneSelected } = { ...textsFor(pickers), ...texts };
  const { error } = useField(mainKind.field);
  const main = lists.at(-1)!;
  const selected = lists.reduce((sum, { chosen }) => sum + chosen.total, 0);
  const available = lists.map(({ kind, available }) => ({ kind, ...available }));
  const box = (isTicked: boolean) => (target: Target) => (
    <TargetBox key={target.id} target={target} isTicked={isTicked} onToggle={own.onToggle} />
  );
  return (
    <fieldset
      className={form.fieldset}
      id={mainKind.field}
      tabIndex={-1}
      ref={fieldset}
      aria-describedby={describedBy(mainKind.field, { error, hint })}
    >
      <legend className={form.legend}>{mainKind.legend}</legend>
      <p className={form.hint} id={`${mainKind.field}-hint`}>
        {hint}{" "}
        <a className={styles.skip} href={`#after-${mainKind.field}`}>
          Skip the {mainKind.kind} list
        </a>
      </p>
      {lists.map(({ kind }) => (
        <TargetError key={kind} field={kindOf(kind).field} />
      ))}
      <TargetSearch
        hint={`By serial number or name${lists.length > 1 ? ", also of groups" : ""}.`}
        defaultValue={search}
        onChange={own.onSearch}
        onKeyDown={own.onSearchKeyDown}
        // eslint-disable-next-line jsx-a11y/no-autofocus -- the answer to what was just searched, without scripts
        autoFocus={pickers[0]!.isNewSearch}
      >
        <PickerButton value="search-machines">Search</PickerButton>
      </TargetSearch>
      <input type="hidden" name={searchedField} value={pickers[0]!.search} />
      <div className={styles.panels}>
        <TargetPanel
          name="Available"
          lists={available}
          row={box(false)}
          empty={pickers.at(-1)!.emptyNote || whyNoneAvailable(main.chosen.shown, search)}
          canSearch={search === ""}
          control={
            <PickerButton value="select-all" count={main.available.total} onClick={own.onAll}>
              Select All
            </PickerButton>
          }
        />
        <TargetPanel
          name="Selected"
          lists={lists.map(({ kind, chosen: { shown, total } }) => {
            return { kind, total, shown: shown.slice(0, maxShown) };
          })}
          row={box(true)}
          empty={selected > 0 ? "No machines selected directly." : noneSelected}
          control={
            <PickerButton value="unselect-all" count={selected} onClick={own.onNone}>
              Unselect All
            </PickerButton>
          }
        >
          {lists.flatMap(({ kind, chosen }) =>
            chosen.shown
              .slice(maxShown)
              .map(({ id }) => (
                <input key={id} type="hidden" name={kindOf(kind).field} value={id} />
              )),
          )}
        </TargetPanel>
      </div>
      <p className={visuallyHidden} role="status">
        {announcement}
      </p>
      <span id={`after-${mainKind.field}`} tabIndex={-1} />
    </fieldset>
  );
}

function textsFor({ length }: readonly Picker[]) {
  const hint = "A code is accepted only at the machines it is assigned to";
  const none = "No machines selected. No machine accepts the code until";
  return length > 1
    ? {
        hint: `${hint}, directly or with a group, which includes machines added to it later.`,
        noneSelected: `${none} a machine or a group is assigned.`,
      }
    : { hint: `${hint}.`, noneSelected: `${none} one is assigned.` };
}

function TargetError({ field }: { field: string }) {
  const { error } = useField(field);
  return (
    // The summary of errors leads to the field of each; the fieldset is that of the main kind.
    <div id={field === mainKind.field ? undefined : field} tabIndex={-1}>
      <FieldError name={field} error={error} />
    </div>
  );
}

type PickerButtonProps = {
  value: string;
  children: string;
  /** How many targets it moves; the search moves none. */
  count?: number;
  onClick?: (event: MouseEvent) => void;
};

/**
 * Without scripts it posts the form as it stands, and the page that comes back begins at the picker; at the search only
 * if its text is another one, because Enter in any field presses Search.
 */
function PickerButton({ count, ...button }: PickerButtonProps) {
  const areScriptsRunning = useAreScriptsRunning();
  return (
    <Button
      name="intent"
      formNoValidate
      // A fragment alone would lose the query.
      formAction={useLocation().search + (count === undefined ? "" : `#${mainKind.field}`)}
      {...(count !== undefined && { size: "small" })}
      // Without scripts the boxes may say otherwise than the count.
      aria-disabled={(areScriptsRunning && count === 0) || undefined}
      {...button}
    />
  );
}

/** Explains why no machine can be added: the search is about those that are selected, too. */
function whyNoneAvailable(selected: readonly Target[], search: string): string {
  if (search.trim() === "") return `Every ${mainKind.kind} is selected.`;
  return selected.some((target) => matchesTarget(target, search))
    ? `All ${mainKind.field} that match are selected.`
    : `No ${mainKind.kind} matches the search.`;
}

/** Holds what is selected and searched in the browser, starting from the server's layout. */
function useSelection(pickers: readonly Picker[]) {
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const focusNext = useFocusAfterRendering(fieldset);
  const [search, setSearch] = useState(pickers[0]!.search);
  const [ticked, setTicked] = useState(() => tickedIn(pickers));
  const [announcement, setAnnouncement] = useState("");
  const [laidOut, setLaidOut] = useState(pickers);
  const answer = useActionData<{ pickers?: readonly Picker[]; fieldErrors?: object }>();
  if (laidOut !== pickers) {
    setLaidOut(pickers);
    // A page that is read again knows nothing of what is selected in it.
    if (answer?.pickers === pickers) {
      setTicked(tickedIn(pickers));
      setSearch(pickers[0]!.search);
      const totalOf = (list: "available" | "chosen") =>
        pickers.reduce((sum, picker) => sum + picker[list].total, 0);
      // A refusal is told alone.
      if (Object.keys(answer.fieldErrors ?? {}).length === 0)
        setAnnouncement(`${totalOf("available")} available. ${totalOf("chosen")} selected.`);
    }
  }
  const isComplete = pickers.every((picker) => picker.isComplete);
  const listsFor = (text: string) =>
    pickers.map((picker) => moveTicked(picker, ticked[kindOf(picker.kind).field], text));
  const lists = listsFor(isComplete ? search : "");

  // Ticks and text entered before hydration are in the page, but not yet in the state.
  useEffect(() => {
    const entered = pickerFields(new FormData(fieldset.current!.form!));
    if (isComplete) setSearch(entered.search);
    setTicked(entered.ticked);
    // Once, for the page that was hydrated.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  const select = (next: ChosenTargets, change: string) => {
    const count = Object.values(next).reduce((sum, ids) => sum + ids.length, 0);
    setTicked(next);
    setAnnouncement(`${change} ${count} selected.`);
  };
  const selectOnClick = (next: ChosenTargets, change: string) => (event: MouseEvent) => {
    if (!isComplete) return;
    event.preventDefault();
    select(next, change);
  };
  const all = lists.at(-1)!.available.shown.map(({ id }) => id);

  return {
    fieldset,
    lists,
    search,
    announcement,
    onToggle({ kind, id, label }: Target, isNowTicked: boolean) {
      const { field } = kindOf(kind);
      const list = lists.find((list) => list.kind === kind)!;
      const left = (isNowTicked ? list.available : list.chosen).shown;
      const index = left.findIndex((target) => target.id === id);
      const neighbour = left[index + 1] ?? left[index - 1];
      // The target moves to the other panel; the focus stays in this one.
      focusNext(
        neighbour
          ? `input[name="${field}"][value="${CSS.escape(neighbour.id)}"]`
          : `#${isNowTicked ? "available" : "selected"}-${mainKind.field}`,
      );
      const others = ticked[field].filter((other) => other !== id);
      const next = { ...ticked, [field]: isNowTicked ? [...others, id] : others };
      select(next, `${label} ${isNowTicked ? "added" : "removed"}.`);
    },
    onSearch({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) {
      if (!isComplete) return;
      setSearch(value);
      const count = listsFor(value).reduce((sum, { available }) => sum + available.total, 0);
      setAnnouncement(`${count} available.`);
    },
    onSearchKeyDown(event: KeyboardEvent<HTMLInputElement>) {
      // The list already follows the typing; Enter must not post the form.
      if (event.key === "Enter" && isComplete) event.preventDefault();
    },
    onAll: selectOnClick({ ...ticked, machines: [...ticked.machines, ...all] }, "All added."),
    onNone: selectOnClick(noTargets, "All removed."),
  };
}

/** Returns a function that puts the focus on what matches a selector once the next rendering is done. */
function useFocusAfterRendering(container: RefObject<HTMLElement>) {
  const next = useRef<string | null>(null);
  useEffect(() => {
    if (!next.current) return;
    container.current?.querySelector<HTMLElement>(next.current)?.focus();
    next.current = null;
  });
  return (selector: string) => {
    next.current = selector;
  };
}
