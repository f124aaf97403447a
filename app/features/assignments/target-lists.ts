/** Chosen targets as fields of a form, and the lists to choose from. */
import {
  byField,
  groupedKinds,
  type KindOfTarget,
  machineKind,
  matchesTarget,
  maxShown,
  type Picker,
  searchFieldOf,
  type Target,
  type TargetField,
  type TargetKind,
  targetKinds,
  type TargetList,
} from "./targets";

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

/**
 * Lays out the pickers of a form as the pressed button leaves them.
 * @param targets of every kind that the form asks for
 */
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
