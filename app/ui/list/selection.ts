/**
 * The rows ticked in the QR List, kept over pages, Cancel and Back while scripts run, for the person who is signed in.
 * Without scripts a selection is what is ticked on one page.
 */
import { useSyncExternalStore } from "react";
import { routerState } from "../../remix/router";

const storageKey = () => `selected-codes-${routerState()?.loaderData["routes/app"].user.id}`;
export const maxSelected = 1_000;
const none: readonly string[] = [];

let ids: readonly string[] | null = null;
const listeners = new Set<() => void>();

function read(): readonly string[] {
  if (ids) return ids;
  const stored = sessionStorage.getItem(storageKey())?.split(" ") ?? [];
  return (ids = stored.filter((id) => /^g?\d+$/.test(id)));
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

/** Replaces the selection; of more than 1,000 codes the first ones stay. */
function store(next: readonly string[]): void {
  ids = next.slice(0, maxSelected);
  sessionStorage.setItem(storageKey(), ids.join(" "));
  for (const onChange of listeners) onChange();
}

/** A box holds the id of a code, or that of a mass generation after a 'g'. */
type Box = { value: string; checked: boolean };

/** Adds ticked rows to the selection and removes those that are not ticked any more. */
export function changeSelection(boxes: Iterable<Box>): void {
  const next = new Set(read());
  for (const box of boxes) {
    if (box.checked) next.add(box.value);
    else next.delete(box.value);
  }
  if (next.size !== read().length || read().some((id) => !next.has(id))) store([...next]);
}

/** The campaigns of the codes on the page, and of selected ones of pages that this document showed before. */
const campaigns = new Map<string, string>();

export function noteCampaigns(codes: Iterable<{ id: string; massGenerationId: string | null }>) {
  for (const id of campaigns.keys()) if (!read().includes(id)) campaigns.delete(id);
  for (const { id, massGenerationId } of codes)
    if (massGenerationId) campaigns.set(id, massGenerationId);
}

/** Removes a deleted code or campaign from the selection, with the campaign's other codes. */
export function unselectDeleted(promotionId = "", generationId = campaigns.get(promotionId)) {
  const isDeleted = (key: string) =>
    key === promotionId ||
    (generationId !== undefined &&
      (key === `g${generationId}` || campaigns.get(key) === generationId));
  changeSelection(
    read()
      .filter(isDeleted)
      .map((value) => ({ value, checked: false })),
  );
}

export function clearSelection(): void {
  store([]);
}

/** Returns the keys of the selected rows; none before hydration. */
export function useSelection(): readonly string[] {
  return useSyncExternalStore(subscribe, read, () => none);
}
