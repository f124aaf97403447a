import { matchingFirst, maxShown, type MachineChoice } from "../../machines/machine-choices";
import { matchingGroupsFirst } from "../../machines/group-choices";
import type { GroupChoice } from "../../machines/machine-group";

/** More groups than this are searched for. */
export const maxGroupsListed = 50;

export type AssignedMachine = MachineChoice & { isDeleted: boolean };

/** One of the two lists as the server lays it out. */
export type MachineList<Kind> = {
  /** Those that match first; at most `maxShown`, and all that are ticked. */
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
  const shown = sorted.machines.slice(0, maxShown);
  const cutOff = sorted.machines.slice(maxShown);
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

/** Groups that are not assigned, as the server lays them out. */
export type GroupList = {
  /** Those whose name matches first; at most `maxGroupsListed`, and all that are ticked. */
  shown: GroupChoice[];
  total: number;
};

export function layOutGroups(
  groups: readonly GroupChoice[],
  search: string,
  ticked: ReadonlySet<string> = new Set(),
): GroupList {
  const sorted = matchingGroupsFirst(groups, search);
  return {
    shown: sorted.filter((group, index) => index < maxGroupsListed || ticked.has(group.id)),
    total: groups.length,
  };
}

/** Changes that were sent off and are not answered yet: serial numbers, and ids of groups. */
export type PendingChange = {
  added: ReadonlySet<string>;
  removed: ReadonlySet<string>;
  addedGroups: ReadonlySet<string>;
  removedGroups: ReadonlySet<string>;
  isCleared: boolean;
};

/** Both lists of groups as they will be when everything that is pending is done. */
export function groupsWithPending(
  assigned: readonly GroupChoice[],
  available: GroupList,
  { addedGroups, removedGroups, isCleared }: PendingChange,
) {
  const leaving = assigned.filter((group) => isCleared || removedGroups.has(group.id));
  return {
    assigned,
    leaving: new Set(leaving.map((group) => group.id)),
    arriving: available.shown.filter((group) => addedGroups.has(group.id)),
    available: {
      shown: available.shown.filter((group) => !addedGroups.has(group.id)),
      total: available.total - addedGroups.size + leaving.length,
    },
  };
}

/** Both lists as they will be when everything that is pending is done. */
export function withPending(
  assigned: MachineList<AssignedMachine>,
  available: MachineList<MachineChoice>,
  { added, removed, isCleared }: Pick<PendingChange, "added" | "removed" | "isCleared">,
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
