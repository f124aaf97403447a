/** Which machines accept a code or a generation, and why none does. */
import { countOf, formatNumber } from "../../format/number";
import type { MachineChoice } from "../machines/machine";
import type { GroupChoice } from "../machines/machine-group";

/** Machines and groups that a promotion or a mass generation is assigned to. */
export type Assigned = {
  /** Directly, deleted ones too, by serial number. */
  machines: (MachineChoice & { isDeleted: boolean })[];
  groups: GroupChoice[];
  /** The machines that the platform lists and that accept a code, one way or the other. */
  effective: {
    count: number;
    /** Number of machines assigned directly; the others are assigned only through groups. */
    directCount: number;
  };
};

/**
 * Counts the machines: 'Redeemable at 12 machines: 3 directly, 9 through 2 groups'.
 * @param isActive whether a machine would redeem the code as far as its status goes
 */
export function effectiveLabel(
  {
    effective: { count, directCount },
    groups,
  }: Pick<Assigned, "effective"> & { groups: readonly unknown[] },
  isActive: boolean,
): string {
  const total = `${isActive ? "Redeemable at" : "Assigned to"} ${countOf(count, "machine")}`;
  if (groups.length === 0 || count === 0) return total;
  return `${total}: ${formatNumber(directCount)} directly, ${formatNumber(count - directCount)} through ${countOf(groups.length, "group")}`;
}

/** Explains why no machine accepts something, as the beginning of a sentence; null where one does. */
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
  const noneInGroups = `the assigned ${groups.length === 1 ? "group has" : "groups have"} no machines`;
  if (machines.length === 0) return `T${noneInGroups.slice(1)}`;
  const allDeleted = "All assigned machines are marked as deleted";
  return groups.length === 0 ? allDeleted : `${allDeleted} and ${noneInGroups}`;
}
