/**
 * Targets are what a code can be assigned to. Every picker lists, searches and posts them by the
 * entries of `targetKinds`.
 */
import { paths } from "../../paths";
import { groupNote } from "../machines/group-view";
import type { MachineChoice } from "../machines/machine";
import type { GroupChoice } from "../machines/machine-group";
import type { Assigned } from "./assigned";

export type TargetKind = "machine" | "group";
/** Plural of a kind: name of the form field, and key in API bodies. */
export type TargetField = "machines" | "groups";

/** A row of a picker. */
export type Target = {
  kind: TargetKind;
  /** Value that forms post: the serial number of a machine, the id of anything else. */
  id: string;
  label: string;
  hint: string;
  /** Stays assigned but can't be assigned anew: a machine that the platform no longer lists. */
  isDisabled: boolean;
};

export type KindOfTarget = {
  kind: TargetKind;
  field: TargetField;
  /** Name in forms. */
  legend: string;
  hint: string;
  /** Address of its page, where it has one. */
  path?: (id: string) => string;
};

/** Kinds that are listed before the machines, in short lists that are left out while empty. */
export const groupedKinds: readonly KindOfTarget[] = [
  {
    kind: "group",
    field: "groups",
    legend: "Machine groups",
    hint: "All machines of a group accept the code, and those that join it later too.",
    path: paths.machineGroup,
  },
];

export const machineKind: KindOfTarget = {
  kind: "machine",
  field: "machines",
  legend: "Machines",
  hint: "A code is accepted only at the machines it is assigned to.",
};

/** Every kind in the order of messages. */
export const targetKinds: readonly KindOfTarget[] = [machineKind, ...groupedKinds];

export function byField<Value>(valueOf: (kind: KindOfTarget) => Value): Record<TargetField, Value> {
  const entries = targetKinds.map((entry) => [entry.field, valueOf(entry)]);
  return Object.fromEntries(entries) as Record<TargetField, Value>;
}

/** Rows in one list. More make a page that a small machine can't scroll. */
export const maxShown = 200;

export function kindOf(kind: TargetKind): KindOfTarget {
  return targetKinds.find((entry) => entry.kind === kind)!;
}

export const searchFieldOf = (kind: TargetKind) => `${kind}_search`;

/** Compares case-insensitively: by name, and machines by serial number too. */
export function matchesTarget({ kind, id, label }: Target, search: string): boolean {
  const needle = search.trim().toLowerCase();
  const texts = kind === "machine" ? [id, label] : [label];
  return texts.some((text) => text.toLowerCase().includes(needle));
}

export function machineTarget({
  serialNumber,
  humanName,
  isDeleted = false,
}: MachineChoice & { isDeleted?: boolean }): Target {
  return {
    kind: "machine",
    id: serialNumber,
    label: humanName,
    hint: serialNumber,
    isDisabled: isDeleted,
  };
}

export function groupTarget(group: GroupChoice): Target {
  const { id, name } = group;
  return { kind: "group", id, label: name, hint: groupNote(group), isDisabled: false };
}

/** Returns what is assigned, deleted machines too, as rows of a picker. */
export function assignedTargets({
  machines,
  groups,
}: Omit<Assigned, "effective">): Record<TargetKind, Target[]> {
  return { machine: machines.map(machineTarget), group: groups.map(groupTarget) };
}

export type TargetList = {
  /** Those that match come first; otherwise the order stays. */
  shown: Target[];
  /** Shown or not. */
  total: number;
  matching: number;
};

/** The field of one kind in a form, as the server lays it out. */
export type Picker = {
  kind: TargetKind;
  /** Machines that match the search and are not selected; all targets of other kinds. */
  list: TargetList;
  /** Always listed, matching or not. */
  selected: Target[];
  search: string;
  /** Every target is on the page: the browser can search by itself. */
  isComplete: boolean;
};
