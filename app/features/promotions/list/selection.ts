/**
 * The codes ticked in the QR List, kept over pages, Cancel and Back while scripts run. Without scripts a
 * selection is what is ticked on one page.
 */
import { useSyncExternalStore } from "react";

const storageKey = "selected-codes";
const maxSelected = 1_000;
const none: readonly string[] = [];

let ids: readonly string[] | null = null;
const listeners = new Set<() => void>();

function read(): readonly string[] {
  if (ids) return ids;
  const stored = sessionStorage.getItem(storageKey)?.split(" ") ?? [];
  return (ids = stored.filter((id) => /^\d+$/.test(id)));
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

/** Replaces the selection; of more than 1,000 codes the first ones stay. */
function store(next: readonly string[]): void {
  ids = next.slice(0, maxSelected);
  sessionStorage.setItem(storageKey, ids.join(" "));
  for (const onChange of listeners) onChange();
}

/** Adds ticked codes to the selection and removes those that are not ticked any more. */
export function changeSelection(boxes: Iterable<{ value: string; checked: boolean }>): void {
  const next = new Set(read());
  for (const { value, checked } of boxes) {
    if (checked) next.add(value);
    else next.delete(value);
  }
  if (next.size !== read().length || read().some((id) => !next.has(id))) store([...next]);
}

export function clearSelection(): void {
  store([]);
}

/** Returns the ids of the selected codes; none before hydration. */
export function useSelection(): readonly string[] {
  return useSyncExternalStore(subscribe, read, () => none);
}
