/** Texts of bulk actions. Computed on the server: no browser needs them. */
import { countOf } from "../../../format/number";
import type { BulkCount, LifecycleAction } from "./bulk-actions";

/** `{codes}` stands for the number of codes; `consequences` are about one code, and about several. */
type ActionTexts = Record<"title" | "doing" | "done", string> & {
  consequences: [singular: string, plural: string];
};

const textsOf = (verb: string, gerund: string, participle: string) => ({
  title: `${verb} {codes}`,
  doing: `${gerund} {codes}`,
  done: `{codes} ${participle}`,
});

export const bulkTexts: Record<LifecycleAction, ActionTexts> = {
  deactivate: {
    ...textsOf("Deactivate", "Deactivating", "deactivated"),
    consequences: [
      "Machines will refuse this code until an admin reactivates it.",
      "Machines will refuse these codes until an admin reactivates them.",
    ],
  },
  extend: {
    title: "Extend expiration of {codes}",
    doing: "Extending expiration of {codes}",
    done: "Expiration of {codes} extended",
    consequences: [
      "This code will expire at the end of the day that you enter.",
      "These codes will expire at the end of the day that you enter.",
    ],
  },
  assign: {
    title: "Assign machines to {codes}",
    doing: "Assigning machines to {codes}",
    done: "Machines assigned to {codes}",
    consequences: [
      "This code keeps its machines and groups and gets those that you select.",
      "These codes keep their machines and groups and get those that you select.",
    ],
  },
  unassign: {
    title: "Unassign machines from {codes}",
    doing: "Unassigning machines from {codes}",
    done: "Machines unassigned from {codes}",
    consequences: [
      "The machines and groups that you select are removed from this code. Without any, no machine accepts it.",
      "The machines and groups that you select are removed from these codes. Without any, no machine accepts them.",
    ],
  },
  reschedule: {
    title: "Change start or hours of {codes}",
    doing: "Changing start or hours of {codes}",
    done: "Start or hours of {codes} changed",
    consequences: [
      "Machines will accept this code from the start and in the hours that you enter.",
      "Machines will accept these codes from the start and in the hours that you enter.",
    ],
  },
  delete: {
    ...textsOf("Delete", "Deleting", "deleted"),
    consequences: [
      "Machines will refuse this code until an admin restores it.",
      "Machines will refuse these codes until an admin restores them.",
    ],
  },
  reactivate: {
    ...textsOf("Reactivate", "Reactivating", "reactivated"),
    consequences: [
      "Machines accept this code again once its status is active, at its hours and within its caps.",
      "Machines accept these codes again once their status is active, at their hours and within their caps.",
    ],
  },
  restore: {
    ...textsOf("Restore", "Restoring", "restored"),
    consequences: [
      "This code will no longer be deleted. Its other settings stay as they are.",
      "These codes will no longer be deleted. Their other settings stay as they are.",
    ],
  },
  rename: {
    ...textsOf("Rename", "Renaming", "renamed"),
    consequences: ["This code gets the new name.", "These codes get the new name."],
  },
};

/** @param generations replaces the number of codes if there are none: mass generations whose codes stay as they are */
export function fillCodes(text: string, codes: number, generations = 0): string {
  const isAboutCodes = codes > 0 || generations === 0;
  return text.replace(
    "{codes}",
    isAboutCodes ? countOf(codes, "code") : countOf(generations, "mass generation"),
  );
}

/** @param generations as those of `fillCodes` */
export function describeResult(
  action: LifecycleAction,
  codes: number,
  generations: number,
): string {
  if (codes === 0 && generations === 0) return "No codes changed";
  return fillCodes(bulkTexts[action].done, codes, generations);
}

/**
 * 'Done: 2 codes were changed, 1 code was not.'
 * @param generations as those of `fillCodes`
 */
export function describeOutcome(changed: number, skipped: number, generations: number): string {
  if (changed === 0 && generations === 0) return "Done: no code was changed.";
  const [count, noun] = changed > 0 ? [changed, "code"] : [generations, "mass generation"];
  const were = (total: number, what: string) =>
    `${countOf(total, what)} ${total === 1 ? "was" : "were"}`;
  const others = skipped > 0 ? `, ${were(skipped, "code")} not` : "";
  return `Done: ${were(count, noun)} changed${others}.`;
}

/**
 * Says what an action will do to its codes, and before that how many mass generations are concerned:
 * 'This covers 14 single codes and 2 whole mass generations of 2,000 codes. Machines will refuse ...'
 */
export function describeConsequence(action: LifecycleAction, count: BulkCount): string {
  const consequence = bulkTexts[action].consequences[count.codes === 1 ? 0 : 1];
  return count.generations > 0 ? `${describeCount(action, count)} ${consequence}` : consequence;
}

function describeCount(action: LifecycleAction, count: BulkCount): string {
  const generationCodes = countOf(count.generationCodes, "code");
  const generations = (noun: string) => countOf(count.generations, noun);
  const coversGenerations = ["delete", "restore", "reschedule"].includes(action);
  const parts = [
    count.singles > 0 && countOf(count.singles, "single code"),
    coversGenerations
      ? `${generations("whole mass generation")} of ${generationCodes}`
      : `${generationCodes} of ${generations("mass generation")}`,
  ];
  return `This covers ${parts.filter(Boolean).join(" and ")}.`;
}
