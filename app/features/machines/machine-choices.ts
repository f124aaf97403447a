/** A machine that can be assigned: never a deleted one (core §4). */
export type MachineChoice = { serialNumber: string; humanName: string };

/** The two panels of the machine selector (core §2) as the server lays them out. */
export type MachineChoices = {
  /** Not selected and matching the search, at most `maxShown`. */
  available: MachineChoice[];
  /** How many are not selected and match in all, shown or not. */
  availableTotal: number;
  /** Always listed, matching or not. */
  selected: MachineChoice[];
  search: string;
  /** Every machine is on the page: the browser can search by itself. */
  isComplete: boolean;
};

/** More rows than this make a page that a small machine can't scroll. */
export const maxShown = 200;

/** core §5: case-insensitive, on serial number or name. */
export function matchesMachine(machine: MachineChoice, search: string): boolean {
  const needle = search.trim().toLowerCase();
  return (
    machine.serialNumber.toLowerCase().includes(needle) ||
    machine.humanName.toLowerCase().includes(needle)
  );
}

/** core §5: those that match come first; otherwise the order stays. */
export function matchingFirst<Kind extends MachineChoice>(
  machines: readonly Kind[],
  search: string,
): { machines: Kind[]; matching: number } {
  const matching = machines.filter((machine) => matchesMachine(machine, search));
  const others = machines.filter((machine) => !matchesMachine(machine, search));
  return { machines: [...matching, ...others], matching: matching.length };
}

/** What the selector's own buttons do to a posted form; any other intent changes nothing. */
export function applySelectorIntent(
  intent: string,
  machines: readonly MachineChoice[],
  { selected, search }: { selected: readonly string[]; search: string },
): Set<string> {
  if (intent === "unselect-all") return new Set();
  if (intent !== "select-all") return new Set(selected);
  const matching = machines.filter((machine) => matchesMachine(machine, search));
  return new Set([...selected, ...matching.map((machine) => machine.serialNumber)]);
}

export function layOutChoices(
  machines: readonly MachineChoice[],
  { selected, search }: { selected: ReadonlySet<string>; search: string },
): MachineChoices {
  const matching = machines.filter(
    (machine) => !selected.has(machine.serialNumber) && matchesMachine(machine, search),
  );
  return {
    available: matching.slice(0, maxShown),
    availableTotal: matching.length,
    selected: machines.filter((machine) => selected.has(machine.serialNumber)),
    search,
    isComplete: machines.length <= maxShown && search.trim() === "",
  };
}
