/** A form that was posted after the session had ended: its fields travel in one hidden field of the sign-in page. */
import * as z from "zod/mini";

const maxCharacters = 64 * 1024;
const secretName = /passw|secret|token|api_?key|credential/i;

/** Packs everything but secrets, files and the button that was pressed. */
export function packFields(posted: FormData): string {
  const fields = [...posted].filter(
    ([name, value]) => typeof value === "string" && name !== "intent" && !secretName.test(name),
  );
  const packed = JSON.stringify(fields);
  return packed.length <= maxCharacters ? packed : "[]";
}

const packedFields = z.array(z.tuple([z.string(), z.string()]));

/** Returns the packed fields, or none if the text is not what `packFields` wrote. */
export function unpackFields(packed: unknown): [string, string][] {
  if (typeof packed !== "string" || packed.length > maxCharacters) return [];
  try {
    return packedFields.parse(JSON.parse(packed));
  } catch {
    return [];
  }
}
