// Without script: the buttons of a picker post the whole form, which comes back as it was typed.
import { useActionData, useLocation } from "@remix-run/react";
import {
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useRef,
  useState,
} from "react";
import { useField } from "remix-validated-form";
import { FieldError } from "../../ui/form/field";
import * as form from "../../ui/form/form.css";
import { Button } from "../../ui/form/button";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import { visuallyHidden } from "#styles/global.css";
import { MoreTargets, TargetBoxes, TargetPanel } from "./target-boxes";
import * as styles from "./target-picker.css";
import {
  kindOf,
  matchesTarget,
  maxShown,
  type Picker,
  searchFieldOf,
  type Target,
  type TargetKind,
} from "./targets";

/** Fewer boxes than this are found without a search. */
const minSearched = 21;

type TargetPickersProps = {
  pickers: readonly Picker[];
  /** Replaces the usual hint of the machines. */
  hint?: string;
  /** Stands in the place of the selected machines. */
  noneSelected?: string;
};

export function TargetPickers({ pickers, ...texts }: TargetPickersProps) {
  const hasOthers = pickers.some(({ kind, list }) => kind !== "machine" && list.total > 0);
  const noneSelected = hasOthers
    ? "No machines selected. No machine accepts the code until a machine or a group is assigned."
    : "No machines selected. No machine accepts the code until one is assigned.";
  return pickers.map((picker) =>
    picker.kind === "machine" ? (
      <PanelPicker key={picker.kind} picker={picker} noneSelected={noneSelected} {...texts} />
    ) : (
      <BoxPicker key={picker.kind} picker={picker} />
    ),
  );
}

function BoxPicker({ picker: { kind, list, selected, search } }: { picker: Picker }) {
  const isSelected = new Set(selected.map(({ id }) => id));
  if (list.total === 0) return null;
  return (
    <PickerFieldset kind={kind} hint={kindOf(kind).hint}>
      {list.total >= minSearched && <SearchRow kind={kind} search={search} />}
      <TargetBoxes
        targets={list.shown}
        isTicked={({ id }) => isSelected.has(id)}
        className={`${styles.panel} ${styles.list}`}
      />
      <MoreTargets
        shown={list.shown.length}
        total={list.total}
        noun={`${kindOf(kind).field} `}
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
function PanelPicker({
  picker,
  hint,
  noneSelected,
}: { picker: Picker; noneSelected: string } & Omit<TargetPickersProps, "pickers">) {
  const { kind } = picker;
  const { field, legend } = kindOf(kind);
  const { available, selected, search, ...own } = useTargetSelection(picker);
  const pickerButton = usePickerButton(kind);
  const areScriptsRunning = useAreScriptsRunning();
  const panelButton = (
    intent: string,
    label: string,
    count: number,
    onClick: typeof own.onSelectAll,
  ) => (
    <Button
      {...pickerButton}
      value={intent}
      size="small"
      // Without scripts the boxes may say otherwise than the count.
      aria-disabled={(areScriptsRunning && count === 0) || undefined}
      onClick={onClick}
    >
      {label}
    </Button>
  );

  return (
    <PickerFieldset
      kind={kind}
      fieldset={own.fieldset}
      hint={
        <>
          {hint ?? kindOf(kind).hint}{" "}
          <a className={styles.skip} href={`#after-${field}`}>
            Skip the {kind} list
          </a>
        </>
      }
    >
      <SearchRow
        kind={kind}
        search={search}
        onChange={own.onSearch}
        onKeyDown={own.onSearchKeyDown}
      />
      <div className={styles.panels}>
        <TargetPanel
          id={`available-${field}`}
          title={`Available ${legend}`}
          count={available.total}
          control={panelButton("select-all", "Select All", available.total, own.onSelectAll)}
        >
          {available.shown.length === 0 ? (
            <p className={styles.empty}>{noneAvailable(kind, selected, search)}</p>
          ) : (
            <TargetBoxes targets={available.shown} isTicked={() => false} onToggle={own.onToggle} />
          )}
          <MoreTargets shown={available.shown.length} total={available.total} />
        </TargetPanel>
        <TargetPanel
          id={`selected-${field}`}
          title={`Selected ${legend}`}
          count={selected.length}
          control={panelButton("unselect-all", "Unselect All", selected.length, own.onUnselectAll)}
        >
          {selected.length === 0 ? (
            <p className={styles.empty}>{noneSelected}</p>
          ) : (
            <TargetBoxes
              targets={selected.slice(0, maxShown)}
              isTicked={() => true}
              onToggle={own.onToggle}
            />
          )}
          {selected.slice(maxShown).map(({ id }) => (
            <input key={id} type="hidden" name={field} value={id} />
          ))}
          {selected.length > maxShown && (
            <p className={styles.more}>And {selected.length - maxShown} more.</p>
          )}
        </TargetPanel>
      </div>
      <p className={visuallyHidden} role="status">
        {own.announcement}
      </p>
      <span id={`after-${field}`} tabIndex={-1} />
    </PickerFieldset>
  );
}

/** Explains why no target can be added: the search is about those that are selected, too. */
function noneAvailable(kind: TargetKind, selected: readonly Target[], search: string): string {
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

function SearchRow({
  kind,
  search,
  ...handlers
}: { kind: TargetKind; search: string } & Pick<
  InputHTMLAttributes<HTMLInputElement>,
  "onChange" | "onKeyDown"
>) {
  const { field } = kindOf(kind);
  const searchField = searchFieldOf(kind);
  return (
    <div className={styles.search}>
      <label className={form.label} htmlFor={searchField}>
        Search {field}
      </label>
      <p className={form.hint} id={`${searchField}-hint`}>
        {kind === "machine"
          ? "By serial number or name."
          : `By name. ${field.charAt(0).toUpperCase()}${field.slice(1)} that match come first.`}
      </p>
      <div className={styles.searchRow}>
        <input
          className={form.input}
          id={searchField}
          name={searchField}
          type="search"
          autoComplete="off"
          defaultValue={search}
          aria-describedby={`${searchField}-hint`}
          {...handlers}
        />
        <Button {...usePickerButton(kind)} value={`search-${field}`}>
          {kind === "machine" ? "Search" : `Search ${field}`}
        </Button>
      </div>
    </div>
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
function useTargetSelection(picker: Picker) {
  const { field } = kindOf(picker.kind);
  const searchField = searchFieldOf(picker.kind);
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const focusNext = useRef<string | null>(null);
  const [search, setSearch] = useState(picker.search);
  const [selected, setSelected] = useState(picker.selected);
  const [announcement, setAnnouncement] = useState("");
  const [laidOut, setLaidOut] = useState(picker);
  const answer = useActionData<{ pickers?: Picker[] }>();
  if (laidOut !== picker) {
    setLaidOut(picker);
    // A page that is read again knows nothing of what is selected in it.
    if (answer?.pickers?.includes(picker)) {
      setSelected(picker.selected);
      setSearch(picker.search);
    }
  }

  const known = [...picker.list.shown, ...picker.selected];
  const isSelected = new Set(selected.map(({ id }) => id));
  const unselected = known.filter(({ id }) => !isSelected.has(id)).sort(byLabel);
  const shown = picker.isComplete
    ? unselected.filter((target) => matchesTarget(target, search))
    : unselected;
  const total = picker.isComplete
    ? shown.length
    : picker.list.total + picker.selected.length - selected.length;

  // Ticks and text entered before hydration are in the page, but not yet in the state.
  useEffect(() => {
    const inputs = (name: string) => [
      ...(fieldset.current?.querySelectorAll<HTMLInputElement>(`[name=${name}]`) ?? []),
    ];
    const [typed] = inputs(searchField);
    if (picker.isComplete && typed) setSearch(typed.value);
    const ticked = new Set(
      inputs(field)
        .filter((input) => input.type === "hidden" || input.checked)
        .map((input) => input.value),
    );
    setSelected(known.filter(({ id }) => ticked.has(id)));
    // Once, for the page that was hydrated.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  // A ticked target moves to the other panel; focus stays in this one, on the next row.
  useEffect(() => {
    if (!focusNext.current) return;
    fieldset.current?.querySelector<HTMLElement>(focusNext.current)?.focus();
    focusNext.current = null;
  });

  const select = (targets: Target[], change: string) => {
    setSelected(targets);
    setAnnouncement(`${change} ${targets.length} selected.`);
  };
  const selectOnClick =
    (targets: Target[], change: string) => (event: { preventDefault(): void }) => {
      if (!picker.isComplete) return;
      event.preventDefault();
      select(targets, change);
    };

  return {
    fieldset,
    search,
    selected,
    available: { shown, total },
    announcement,
    onToggle(target: Target, isTicked: boolean) {
      const panel = isTicked ? shown : selected;
      const index = panel.findIndex(({ id }) => id === target.id);
      const next = panel[index + 1] ?? panel[index - 1];
      focusNext.current = next
        ? `input[value="${CSS.escape(next.id)}"]`
        : `#${isTicked ? "available" : "selected"}-${field}`;
      select(
        isTicked ? [...selected, target] : selected.filter(({ id }) => id !== target.id),
        `${target.label} ${isTicked ? "added" : "removed"}.`,
      );
    },
    onSearch({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) {
      if (!picker.isComplete) return;
      setSearch(value);
      const count = unselected.filter((target) => matchesTarget(target, value)).length;
      setAnnouncement(`${count} available.`);
    },
    onSearchKeyDown(event: KeyboardEvent<HTMLInputElement>) {
      // The list already follows the typing; Enter must not post the form.
      if (event.key === "Enter" && picker.isComplete) event.preventDefault();
    },
    onSelectAll: selectOnClick([...selected, ...shown], "All added."),
    onUnselectAll: selectOnClick([], "All removed."),
  };
}
