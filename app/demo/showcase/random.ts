/** Numbers that look random and follow from a seed, so that an address always shows the same picture. */
export function randomFrom(seed: number, at: number): number {
  let value = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(at + 1, 0xc2b2ae35);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  value = Math.imul(value ^ (value >>> 12), 0x297a2d39);
  return ((value ^ (value >>> 15)) >>> 0) / 2 ** 32;
}

/** A whole number between two, both included. */
export function randomBetween(seed: number, at: number, from: number, to: number): number {
  return from + Math.floor(randomFrom(seed, at) * (to - from + 1));
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
