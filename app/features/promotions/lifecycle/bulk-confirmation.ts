/** Sentences of the confirmation of a bulk action. Computed on the server: no browser needs them. */
import { countOf } from "../../../format/number";
import type { BulkCount, LifecycleAction } from "./bulk-actions";

type Forms = [singular: string, plural: string];

const consequences: Record<LifecycleAction, Forms> = {
  deactivate: [
    "Machines will refuse this code until an admin reactivates it.",
    "Machines will refuse these codes until an admin reactivates them.",
  ],
  extend: [
    "This code will expire at the end of the day that you enter.",
    "These codes will expire at the end of the day that you enter.",
  ],
  assign: [
    "This code keeps its machines and groups and gets those that you select.",
    "These codes keep their machines and groups and get those that you select.",
  ],
  unassign: [
    "The machines and groups that you select are removed from this code. Without any, no machine accepts it.",
    "The machines and groups that you select are removed from these codes. Without any, no machine accepts them.",
  ],
  delete: [
    "Machines will refuse this code until an admin restores it.",
    "Machines will refuse these codes until an admin restores them.",
  ],
  reactivate: [
    "Machines accept this code again, unless it is expired, used up or not assigned.",
    "Machines accept these codes again, unless they are expired, used up or not assigned.",
  ],
  restore: [
    "This code will no longer be deleted. Its other settings stay as they are.",
    "These codes will no longer be deleted. Their other settings stay as they are.",
  ],
  rename: ["This code gets the new name.", "These codes get the new name."],
};

/**
 * Says what an action will do to its codes, and before that how many mass generations are concerned:
 * 'This covers 14 single codes and 2 whole mass generations of 2,000 codes. Machines will refuse ...'
 */
export function describeConsequence(action: LifecycleAction, count: BulkCount): string {
  const consequence = consequences[action][count.codes === 1 ? 0 : 1];
  return count.generations > 0 ? `${describeCount(action, count)} ${consequence}` : consequence;
}

function describeCount(action: LifecycleAction, count: BulkCount): string {
  const generationCodes = countOf(count.generationCodes, "code");
  const generations = (noun: string) => countOf(count.generations, noun);
  const coversGenerations = action === "delete" || action === "restore";
  const parts = [
    count.singles > 0 && countOf(count.singles, "single code"),
    coversGenerations
      ? `${generations("whole mass generation")} of ${generationCodes}`
      : `${generationCodes} of ${generations("mass generation")}`,
  ];
  return `This covers ${parts.filter(Boolean).join(" and ")}.`;
}
