// Without script: the buttons of a picker post the whole form, which comes back as it was typed.
import { useActionData, useLocation } from "@remix-run/react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
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
  listTargets,
  matchesTarget,
  maxShown,
  pickerFields,
  type Picker,
  type Target,
  type TargetKind,
} from "./targets";

/** Texts of the fields, which only pages with such a form load. */
const texts: Record<TargetKind, Record<"hint" | "searchHint" | "searchButton", string>> = {
  machine: {
    hint: "A code is accepted only at the machines it is assigned to.",
    searchHint: "By serial number or name.",
    searchButton: "Search",
  },
  group: {
    hint: "All machines in a group accept the code, including machines added later.",
    searchHint: "By name. Groups that match come first.",
    searchButton: "Search groups",
  },
};

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
export function TargetFields({ pickers, ...own }: TargetFieldsProps) {
  const shown = pickers.filter(({ kind, available }) => kindOf(kind).hasPanels || available.total);
  const noneSelected = `No machines selected. No machine accepts the code until ${shown.length > 1 ? "a machine or a group" : "one"} is assigned.`;
  return shown.map((picker) => (
    <TargetField key={picker.kind} picker={picker} noneSelected={noneSelected} {...own} />
  ));
}

/**
 * The Search button of the machines is the first submit button of the form on purpose: without
 * scripts, Enter in any field presses the first one, and it must never be the one that creates.
 */
function TargetField({
  picker,
  hint,
  noneSelected,
}: { picker: Picker } & Omit<TargetFieldsProps, "pickers">) {
  const { kind } = picker;
  const { field, legend, hasPanels } = kindOf(kind);
  const { searchHint, searchButton, hint: defaultHint } = texts[kind];
  const { shown, total, selected, search, isTicked, ...own } = useSelection(picker);
  const { error } = useField(field);
  const areScriptsRunning = useAreScriptsRunning();
  // Posts the form as it stands, with the query, which a fragment alone would lose; the page that comes back begins here.
  const formAction = `${useLocation().search}#${field}`;
  const pickerButton = { name: "intent", formNoValidate: true, formAction } as const;
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
  const box = (target: Target) => (
    <TargetBox
      key={target.id}
      target={target}
      isTicked={isTicked(target)}
      onToggle={own.onToggle}
    />
  );

  return (
    <fieldset className={form.fieldset} id={field} tabIndex={-1} ref={own.fieldset}>
      <legend className={form.legend}>{legend}</legend>
      <p className={form.hint}>
        {(hasPanels && hint) || defaultHint}{" "}
        {hasPanels && (
          <a className={styles.skip} href={`#after-${field}`}>
            Skip the {kind} list
          </a>
        )}
      </p>
      <FieldError name={field} error={error} />
      {(hasPanels || total >= minSearched) && (
        <TargetSearch
          kind={kind}
          hint={searchHint}
          defaultValue={search}
          onChange={own.onSearch}
          onKeyDown={own.onSearchKeyDown}
        >
          <Button {...pickerButton} value={`search-${field}`}>
            {searchButton}
          </Button>
        </TargetSearch>
      )}
      {hasPanels ? (
        <TargetPicker
          available={{
            name: "Available",
            lists: [{ kind, shown, total }],
            row: box,
            empty: whyNoneAvailable(kind, selected, search),
            control: panelButton("select-all", "Select All", total, own.onAll),
            canSearch: search === "",
          }}
          chosen={{
            name: "Selected",
            lists: [{ kind, shown: selected.slice(0, maxShown), total: selected.length }],
            row: box,
            empty: noneSelected,
            control: panelButton("unselect-all", "Unselect All", selected.length, own.onNone),
            foot: selected
              .slice(maxShown)
              .map(({ id }) => <input key={id} type="hidden" name={field} value={id} />),
          }}
        />
      ) : (
        <>
          <ul className={`${styles.panel} ${styles.list}`}>{shown.map(box)}</ul>
          <MoreTargets
            kind={kind}
            shown={shown.length}
            total={total}
            canSearch={search === ""}
            className={form.hint}
          />
        </>
      )}
      <p className={visuallyHidden} role="status">
        {own.announcement}
      </p>
      <span id={`after-${field}`} tabIndex={-1} />
    </fieldset>
  );
}

/** Explains why no target can be added: the search is about those that are selected, too. */
function whyNoneAvailable(kind: TargetKind, selected: readonly Target[], search: string): string {
  if (search.trim() === "") return `Every ${kind} is selected.`;
  return selected.some((target) => matchesTarget(target, search))
    ? `All ${kindOf(kind).field} that match are selected.`
    : `No ${kind} matches the search.`;
}

// By code units, not by a locale: the server and every browser must agree.
function byLabel(a: Target, b: Target): number {
  const [first, second] = [a, b].map((target) => `${target.label.toLowerCase()} ${target.id}`);
  return first! < second! ? -1 : 1;
}

/** Keeps what is selected and searched now in the browser, starting from the server's layout. */
function useSelection(picker: Picker) {
  const { kind, isComplete } = picker;
  const { field, hasPanels } = kindOf(kind);
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

  const known = [...picker.available.shown, ...picker.chosen.shown];
  const byId = new Map(known.map((target) => [target.id, target]));
  const selectedIds = new Set(ids);
  const isTicked = ({ id }: Target) => selectedIds.has(id);
  const selected = ids.flatMap((id) => byId.get(id) ?? []);
  // In panels, ticked targets have moved to the other one, and a search hides what doesn't match.
  const unselected = known.filter((target) => !isTicked(target)).sort(byLabel);
  const matching = (text: string) => unselected.filter((target) => matchesTarget(target, text));
  const inPanel = isComplete ? matching(search) : unselected;
  const shown = hasPanels
    ? inPanel
    : listTargets(known, { search: isComplete ? search : "", max: Infinity }).shown;
  const rest = picker.available.total + picker.chosen.total - (hasPanels ? selected.length : 0);

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
    isTicked,
    shown,
    total: hasPanels && isComplete ? shown.length : rest,
    announcement,
    onToggle({ id, label }: Target, isNowTicked: boolean) {
      const next = isNowTicked ? [...ids, id] : ids.filter((other) => other !== id);
      if (!hasPanels) return setIds(next);
      const panel = isNowTicked ? shown : selected;
      const index = panel.findIndex((target) => target.id === id);
      const neighbour = panel[index + 1] ?? panel[index - 1];
      focusNext.current = neighbour
        ? `input[value="${CSS.escape(neighbour.id)}"]`
        : `#${isNowTicked ? "available" : "selected"}-${field}`;
      select(next, `${label} ${isNowTicked ? "added" : "removed"}.`);
    },
    onSearch({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) {
      if (!isComplete) return;
      setSearch(value);
      if (hasPanels) setAnnouncement(`${matching(value).length} available.`);
    },
    onSearchKeyDown(event: KeyboardEvent<HTMLInputElement>) {
      // The list already follows the typing; Enter must not post the form.
      if (event.key === "Enter" && isComplete) event.preventDefault();
    },
    onAll: selectOnClick([...ids, ...shown.map(({ id }) => id)], "All added."),
    onNone: selectOnClick([], "All removed."),
  };
}
