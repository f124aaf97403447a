import type { Unassigned } from "../../features/machines/delete-machine-group.server";
import { describeAssignments } from "../../features/machines/group-view";

/** What deleting a group takes away, in sentences (rulings 3.5). */
export function consequences({ unassignedAfter, ...unassigned }: Unassigned): string[] {
  const all = describeAssignments(unassigned);
  if (all === null) return ["Nothing is assigned to it."];
  const bare = describeAssignments(unassignedAfter);
  return [
    `It is taken from ${all}, deleted ones included.`,
    ...(bare === null
      ? ["All of them have other machines or groups left."]
      : [`Nothing else is assigned to ${bare} of these: no machine accepts them from then on.`]),
  ];
}
