/** Returns a whole number between two, which looks random and follows from a seed and a place. */
export function randomBetween(seed: number, at: number, from: number, to: number): number {
  const fraction = Math.abs(Math.sin(seed * 12.9898 + at * 78.233 + 1) * 43_758.5453) % 1;
  return from + Math.floor(fraction * (to - from + 1));
}

/** Reads a whole number of an address. */
export function numberParam(
  query: URLSearchParams,
  name: string,
  { from, to, none }: { from: number; to: number; none: number },
): number {
  const text = query.get(name) ?? "";
  const number = /^\d{1,9}$/.test(text) ? Number(text) : none;
  return Math.min(to, Math.max(from, number));
}
