/** Texts about a group and its machines. */
import { formatNumber } from "../../format/number";
import { formatCodes } from "../../format/promotion";
import { groupKindLabels, type GroupChoice, type GroupUse, type Unassigned } from "./machine-group";
import { toMachinesView } from "./machine-view";
import type { Added, Pasted } from "./group-members.server";

/** 'Site, 12 machines' */
export function groupNote({ kind, machineCount }: Pick<GroupChoice, "kind" | "machineCount">) {
  return `${groupKindLabels[kind]}, ${toMachinesView(machineCount)}`;
}

/** 'A, B, C and 7 more' */
function named(serials: readonly string[]): string {
  const more = serials.length - 5;
  const shown = serials.slice(0, 5).join(", ");
  return more > 0 ? `${shown} and ${formatNumber(more)} more` : shown;
}

/** '12 machines added: A, B. Already in the group: C.' */
export function addedMessage({ added, alreadyIn }: Added): string {
  if (added.length === 0) return `Nothing to add: already in the group: ${named(alreadyIn)}.`;
  const words = `${toMachinesView(added.length)} added: ${named(added)}.`;
  return alreadyIn.length > 0 ? `${words} Already in the group: ${named(alreadyIn)}.` : words;
}

export function removedMessage(removed: readonly string[]): string {
  if (removed.length === 0) return "They were not in the group any more.";
  return `${toMachinesView(removed.length)} removed: ${named(removed)}.`;
}

/** Returns the message about entries that could not be added; null if there are none. */
export function pasteErrorMessage({ unknown, ambiguous, deleted }: Pasted): string | null {
  const isOne = (list: readonly string[]) => list.length === 1;
  const serials = (list: readonly string[]) =>
    `${formatNumber(list.length)} serial ${isOne(list) ? "number" : "numbers"}`;
  const parts = [
    ...(unknown.length > 0
      ? [`${serials(unknown)} ${isOne(unknown) ? "is" : "are"} not known`]
      : []),
    ...(ambiguous.length > 0
      ? [`${serials(ambiguous)} could mean several machines: write upper and lower case exactly`]
      : []),
    ...(deleted.length > 0
      ? [
          `${toMachinesView(deleted.length)} ${isOne(deleted) ? "is" : "are"} deleted from SmartVend and ${isOne(deleted) ? "was" : "were"} not added`,
        ]
      : []),
  ];
  if (parts.length === 0) return null;
  const left = unknown.length + ambiguous.length;
  const stays =
    left > 0 ? [`What is still in the box was not added: correct it and add it again`] : [];
  return `${[...parts, ...stays].join(". ")}.`;
}

/** '3 promotions and 2 mass generations (4,000 codes)'; null where there are none. */
export function describeAssignments({ promotions, generations, codes }: GroupUse): string | null {
  const parts = [
    ...(promotions > 0
      ? [`${formatNumber(promotions)} ${promotions === 1 ? "promotion" : "promotions"}`]
      : []),
    ...(generations > 0
      ? [
          `${formatNumber(generations)} mass ${generations === 1 ? "generation" : "generations"} (${formatCodes(codes)})`,
        ]
      : []),
  ];
  return parts.length > 0 ? parts.join(" and ") : null;
}

/** Says what deleting a group takes away. */
export function describeUnassigned({ unassignedAfter, ...unassigned }: Unassigned): string[] {
  const all = describeAssignments(unassigned);
  if (all === null) return ["Nothing is assigned to it."];
  const bare = describeAssignments(unassignedAfter);
  return [
    `It is taken from ${all}, deleted ones included.`,
    bare === null
      ? "All of them have other machines or groups left."
      : `Nothing else is assigned to ${bare} of these: no machine accepts them from then on.`,
  ];
}
