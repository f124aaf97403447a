import type { MachineChoice } from "../../machines/machine-choices";
import type { GroupChoice } from "../../machines/machine-group";
import type { Assigned } from "../../assignments/assigned";
import { effectiveLabel } from "../../assignments/assigned-machines";
import { fieldNames, tickedIn, type Ticked } from "./dialog-actions";
import {
  layOutGroups,
  layOutList,
  type AssignedMachine,
  type GroupList,
  type MachineList,
} from "./machine-lists";

/** What 'Manage Machines' shows of a promotion or a mass generation. */
export type ManagedMachines = {
  /** How many machines accept it, and which way. */
  summary: string;
  assigned: MachineList<AssignedMachine>;
  available: MachineList<MachineChoice>;
  groups: { assigned: GroupChoice[]; available: GroupList };
  search: string;
  ticked: Ticked;
  isQuestionOpen: boolean;
  /** It is deleted: nothing can be changed. */
  isReadOnly: boolean;
};

/**
 * @param params of the dialog's address: what is searched and, without scripts, ticked
 * @param choices every machine and every group that there is
 */
export function layOutManaged(
  { machines, groups, effective }: Assigned,
  choices: { machines: readonly MachineChoice[]; groups: readonly GroupChoice[] },
  params: URLSearchParams,
  isReadOnly: boolean,
): ManagedMachines {
  const search = params.get(fieldNames.search) ?? "";
  const ticked = tickedIn(params);
  const assigned = machines.map(({ serialNumber, humanName, isDeleted }) => ({
    serialNumber,
    humanName,
    isDeleted,
  }));
  const isAssigned = new Set(assigned.map((machine) => machine.serialNumber));
  const isAssignedGroup = new Set(groups.map((group) => group.id));
  return {
    summary: effectiveLabel(effective, groups.length),
    assigned: layOutList(assigned, search),
    available: layOutList(
      choices.machines.filter((machine) => !isAssigned.has(machine.serialNumber)),
      search,
      new Set(ticked.machines),
    ),
    groups: {
      assigned: groups,
      available: layOutGroups(
        choices.groups.filter((group) => !isAssignedGroup.has(group.id)),
        search,
        new Set(ticked.groups),
      ),
    },
    search,
    ticked,
    isQuestionOpen: params.has(fieldNames.question),
    isReadOnly,
  };
}
