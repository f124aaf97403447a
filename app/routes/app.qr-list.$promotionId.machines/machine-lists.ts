import {
  matchingFirst,
  shownAtMost,
  type MachineChoice,
} from "../../features/machines/machine-choices";

export type AssignedMachine = MachineChoice & { isDeleted: boolean };

/** One of the two lists as the server lays it out. */
export type MachineList<Kind> = {
  /** Those that match first; at most `shownAtMost`, and all that are ticked. */
  shown: Kind[];
  total: number;
  matching: number;
};

export function layOutList<Kind extends MachineChoice>(
  machines: readonly Kind[],
  search: string,
  ticked: ReadonlySet<string> = new Set(),
): MachineList<Kind> {
  const sorted = matchingFirst(machines, search);
  const shown = sorted.machines.slice(0, shownAtMost);
  const cutOff = sorted.machines.slice(shownAtMost);
  return {
    shown: [...shown, ...cutOff.filter((machine) => ticked.has(machine.serialNumber))],
    total: machines.length,
    matching: sorted.matching,
  };
}

/**
 * The list as it is searched now, in the browser. Where it is not whole, how many match is known
 * only of what the server searched for.
 */
export function sortList<Kind extends MachineChoice>(
  list: MachineList<Kind>,
  search: string,
  serverSearch: string,
): MachineList<Kind> {
  const { machines, matching } = matchingFirst(list.shown, search);
  const isWhole = list.shown.length === list.total;
  return {
    shown: machines,
    total: list.total,
    matching: isWhole || search !== serverSearch ? matching : list.matching,
  };
}

/** Changes that were sent off and are not answered yet. */
export type PendingChange = {
  added: ReadonlySet<string>;
  removed: ReadonlySet<string>;
  isCleared: boolean;
};

/** Both lists as they will be when everything that is pending is done. */
export function withPending(
  assigned: MachineList<AssignedMachine>,
  available: MachineList<MachineChoice>,
  { added, removed, isCleared }: PendingChange,
) {
  const arriving = available.shown.filter((machine) => added.has(machine.serialNumber));
  const leaving = assigned.shown.filter(
    (machine) => isCleared || removed.has(machine.serialNumber),
  );
  const returning = leaving.filter((machine) => !machine.isDeleted);
  return {
    assigned: {
      // The leaving ones too: they come back by themselves when the server refuses.
      shown: assigned.shown,
      arriving,
      leaving: new Set(leaving.map((machine) => machine.serialNumber)),
      total: isCleared ? 0 : assigned.total + arriving.length - leaving.length,
    },
    available: {
      shown: available.shown.filter((machine) => !added.has(machine.serialNumber)),
      total: available.total - arriving.length + returning.length,
    },
  };
}
