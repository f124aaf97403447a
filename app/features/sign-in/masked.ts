import { codeEndLength } from "../../forms/code-input";
import { canEdit, type Reader } from "./user";

/** Replaces all but the last 4 characters by dots, as API keys and user ids are shown. */
export function masked(lastFour: string): string {
  return `••••••••${lastFour.slice(-4)}`;
}

/** Returns a code as somebody may read it: whole, or for viewers with dots but for its last 4 characters (RULES H23). */
export function codeFor(reader: Reader, code: string): string {
  return canEdit(reader) ? code : code.slice(-codeEndLength).padStart(code.length, "•");
}
