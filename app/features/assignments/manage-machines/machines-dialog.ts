/** Intents, fields and answers of 'Manage Machines', for browser and server alike. */
import { capitalized } from "../../../format/text";
import {
  chosenFields,
  type ChosenTargets,
  kindOf,
  listTargets,
  type Picker,
  searchField,
  type Target,
  targetKinds,
  type TargetList,
} from "../targets";
import { paths } from "../../../paths";

export const addIntent = "add";
export const unassignAllIntent = "unassign-all";
export const refreshIntent = "refresh";
export const removeIntent = ({ kind, id }: Pick<Target, "kind" | "id">) =>
  `${kindOf(kind).removal}${id}`;

/** Returns the target that an intent removes, or null for any other intent. */
export function removedBy(intent: string): Pick<Target, "kind" | "id"> | null {
  const kind = targetKinds.find(({ removal }) => intent.startsWith(removal));
  return kind ? { kind: kind.kind, id: intent.slice(kind.removal.length) } : null;
}

/** `question` opens 'Unassign All'; `inline` is sent by scripts, which want no other page. */
export const fieldNames = {
  search: searchField,
  question: "question",
  inline: "inline",
} as const;

export function successOf(intent: string, chosen: ChosenTargets): string {
  if (intent === addIntent)
    return `${capitalized(chosenFields(chosen).join(" and "))} successfully added`;
  const removed = removedBy(intent);
  if (removed) return `${capitalized(removed.kind)} successfully removed`;
  return intent === unassignAllIntent
    ? "All machines successfully unassigned"
    : "Data refreshed successfully";
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

/** Texts and addresses that differ between the dialogs of a promotion and of a mass generation. */
export const dialogViews = {
  promotion: {
    noun: "code",
    unassignQuestion: "Are you sure you want to unassign all machines from this promotion?",
    codes: "this code",
    path: paths.promotionMachines,
    closeTo: () => paths.qrList,
    canRefresh: true,
  },
  mass_generation: {
    noun: "campaign",
    unassignQuestion: "Are you sure you want to unassign all machines from this campaign?",
    codes: "these codes",
    path: paths.generationMachines,
    closeTo: paths.generation,
    canRefresh: false,
  },
};

export type DialogView = (typeof dialogViews)[keyof typeof dialogViews];

export type ManagedTargets = {
  /** Number of machines that accept it, and whether directly or through groups. */
  summary: string;
  pickers: Picker[];
  isQuestionOpen: boolean;
  /** Changes with the lists: what is sent again before they are read again is a repetition. */
  idempotencyKey: string;
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
  { available, chosen }: Pick<Picker, "available" | "chosen">,
  { added, removed, isCleared }: PendingChange,
) {
  const isAdded = (target: Target) => added.has(keyOf(target));
  const isRemoved = (target: Target) => isCleared || removed.has(keyOf(target));
  const arriving = available.shown.filter(isAdded);
  const leaving = chosen.shown.filter(isRemoved);
  const returning = leaving.filter((target) => !target.isDisabled);
  return {
    available: {
      shown: available.shown.filter((target) => !isAdded(target)),
      total: available.total - arriving.length + returning.length,
    },
    chosen: {
      // With those that leave, which reappear when the server rejects the change.
      shown: [
        ...chosen.shown.map((target): Target => {
          return isRemoved(target) ? { ...target, pending: "removing" } : target;
        }),
        ...arriving.map((target): Target => ({ ...target, pending: "adding" })),
      ],
      total: isCleared ? 0 : chosen.total + arriving.length - leaving.length,
    },
  };
}

/**
 * Adds the targets whose removal is not answered yet to those of their kind. The row of each sends its removal: if it were
 * gone with its target, the answer would be lost whenever lists and answer are rendered at once.
 */
export function withRemovals(
  kind: Target["kind"],
  shown: readonly Target[],
  removals: readonly Target[],
): Target[] {
  const keys = new Set(shown.map(keyOf));
  const missing = removals.filter((target) => target.kind === kind && !keys.has(keyOf(target)));
  return [...shown, ...missing.map((target): Target => ({ ...target, pending: "removing" }))];
}
