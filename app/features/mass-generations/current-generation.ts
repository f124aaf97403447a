import type { toGenerationView } from "./mass-generation-view";

type GenerationSummary = Pick<
  ReturnType<typeof toGenerationView>,
  "id" | "name" | "numCodes" | "status"
>;

let current: GenerationSummary | null = null;

/** Keeps the mass generation whose page is on the screen: its dialog opens without a request. */
export function storeCurrentGeneration(generation: GenerationSummary): void {
  current = generation;
}

export function currentGeneration(id: string | undefined): GenerationSummary | null {
  return current?.id === id ? current : null;
}
