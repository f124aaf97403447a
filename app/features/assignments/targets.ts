/**
 * Targets are what a code can be assigned to. Every picker lists, searches and posts them by the
 * entries of `targetKinds`.
 */
import { countOf, formatNumber } from "../../format/number";
import { paths } from "../../paths";
import type { MachineChoice } from "../machines/machine";
import { type GroupChoice, groupNote } from "../machines/machine-group";

export type TargetKind = "machine" | "group";
/** Plural of a kind: name of the form field, and key in API bodies. */
export type TargetField = "machines" | "groups";

export type Target = {
  kind: TargetKind;
  /** Value that forms post: the serial number of a machine, the id of anything else. */
  id: string;
  label: string;
  hint: string;
  /** Stays assigned but can't be assigned anew: a machine that the platform no longer lists. */
  isDisabled: boolean;
};

type KindOfTarget = {
  kind: TargetKind;
  field: TargetField;
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
    hint: "All machines in a group accept the code, including machines added later.",
    path: paths.machineGroup,
  },
];

const machineKind: KindOfTarget = {
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

export function machineTarget(machine: MachineChoice & { isDeleted?: boolean }): Target {
  const { serialNumber: id, humanName: label, isDeleted: isDisabled = false } = machine;
  return { kind: "machine", id, label, hint: id, isDisabled };
}

export function groupTarget({ id, name: label, ...group }: GroupChoice): Target {
  return { kind: "group", id, label, hint: groupNote(group), isDisabled: false };
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

/** Posted values by field. */
export type ChosenTargets = Record<TargetField, readonly string[]>;
type Fields = FormData | URLSearchParams;

export function byKind<Value>(valueOf: (kind: KindOfTarget) => Value): Record<TargetKind, Value> {
  const entries = targetKinds.map((entry) => [entry.kind, valueOf(entry)]);
  return Object.fromEntries(entries) as Record<TargetKind, Value>;
}

export const noTargets: Record<TargetField, never[]> = byField(() => []);

/** Reads what is ticked in a posted form, or in an address. */
export function chosenIn(fields: Fields): Record<TargetField, string[]> {
  return byField(({ field }) => fields.getAll(field).map(String));
}

export function toParams(chosen: ChosenTargets): URLSearchParams {
  const params = new URLSearchParams();
  for (const { field } of targetKinds)
    for (const value of chosen[field]) params.append(field, value);
  return params;
}

/** Lists at most `max` targets, and all whose ids are in `kept`. */
export function listTargets(
  targets: readonly Target[],
  {
    search,
    kept = new Set(),
    max = maxShown,
  }: { search: string; kept?: ReadonlySet<string>; max?: number },
): TargetList {
  const matching = targets.filter((target) => matchesTarget(target, search));
  const sorted = [...matching, ...targets.filter((target) => !matchesTarget(target, search))];
  return {
    shown: sorted.filter(({ id }, index) => index < max || kept.has(id)),
    total: targets.length,
    matching: matching.length,
  };
}

/** Applies a picker's own buttons to a posted form; any other intent changes nothing. */
export function applyPickerIntent(
  intent: string,
  targets: readonly Target[],
  { selected, search }: { selected: readonly string[]; search: string },
): Set<string> {
  if (intent === "unselect-all") return new Set();
  if (intent !== "select-all") return new Set(selected);
  const matching = targets.filter((target) => matchesTarget(target, search));
  return new Set([...selected, ...matching.map((target) => target.id)]);
}

export function layOutPicker(
  kind: TargetKind,
  targets: readonly Target[],
  { selected, search }: { selected: ReadonlySet<string>; search: string },
): Picker {
  const isSelected = ({ id }: Target) => selected.has(id);
  const listed = targets.filter((target) => !isSelected(target) && matchesTarget(target, search));
  return {
    kind,
    list:
      kind === "machine"
        ? listTargets(listed, { search })
        : listTargets(targets, { search, kept: selected }),
    selected: targets.filter(isSelected),
    search,
    isComplete: targets.length <= maxShown && search.trim() === "",
  };
}

/** Lays out the pickers of a form as the pressed button leaves them. */
export function layOutPickers(
  targets: Partial<Record<TargetKind, readonly Target[]>>,
  fields: Fields,
): Picker[] {
  return [...groupedKinds, machineKind].flatMap(({ kind, field }) => {
    const ofKind = targets[kind];
    if (!ofKind) return [];
    const chosen = fields.getAll(field).map(String);
    const search = String(fields.get(searchFieldOf(kind)) ?? "");
    const intent = kind === "machine" ? String(fields.get("intent") ?? "") : "";
    const selected = applyPickerIntent(intent, ofKind, { selected: chosen, search });
    return layOutPicker(kind, ofKind, { selected, search });
  });
}

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
  const allDeleted = "All assigned machines are deleted from SmartVend";
  return groups.length === 0 ? allDeleted : `${allDeleted} and ${noneInGroups}`;
}
