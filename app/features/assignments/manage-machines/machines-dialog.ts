/** Intents, fields and answers of 'Manage Machines', for browser and server alike. */
import { pageSearch } from "../../../forms/list";
import {
  type Assigned,
  assignedTargets,
  byKind,
  chosenIn,
  effectiveLabel,
  type ChosenTargets,
  listTargets,
  maxShown,
  type Target,
  type TargetKind,
  targetKinds,
  type TargetList,
} from "../targets";
import { paths } from "../../../paths";

export const addIntent = "add";
export const unassignAllIntent = "unassign-all";
export const refreshIntent = "refresh";
export const removeIntent = ({ kind, id }: Pick<Target, "kind" | "id">) =>
  `${removePrefix(kind)}${id}`;

const removePrefix = (kind: TargetKind) => (kind === "machine" ? "remove:" : `remove-${kind}:`);

/** Returns the target that an intent removes, or null for any other intent. */
export function removedBy(intent: string): Pick<Target, "kind" | "id"> | null {
  for (const { kind } of targetKinds) {
    const prefix = removePrefix(kind);
    if (intent.startsWith(prefix)) return { kind, id: intent.slice(prefix.length) };
  }
  return null;
}

/** `question` opens 'Unassign All'; `inline` is sent by scripts, which want no other page. */
export const fieldNames = {
  search: "machine_search",
  question: "question",
  inline: "inline",
} as const;

export function successOf(intent: string, chosen: ChosenTargets): string {
  if (intent === addIntent) {
    const added = targetKinds
      .filter(({ field }) => chosen[field].length > 0)
      .map(({ field }) => field);
    return `${capitalized(added.join(" and "))} successfully added`;
  }
  const removed = removedBy(intent);
  if (removed) return `${capitalized(removed.kind)} successfully removed`;
  return intent === unassignAllIntent
    ? "All machines successfully unassigned"
    : "Data refreshed successfully";
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function failureOf(intent: string): string {
  const removed = removedBy(intent);
  if (removed) return `Error removing ${removed.kind}`;
  if (intent === addIntent) return "Error adding machines";
  return intent === unassignAllIntent
    ? "Error removing all machines"
    : "Failed to refresh machines list";
}

export type DialogAnswer = {
  kind: "success" | "warning" | "error";
  text: string;
};

/** Answer to a post. Without scripts it is the page, filled as it was. */
export type DialogReply = {
  answer: DialogAnswer | null;
  ticked: ChosenTargets;
  search: string;
};

/** Returns the query string of the page behind the dialog. */
export function listSearchOf(search: string): string {
  const own = [...Object.values(fieldNames), ...targetKinds.map(({ field }) => field)];
  return pageSearch(new URLSearchParams(search), own);
}

/** Texts and addresses that differ between the dialogs of a promotion and of a mass generation. */
export const dialogViews = {
  promotion: {
    title: "Manage Machines",
    noun: "promotion",
    codes: "this code",
    path: paths.promotionMachines,
    closeTo: () => paths.qrList,
    canRefresh: true,
  },
  mass_generation: {
    title: "Machines and groups",
    noun: "mass generation",
    codes: "these codes",
    path: paths.generationMachines,
    closeTo: paths.generation,
    canRefresh: false,
  },
};

export type DialogView = (typeof dialogViews)[keyof typeof dialogViews];

/** Rows of a short list that are offered without a search. */
const maxGrouped = 50;

type Lists = { assigned: TargetList; available: TargetList };

export type ManagedTargets = {
  /** Number of machines that accept it, and whether directly or through groups. */
  summary: string;
  lists: Record<TargetKind, Lists>;
  search: string;
  ticked: ChosenTargets;
  isQuestionOpen: boolean;
};

export type DialogAbout = {
  id: string;
  name: string;
  /** Formatted code of a promotion; null for a mass generation. */
  code: string | null;
  /** Number of codes of a mass generation; null for a promotion. */
  size: string | null;
  isDeleted: boolean;
  /** Codes that a change is for. */
  note: string | null;
};

/** Opened over the list the dialog has its head at once; `targets` is null until they are read. */
export type DialogData = { about: DialogAbout; targets: ManagedTargets | null };

/** @param params of the dialog's address: the search and, without scripts, the ticks */
export function layOutManaged(
  assigned: Assigned & { isActive: boolean },
  targets: Partial<Record<TargetKind, readonly Target[]>>,
  params: URLSearchParams,
): ManagedTargets {
  const search = params.get(fieldNames.search) ?? "";
  const ticked = chosenIn(params);
  const assignedByKind = assignedTargets(assigned);
  const lists = byKind(({ kind, field }): Lists => {
    const isAssigned = new Set(assignedByKind[kind].map(({ id }) => id));
    const available = (targets[kind] ?? []).filter(({ id }) => !isAssigned.has(id));
    return {
      assigned: listTargets(assignedByKind[kind], { search }),
      available: listTargets(available, {
        search,
        kept: new Set(ticked[field]),
        max: kind === "machine" ? maxShown : maxGrouped,
      }),
    };
  });
  return {
    summary: effectiveLabel(assigned, assigned.isActive),
    lists,
    search,
    ticked,
    isQuestionOpen: params.has(fieldNames.question),
  };
}

/**
 * Sorts a list by the search in the browser. While rows are missing there, the number of matches is
 * known only for the search that the server made.
 */
export function sortList(list: TargetList, search: string, serverSearch: string): TargetList {
  const { shown, matching } = listTargets(list.shown, { search, max: Infinity });
  const isWhole = list.shown.length === list.total;
  return {
    shown,
    total: list.total,
    matching: isWhole || search !== serverSearch ? matching : list.matching,
  };
}

/** Changes that were sent and not answered yet, by `keyOf`. */
export type PendingChange = {
  added: ReadonlySet<string>;
  removed: ReadonlySet<string>;
  isCleared: boolean;
};

export function keyOf({ kind, id }: Pick<Target, "kind" | "id">): string {
  return `${kind} ${id}`;
}

/** Returns both lists of a kind as they will be when everything that is pending is done. */
export function withPending(
  { assigned, available }: Lists,
  { added, removed, isCleared }: PendingChange,
) {
  const arriving = available.shown.filter((target) => added.has(keyOf(target)));
  const leaving = assigned.shown.filter((target) => isCleared || removed.has(keyOf(target)));
  const returning = leaving.filter((target) => !target.isDisabled);
  return {
    assigned: {
      // With those that leave, which reappear when the server rejects the change.
      shown: assigned.shown,
      arriving,
      leaving: new Set(leaving.map(({ id }) => id)),
      total: isCleared ? 0 : assigned.total + arriving.length - leaving.length,
    },
    available: {
      shown: available.shown.filter((target) => !added.has(keyOf(target))),
      total: available.total - arriving.length + returning.length,
    },
  };
}

export type PendingLists = ReturnType<typeof withPending>;
