import type { GroupChoice } from "../machines/machine-group";

export type AssignedMachine = { serialNumber: string; humanName: string; isDeleted: boolean };

/** `machineCount`: those that the platform lists. */
export type AssignedGroup = GroupChoice;

/** A machine that accepts a code, and why. */
export type EffectiveMachine = {
  serialNumber: string;
  humanName: string;
  isDirect: boolean;
  /** Names of the assigned groups that it is in, by name. */
  groups: string[];
};

/** The machines that the platform lists and that something is assigned to, one way or the other. */
export type Effective = {
  count: number;
  /** Number of machines assigned directly; the others are assigned only through groups. */
  directCount: number;
  /** The first of them by serial number. */
  shown: EffectiveMachine[];
};

/** Machines and groups that a promotion or generation is assigned to. */
export type Assigned = {
  /** By themselves, deleted ones too, in the order of their serial numbers. */
  machines: AssignedMachine[];
  /** By name. */
  groups: AssignedGroup[];
  effective: Effective;
};

/** More machines than this are counted. */
export const maxMachinesListed = 50;

/**
 * Why no machine accepts something that is assigned: a sentence's beginning; null where one does.
 */
export function whyNobodyAccepts({
  machines,
  groups,
}: {
  machines: readonly { isDeleted: boolean }[];
  groups: readonly { machineCount: number }[];
}): string | null {
  const isAccepted =
    machines.some(({ isDeleted }) => !isDeleted) || groups.some((group) => group.machineCount > 0);
  if (isAccepted) return null;
  const noneInGroups = `the assigned ${groups.length === 1 ? "group has" : "groups have"} no machine`;
  if (machines.length === 0) return `T${noneInGroups.slice(1)}`;
  const allDeleted = "All assigned machines are deleted from SmartVend";
  return groups.length === 0 ? allDeleted : `${allDeleted} and ${noneInGroups}`;
}
