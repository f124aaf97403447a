/**
 * Whether PostgreSQL gives the text back as it was: it refuses NUL, and a lone surrogate would
 * silently become another character.
 */
export function isStorableText(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

/** Characters as PostgreSQL counts them, not UTF-16 units. Stops counting just past `most`. */
export function isLongerThan(text: string, most: number): boolean {
  if (text.length <= most) return false;
  return text.length > most * 2 || Array.from(text).length > most;
}
