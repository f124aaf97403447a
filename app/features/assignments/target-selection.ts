import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { kindOf, matchesTarget, type Picker, searchFieldOf, type Target } from "./targets";

// By code units, not by a locale: the server and every browser must agree.
function byLabel(a: Target, b: Target): number {
  const [first, second] = [a, b].map((target) => `${target.label.toLowerCase()} ${target.id}`);
  return first! < second! ? -1 : 1;
}

/** Keeps what is selected and searched now in the browser, starting from the server's layout. */
export function useTargetSelection(picker: Picker) {
  const { field } = kindOf(picker.kind);
  const searchField = searchFieldOf(picker.kind);
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const focusNext = useRef<string | null>(null);
  const [search, setSearch] = useState(picker.search);
  const [selected, setSelected] = useState(picker.selected);
  const [announcement, setAnnouncement] = useState("");
  const [laidOut, setLaidOut] = useState(picker);
  if (laidOut !== picker) {
    setLaidOut(picker);
    setSelected(picker.selected);
    setSearch(picker.search);
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
