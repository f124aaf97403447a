/** Machine groups: their kinds, numbers and texts. */
import { countOf, formatNumber } from "../../format/number";

export const groupKinds = ["site", "route", "customer", "other"] as const;
export type GroupKind = (typeof groupKinds)[number];

export const groupKindLabels: Record<GroupKind, string> = {
  site: "Site",
  route: "Route",
  customer: "Customer",
  other: "Other",
};

/** Machines that are assigned as one: who joins later accepts what the others do. */
export type MachineGroup = {
  id: string;
  name: string;
  kind: GroupKind;
  /** Moves when name or kind change; an edit names the one it saw. */
  version: number;
  /** `deleted`: those that the platform no longer lists. They count for nothing. */
  machines: { live: number; deleted: number };
};

/** Numbers of promotions and generations that a group is assigned to. */
export type GroupUse = {
  /** Single promotions, and codes of generations with a set of their own. */
  promotions: number;
  generations: number;
  /** Codes of those generations that have no set of their own. */
  codes: number;
};

/** Counts of what a deletion removes a group from, deleted promotions and generations included. */
export type Unassigned = GroupUse & {
  /** Those that nothing else is assigned to: no machine accepts them afterwards. */
  unassignedAfter: GroupUse;
};

export type GroupChoice = {
  id: string;
  name: string;
  kind: GroupKind;
  /** Those that the platform lists. */
  machineCount: number;
};

/** 'Site, 12 machines' */
export function groupNote({ kind, machineCount }: Pick<GroupChoice, "kind" | "machineCount">) {
  return `${groupKindLabels[kind]}, ${countOf(machineCount, "machine")}`;
}

/** 'A, B, C and 7 more' */
function list(serials: readonly string[]): string {
  const more = serials.length - 5;
  const shown = serials.slice(0, 5).join(", ");
  return more > 0 ? `${shown} and ${formatNumber(more)} more` : shown;
}

/** Serial numbers, each list in the order it was asked for. */
export type Added = { added: string[]; alreadyIn: string[] };

/** The outcome of pasted serial numbers. */
export type Pasted = Added & {
  /** Marked as deleted: they are not added. */
  deleted: string[];
  /** Entries as pasted, in that order. */
  unknown: string[];
  ambiguous: string[];
};

/** '12 machines added: A, B. Already in the group: C.' */
export function addedMessage({ added, alreadyIn }: Added): string {
  if (added.length === 0) return `Nothing to add. Already in the group: ${list(alreadyIn)}.`;
  const message = `${countOf(added.length, "machine")} added: ${list(added)}.`;
  return alreadyIn.length > 0 ? `${message} Already in the group: ${list(alreadyIn)}.` : message;
}

export function removedMessage(removed: readonly string[]): string {
  if (removed.length === 0) return "They were no longer in the group.";
  return `${countOf(removed.length, "machine")} removed: ${list(removed)}.`;
}

export function pasteErrorMessage({ unknown, ambiguous, deleted }: Pasted): string | null {
  const isOne = (entries: readonly string[]) => entries.length === 1;
  const parts = [
    unknown.length > 0 &&
      `${countOf(unknown.length, "serial number")} ${isOne(unknown) ? "is" : "are"} unknown`,
    ambiguous.length > 0 &&
      `${countOf(ambiguous.length, "serial number")} could mean several machines: use the exact upper and lower case`,
    deleted.length > 0 &&
      `${countOf(deleted.length, "machine")} ${isOne(deleted) ? "is marked as deleted and was" : "are marked as deleted and were"} not added`,
    unknown.length + ambiguous.length > 0 &&
      (unknown.length + ambiguous.length === 1
        ? "The serial number still in the box was not added: correct it and add it again"
        : "The serial numbers still in the box were not added: correct them and add them again"),
  ].filter(Boolean);
  return parts.length > 0 ? `${parts.join(". ")}.` : null;
}

/** '3 single codes and 2 mass generations (4,000 codes)'; null where there are none. */
export function describeAssignments({ promotions, generations, codes }: GroupUse): string | null {
  const parts = [
    promotions > 0 && countOf(promotions, "single code"),
    generations > 0 && `${countOf(generations, "mass generation")} (${countOf(codes, "code")})`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(" and ") : null;
}

/** Describes what deleting a group takes away. */
export function describeDeletion({ unassignedAfter, ...unassigned }: Unassigned): string[] {
  const all = describeAssignments(unassigned);
  const start = "The group will be deleted for good; its machines stay";
  if (all === null) return [`${start}, and nothing is assigned to it.`];
  const bare = describeAssignments(unassignedAfter);
  const isOneThing = unassigned.promotions + unassigned.generations === 1;
  return [
    `${start}, and it is removed from ${all}${isOneThing ? "" : ", including deleted ones"}.`,
    bare === null
      ? `${isOneThing ? "It keeps" : "All of them keep"} other machines or groups.`
      : `${bare} will have no machine left and can't be redeemed until one is assigned.`,
  ];
}
