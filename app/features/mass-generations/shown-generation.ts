import type { toGenerationView } from "./mass-generation-view";

type Shown = Pick<ReturnType<typeof toGenerationView>, "id" | "name" | "numCodes" | "status">;

let shown: Shown | null = null;

/** Keeps the mass generation whose page is on the screen: its dialog opens without a request. */
export function storeShownGeneration(generation: Shown): void {
  shown = generation;
}

export function shownGeneration(id: string | undefined): Shown | null {
  return shown?.id === id ? shown : null;
}
