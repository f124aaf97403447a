/**
 * Whether PostgreSQL gives the text back as it was: it refuses NUL, and a lone surrogate would
 * silently become another character.
 */
export function isStorableText(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

/** Whether a text shows nothing: it has no characters but spaces and those without width, which pasting brings along. */
export function isBlank(text: string): boolean {
  return /^[\p{Cc}\p{Cf}\p{Z}]*$/u.test(text);
}

/** Reads a text as one line, without spaces at its ends: the field that edits it would join the words around a line break. */
export function onOneLine(text: string): string {
  const lines = text.split(/[\r\n]/).map((line) => line.trim());
  return lines.filter(Boolean).join(" ");
}

/** Characters as PostgreSQL counts them, not UTF-16 units. Stops counting just past `maxLength`. */
export function isLongerThan(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return false;
  return text.length > maxLength * 2 || Array.from(text).length > maxLength;
}

/** Cuts a text to so many characters, as PostgreSQL counts them: half of a surrogate pair could not be stored. */
export function truncate(text: string, maxLength: number): string {
  return Array.from(text.slice(0, maxLength * 2))
    .slice(0, maxLength)
    .join("");
}

/** Writes no more than so many characters, the last of them '…' where some are left out. */
export function shorten(text: string, maxLength: number): string {
  return isLongerThan(text, maxLength) ? `${truncate(text, maxLength - 1)}…` : text;
}
