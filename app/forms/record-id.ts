const maxId = 2n ** 63n - 1n;

/** The id of a row as PostgreSQL's bigint holds it, or null. Kept as text: it may pass 2^53. */
export function parseRecordId(text: unknown): string | null {
  if (typeof text !== "string" || !/^[1-9][0-9]{0,18}$/.test(text)) return null;
  return BigInt(text) <= maxId ? text : null;
}

export function parseUuid(text: string): string | null {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text) ? text : null;
}
