// Without script: the buttons of a picker post the whole form, which comes back as it was typed.
import { useActionData, useLocation } from "@remix-run/react";
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useRef, useState } from "react";
import { useField } from "remix-validated-form";
import { FieldError } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { Button } from "../../ui/form/button";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import { visuallyHidden } from "#styles/global.css";
import { MoreTargets, TargetBox, TargetPicker, TargetSearch } from "./target-picker";
import * as styles from "./target-picker.css";
import {
  kindOf,
  matchesTarget,
  maxShown,
  pickerFields,
  type Picker,
  type Target,
  type TargetKind,
} from "./targets";

/** Fewer boxes than this are found without a search. */
const minSearched = 21;

type TargetFieldsProps = {
  pickers: readonly Picker[];
  /** Replaces the usual hint of the machines. */
  hint?: string;
  /** Stands in the place of the selected machines. */
  noneSelected?: string;
};

/** The fields of a form for all kinds of targets. */
export function TargetFields({ pickers, ...texts }: TargetFieldsProps) {
  const hasBoxes = pickers.some(
    ({ kind, available }) => !kindOf(kind).hasPanels && available.total,
  );
  const noneSelected = `No machines selected. No machine accepts the code until ${hasBoxes ? "a machine or a group" : "one"} is assigned.`;
  return pickers.map((picker) =>
    kindOf(picker.kind).hasPanels ? (
      <PanelField key={picker.kind} picker={picker} noneSelected={noneSelected} {...texts} />
    ) : (
      <BoxField key={picker.kind} picker={picker} />
    ),
  );
}

function BoxField({ picker: { kind, available, ticked, search } }: { picker: Picker }) {
  const { shown, total } = available;
  const { field, hint, searchHint } = kindOf(kind);
  const pickerButton = usePickerButton(kind);
  if (total === 0) return null;
  return (
    <PickerFieldset kind={kind} hint={hint}>
      {total >= minSearched && (
        <TargetSearch kind={kind} hint={searchHint} defaultValue={search}>
          <Button {...pickerButton} value={`search-${field}`}>{`Search ${field}`}</Button>
        </TargetSearch>
      )}
      <ul className={`${styles.panel} ${styles.list}`}>
        {shown.map((target) => (
          <TargetBox key={target.id} target={target} isTicked={ticked.includes(target.id)} />
        ))}
      </ul>
      <MoreTargets
        kind={kind}
        shown={shown.length}
        total={total}
        canSearch={search === ""}
        className={form.hint}
      />
    </PickerFieldset>
  );
}

/**
 * Two panels: a tick in the first moves a target to the second, and back.
 *
 * The Search button is the first submit button of the form on purpose: without scripts, Enter in
 * any field presses the first one, and it must never be the one that creates.
 */
function PanelField({
  picker,
  hint,
  noneSelected,
}: { picker: Picker } & Omit<TargetFieldsProps, "pickers">) {
  const { kind } = picker;
  const { field, searchHint, hint: usualHint } = kindOf(kind);
  const { available, selected, search, ...own } = useSelection(picker);
  const pickerButton = usePickerButton(kind);
  const areScriptsRunning = useAreScriptsRunning();
  const panelButton = (value: string, label: string, count: number, onClick: typeof own.onAll) => (
    <Button
      {...pickerButton}
      value={value}
      size="small"
      // Without scripts the boxes may say otherwise than the count.
      aria-disabled={(areScriptsRunning && count === 0) || undefined}
      onClick={onClick}
    >
      {label}
    </Button>
  );
  const box = (isTicked: boolean) => (target: Target) => (
    <TargetBox key={target.id} target={target} isTicked={isTicked} onToggle={own.onToggle} />
  );

  return (
    <PickerFieldset
      kind={kind}
      fieldset={own.fieldset}
      hint={
        <>
          {hint ?? usualHint}{" "}
          <a className={styles.skip} href={`#after-${field}`}>
            Skip the {kind} list
          </a>
        </>
      }
    >
      <TargetSearch
        kind={kind}
        hint={searchHint}
        defaultValue={search}
        onChange={own.onSearch}
        onKeyDown={own.onSearchKeyDown}
      >
        <Button {...pickerButton} value={`search-${field}`}>
          Search
        </Button>
      </TargetSearch>
      <TargetPicker
        available={{
          name: "Available",
          lists: [{ kind, ...available }],
          row: box(false),
          empty: whyNoneAvailable(kind, selected, search),
          control: panelButton("select-all", "Select All", available.total, own.onAll),
          canSearch: search === "",
        }}
        chosen={{
          name: "Selected",
          lists: [{ kind, shown: selected.slice(0, maxShown), total: selected.length }],
          row: box(true),
          empty: noneSelected,
          control: panelButton("unselect-all", "Unselect All", selected.length, own.onNone),
          foot: selected
            .slice(maxShown)
            .map(({ id }) => <input key={id} type="hidden" name={field} value={id} />),
        }}
      />
      <p className={visuallyHidden} role="status">
        {own.announcement}
      </p>
      <span id={`after-${field}`} tabIndex={-1} />
    </PickerFieldset>
  );
}

/** Explains why no target can be added: the search is about those that are selected, too. */
function whyNoneAvailable(kind: TargetKind, selected: readonly Target[], search: string): string {
  if (search.trim() === "") return `Every ${kind} is selected.`;
  return selected.some((target) => matchesTarget(target, search))
    ? `All ${kindOf(kind).field} that match are selected.`
    : `No ${kind} matches the search.`;
}

function PickerFieldset({
  kind,
  hint,
  fieldset,
  children,
}: {
  kind: TargetKind;
  hint: ReactNode;
  fieldset?: Ref<HTMLFieldSetElement>;
  children: ReactNode;
}) {
  const { field, legend } = kindOf(kind);
  const { error } = useField(field);
  return (
    <fieldset className={form.fieldset} id={field} tabIndex={-1} ref={fieldset}>
      <legend className={form.legend}>{legend}</legend>
      <p className={form.hint}>{hint}</p>
      <FieldError name={field} error={error} />
      {children}
    </fieldset>
  );
}

/** Posts the form as it stands; the page that comes back begins at the picker. */
function usePickerButton(kind: TargetKind) {
  // With the query, which a fragment alone would lose.
  const formAction = `${useLocation().search}#${kindOf(kind).field}`;
  return { name: "intent", formNoValidate: true, formAction } as const;
}

// By code units, not by a locale: the server and every browser must agree.
function byLabel(a: Target, b: Target): number {
  const [first, second] = [a, b].map((target) => `${target.label.toLowerCase()} ${target.id}`);
  return first! < second! ? -1 : 1;
}

/** Keeps what is selected and searched now in the browser, starting from the server's layout. */
function useSelection(picker: Picker) {
  const { kind, isComplete } = picker;
  const { field } = kindOf(kind);
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const focusNext = useRef<string | null>(null);
  const [search, setSearch] = useState(picker.search);
  const [ids, setIds] = useState(picker.ticked);
  const [announcement, setAnnouncement] = useState("");
  const [laidOut, setLaidOut] = useState(picker);
  const answer = useActionData<{ pickers?: Picker[] }>();
  if (laidOut !== picker) {
    setLaidOut(picker);
    // A page that is read again knows nothing of what is selected in it.
    if (answer?.pickers?.includes(picker)) {
      setIds(picker.ticked);
      setSearch(picker.search);
    }
  }

  const known = new Map(
    [...picker.available.shown, ...picker.chosen.shown].map((target) => [target.id, target]),
  );
  const isSelected = new Set(ids);
  const selected = ids.flatMap((id) => known.get(id) ?? []);
  const unselected = [...known.values()].filter(({ id }) => !isSelected.has(id)).sort(byLabel);
  const matching = (text: string) => unselected.filter((target) => matchesTarget(target, text));
  const shown = isComplete ? matching(search) : unselected;
  const total = isComplete
    ? shown.length
    : picker.available.total + picker.chosen.total - selected.length;

  // Ticks and text entered before hydration are in the page, but not yet in the state.
  useEffect(() => {
    const entered = pickerFields(new FormData(fieldset.current!.form!));
    if (isComplete) setSearch(entered.searchFor(kind));
    setIds([...entered.ticked[field]]);
    // Once, for the page that was hydrated.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  // A ticked target moves to the other panel; focus stays in this one, on the next row.
  useEffect(() => {
    if (!focusNext.current) return;
    fieldset.current?.querySelector<HTMLElement>(focusNext.current)?.focus();
    focusNext.current = null;
  });

  const select = (next: string[], change: string) => {
    setIds(next);
    setAnnouncement(`${change} ${next.length} selected.`);
  };
  const selectOnClick = (next: string[], change: string) => (event: { preventDefault(): void }) => {
    if (!isComplete) return;
    event.preventDefault();
    select(next, change);
  };

  return {
    fieldset,
    search,
    selected,
    available: { shown, total },
    announcement,
    onToggle({ id, label }: Target, isTicked: boolean) {
      const panel = isTicked ? shown : selected;
      const index = panel.findIndex((target) => target.id === id);
      const next = panel[index + 1] ?? panel[index - 1];
      focusNext.current = next
        ? `input[value="${CSS.escape(next.id)}"]`
        : `#${isTicked ? "available" : "selected"}-${field}`;
      select(
        isTicked ? [...ids, id] : ids.filter((other) => other !== id),
        `${label} ${isTicked ? "added" : "removed"}.`,
      );
    },
    onSearch({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) {
      if (!isComplete) return;
      setSearch(value);
      setAnnouncement(`${matching(value).length} available.`);
    },
    onSearchKeyDown(event: KeyboardEvent<HTMLInputElement>) {
      // The list already follows the typing; Enter must not post the form.
      if (event.key === "Enter" && isComplete) event.preventDefault();
    },
    onAll: selectOnClick([...ids, ...shown.map(({ id }) => id)], "All added."),
    onNone: selectOnClick([], "All removed."),
  };
}
