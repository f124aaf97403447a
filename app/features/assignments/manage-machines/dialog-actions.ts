/** Intents, fields and answers of 'Manage Machines', for browser and server alike. */
import { pageSearch } from "../../../forms/list";
import type { ChosenTargets } from "../target-lists";
import { type Target, type TargetKind, targetKinds } from "../targets";

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

/** Returns the message for a failure that has none of its own. */
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
