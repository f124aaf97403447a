/**
 * Targets are what a code can be assigned to. A kind of target is an entry of `targetKinds`: every
 * picker lists, searches and posts targets by it.
 */
import { paths } from "../../paths";
import type { MachineChoice } from "../machines/machine";
import { type GroupChoice, groupNote } from "../machines/machine-group";
import type { Assigned } from "./assigned";

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
  /** The browser has sent a change of it that is not answered yet. */
  pending?: "adding" | "removing";
};

type KindOfTarget = {
  kind: TargetKind;
  field: TargetField;
  legend: string;
  /** Beginning of the intent that removes one. */
  removal: string;
  /** Texts that a search compares. */
  textsOf: (target: Target) => string[];
  describe: (target: Target) => string;
  path: (id: string) => string;
};

/** Every kind in the order of messages. */
export const targetKinds: readonly KindOfTarget[] = [
  {
    kind: "machine",
    field: "machines",
    legend: "Machines",
    removal: "remove:",
    textsOf: ({ id, label }) => [id, label],
    describe: ({ id, label }) => `${label || id}, ${id}`,
    path: paths.machine,
  },
  {
    kind: "group",
    field: "groups",
    legend: "Machine groups",
    removal: "remove-group:",
    textsOf: ({ label }) => [label],
    describe: ({ label }) => `the group ${label}`,
    path: paths.machineGroup,
  },
];

/** The kind that names the panels of a picker: it is listed last, and even if there is none. */
export const mainKind = targetKinds[0]!;
/** The order of screens: short lists come before the long one. */
const listedKinds = [...targetKinds].reverse();

export function kindOf(kind: TargetKind): KindOfTarget {
  return targetKinds.find((entry) => entry.kind === kind)!;
}

export type ChosenTargets = Record<TargetField, readonly string[]>;

export function byField<Value>(valueOf: (kind: KindOfTarget) => Value): Record<TargetField, Value> {
  const entries = targetKinds.map((entry) => [entry.field, valueOf(entry)]);
  return Object.fromEntries(entries) as Record<TargetField, Value>;
}

export function chosenFields(chosen: ChosenTargets): TargetField[] {
  return targetKinds.map(({ field }) => field).filter((field) => chosen[field].length > 0);
}

export const noTargets: Record<TargetField, never[]> = byField(() => []);

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

type Fields = FormData | URLSearchParams;

export const searchField = "machine_search";
/** The text that the page was searched by before. */
export const searchedField = "machine_searched";

/** Reads the fields of a picker in a posted form, or in an address. */
export function pickerFields(fields: Fields) {
  return {
    ticked: byField(({ field }) => fields.getAll(field).map(String)),
    search: String(fields.get(searchField) ?? "").slice(0, 200),
    intent: String(fields.get("intent") ?? ""),
  };
}

export function toParams(chosen: ChosenTargets): URLSearchParams {
  const params = new URLSearchParams();
  for (const { field } of targetKinds)
    for (const value of chosen[field]) params.append(field, value);
  return params;
}

/** Rows in one list. More make a page that a small machine can't scroll. */
export const maxShown = 200;

export type TargetList = {
  /** Those that match come first; otherwise the order stays. */
  shown: Target[];
  /** Shown or not. */
  total: number;
  matching: number;
};

/** One kind of target in a form, as the server lays it out. */
export type Picker = {
  kind: TargetKind;
  available: TargetList;
  /** Selected in the form, or assigned already. */
  chosen: TargetList;
  /** Ids of the ticked targets. */
  ticked: string[];
  search: string;
  /** The form was sent to be searched, by another text than before. */
  isNewSearch: boolean;
  /** Every target is on the page: the browser can search by itself. */
  isComplete: boolean;
  /** Says that there is nothing to choose from at all; empty where there is. */
  emptyNote: string;
};

export function tickedIn(pickers: readonly Picker[]): ChosenTargets {
  return byField(({ kind }) => pickers.find((picker) => picker.kind === kind)?.ticked ?? []);
}

/** Compares case-insensitively. */
export function matchesTarget(target: Target, search: string): boolean {
  const needle = search.trim().toLowerCase();
  return kindOf(target.kind)
    .textsOf(target)
    .some((text) => text.toLowerCase().includes(needle));
}

/** Lists at most `max` targets, and all whose ids are in `selectedIds`. */
export function listTargets(
  targets: readonly Target[],
  {
    search,
    selectedIds = [],
    max = maxShown,
  }: { search: string; selectedIds?: readonly string[]; max?: number },
): TargetList {
  const isSelected = new Set(selectedIds);
  const matching = targets.filter((target) => matchesTarget(target, search));
  const sorted = [...matching, ...targets.filter((target) => !matchesTarget(target, search))];
  return {
    shown: sorted.filter(({ id }, index) => index < max || isSelected.has(id)),
    total: targets.length,
    matching: matching.length,
  };
}

/** A group that has all machines leaves none either. */
const noMachines = "No machines to choose from. The Machines page lists all that there are.";

/**
 * Lays out one picker for each kind that there is, as the pressed button leaves them. In a form, what
 * is ticked moves to the second panel, and a search hides what doesn't match.
 * @param assigned what a dialog adds targets to: there, what is ticked stays until it is added
 */
export function layOutPickers(
  targets: Partial<Record<TargetKind, readonly Target[]>>,
  fields: Fields,
  assigned?: Record<TargetKind, Target[]>,
): Picker[] {
  const { ticked, search, intent } = pickerFields(fields);
  return listedKinds.flatMap(({ kind, field }) => {
    const all = targets[kind] ?? [];
    if (all.length === 0 && kind !== mainKind.kind) return [];
    const isTicked = new Set(intent === "unselect-all" ? [] : ticked[field]);
    const isAdded = (target: Target) =>
      intent === "select-all" && kind === mainKind.kind && matchesTarget(target, search);
    const selected = all.filter((target) => isTicked.has(target.id) || isAdded(target));
    const selectedIds = selected.map(({ id }) => id);
    const chosen = assigned?.[kind] ?? selected;
    const isChosen = new Set(chosen.map(({ id }) => id));
    const available = all.filter(
      (target) => !isChosen.has(target.id) && (assigned || matchesTarget(target, search)),
    );
    return {
      kind,
      available: listTargets(available, { search, selectedIds }),
      chosen: listTargets(chosen, assigned ? { search } : { search: "", max: Infinity }),
      ticked: selectedIds,
      search,
      isNewSearch:
        intent === "search-machines" && search !== String(fields.get(searchedField) ?? ""),
      isComplete: all.length <= maxShown && search.trim() === "",
      emptyNote: all.length > 0 ? "" : noMachines,
    };
  });
}

/** Moves what is ticked in the browser to the second panel, as `layOutPickers` does on the server. */
export function moveTicked(
  { kind, available, chosen, isComplete }: Picker,
  ticked: readonly string[],
  search: string,
) {
  const known = [...available.shown, ...chosen.shown];
  const selected = ticked.flatMap((id) => known.find((target) => target.id === id) ?? []);
  const unselected = known.filter(({ id }) => !ticked.includes(id)).sort(byLabel);
  const shown = isComplete
    ? unselected.filter((target) => matchesTarget(target, search))
    : unselected;
  const total = isComplete ? shown.length : available.total + chosen.total - selected.length;
  return {
    kind,
    available: { shown, total },
    chosen: { shown: selected, total: selected.length },
  };
}

// By code units, not by a locale: the server and every browser must agree.
function byLabel(a: Target, b: Target): number {
  const [first, second] = [a, b].map((target) => `${target.label.toLowerCase()} ${target.id}`);
  return first! < second! ? -1 : 1;
}
