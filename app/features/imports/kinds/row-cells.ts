/** Reads cells that rows of several kinds have. */
import { onOneLine } from "../../../forms/storable-text";
import { canBeSerial } from "../../machines/machine";

/** An entry in double quotes, which may have separators in it, or one up to the next separator. */
const entryPattern = /[^\S\r\n\t]*"([^"]+)"[^\S\r\n\t]*(?=[\r\n\t,;|]|$)|[^\r\n\t,;|]+/g;

/** The entries in one order, so that equal lists are equal. */
export function listOf(text: string): string[] {
  if (text === "") return [];
  const entries = Array.from(text.matchAll(entryPattern), ([all, quoted = all]) => quoted.trim());
  const keyed = entries.filter(Boolean).map((entry) => [entry.toLowerCase(), entry]);
  const ordered = keyed.sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
  return [...new Set(ordered.map(([, entry]) => entry!))];
}

export function nameIn(text: string): string {
  return onOneLine(text.trim());
}

/** The names of groups differ in more than case. */
export function groupNamesOf(text: string): string[] {
  return listOf(text).filter((name, at, all) => name.toLowerCase() !== all[at - 1]?.toLowerCase());
}

export function serialsError(serials: readonly string[]): string | null {
  return serials.every(canBeSerial) ? null : "A serial number is too long";
}

/** Joins what is wrong with a row; null if nothing is. */
export function joinErrors(errors: readonly (string | false | null)[]): string | null {
  return errors.filter(Boolean).join(". ") || null;
}
