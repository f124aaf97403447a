import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { matchesMachine, type MachineChoice, type MachineChoices } from "./machine-choices";

// By code units, not by a locale: the server and every browser must agree.
function byName(a: MachineChoice, b: MachineChoice): number {
  const [first, second] = [a, b].map(
    (machine) => `${machine.humanName.toLowerCase()} ${machine.serialNumber}`,
  );
  return first! < second! ? -1 : 1;
}

/**
 * What scripts add to the machine selector: what is selected and searched now, starting from what
 * the server laid out.
 */
export function useSelection(choices: MachineChoices) {
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const focusNext = useRef<string | null>(null);
  const [search, setSearch] = useState(choices.search);
  const [selected, setSelected] = useState(choices.selected);
  const [announcement, setAnnouncement] = useState("");
  const [laidOut, setLaidOut] = useState(choices);
  if (laidOut !== choices) {
    setLaidOut(choices);
    setSelected(choices.selected);
    setSearch(choices.search);
  }

  const known = [...choices.available, ...choices.selected];
  const isSelected = new Set(selected.map((machine) => machine.serialNumber));
  const unselected = known.filter((machine) => !isSelected.has(machine.serialNumber)).sort(byName);
  const shown = choices.isComplete
    ? unselected.filter((machine) => matchesMachine(machine, search))
    : unselected;
  const total = choices.isComplete
    ? shown.length
    : choices.availableTotal + choices.selected.length - selected.length;

  // What was ticked and typed before the scripts arrived is in the page, not yet in the state.
  useEffect(() => {
    const typed = fieldset.current?.querySelector<HTMLInputElement>("[name=machine_search]");
    if (choices.isComplete && typed) setSearch(typed.value);
    const ticked = new Set(
      [...(fieldset.current?.querySelectorAll<HTMLInputElement>("[name=machines]") ?? [])]
        .filter((input) => input.type === "hidden" || input.checked)
        .map((input) => input.value),
    );
    setSelected(known.filter((machine) => ticked.has(machine.serialNumber)));
    // Once, for the page that was hydrated.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  // A ticked machine moves to the other panel; focus stays in this one, on the next machine.
  useEffect(() => {
    if (!focusNext.current) return;
    fieldset.current?.querySelector<HTMLElement>(focusNext.current)?.focus();
    focusNext.current = null;
  });

  const select = (machines: MachineChoice[], words: string) => {
    setSelected(machines);
    setAnnouncement(`${words} ${machines.length} selected.`);
  };

  return {
    fieldset,
    search,
    selected,
    available: { shown, total },
    announcement,
    onToggle(machine: MachineChoice, isTicked: boolean) {
      const panel = isTicked ? shown : selected;
      const index = panel.findIndex(({ serialNumber }) => serialNumber === machine.serialNumber);
      const next = panel[index + 1] ?? panel[index - 1];
      focusNext.current = next
        ? `input[value="${CSS.escape(next.serialNumber)}"]`
        : isTicked
          ? "#available-machines"
          : "#selected-machines";
      select(
        isTicked
          ? [...selected, machine]
          : selected.filter(({ serialNumber }) => serialNumber !== machine.serialNumber),
        `${machine.humanName} ${isTicked ? "added" : "removed"}.`,
      );
    },
    onSearch(event: { currentTarget: HTMLInputElement }) {
      if (!choices.isComplete) return;
      setSearch(event.currentTarget.value);
      const count = unselected.filter((machine) =>
        matchesMachine(machine, event.currentTarget.value),
      ).length;
      setAnnouncement(`${count} available.`);
    },
    onSearchKeyDown(event: KeyboardEvent<HTMLInputElement>) {
      // The list already follows the typing; a press of Enter must not post the form.
      if (event.key === "Enter" && choices.isComplete) event.preventDefault();
    },
    onSelectAll(event: { preventDefault(): void }) {
      if (!choices.isComplete) return;
      event.preventDefault();
      select([...selected, ...shown], "All added.");
    },
    onUnselectAll(event: { preventDefault(): void }) {
      if (!choices.isComplete) return;
      event.preventDefault();
      select([], "All removed.");
    },
  };
}
