import type { Assigned } from "../assigned";
import { effectiveLabel } from "../assigned-machines";
import { byKind, chosenIn, type ChosenTargets, listTargets } from "../target-lists";
import {
  assignedTargets,
  maxShown,
  type Target,
  type TargetKind,
  type TargetList,
} from "../targets";
import { fieldNames } from "./dialog-actions";

/** Rows of a short list that are offered without a search. */
const maxGrouped = 50;

type Lists = { assigned: TargetList; available: TargetList };

/** View model of 'Manage Machines'. */
export type ManagedTargets = {
  /** Number of machines that accept it, and whether directly or through groups. */
  summary: string;
  lists: Record<TargetKind, Lists>;
  search: string;
  ticked: ChosenTargets;
  isQuestionOpen: boolean;
};

/** Head of the dialog. */
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

/**
 * Opened over the list the dialog has its head at once, and its lists after a request.
 * `targets` is null until then.
 */
export type DialogData = { about: DialogAbout; targets: ManagedTargets | null };

/**
 * @param targets everything that can be assigned
 * @param params of the dialog's address: the search and, without scripts, the ticks
 */
export function layOutManaged(
  assigned: Assigned,
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
    summary: effectiveLabel(assigned.effective, assigned.groups.length),
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
