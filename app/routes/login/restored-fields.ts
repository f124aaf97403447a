/** The fields of a form that was posted after the session had ended travel in one hidden field. */
export const restoredFieldName = "restored";

const MAXIMUM_CHARACTERS = 64 * 1024;
const secretName = /passw|secret|token|api_?key/i;

/** Everything but secrets, files and the button that was pressed. */
export function packFields(posted: FormData): string {
  const fields = [...posted].filter(
    ([name, value]) => typeof value === "string" && name !== "intent" && !secretName.test(name),
  );
  const packed = JSON.stringify(fields);
  return packed.length <= MAXIMUM_CHARACTERS ? packed : "[]";
}

export function unpackFields(packed: unknown): [string, string][] {
  if (typeof packed !== "string" || packed.length > MAXIMUM_CHARACTERS) return [];
  let fields: unknown;
  try {
    fields = JSON.parse(packed);
  } catch {
    return [];
  }
  return Array.isArray(fields) ? fields.filter(isField) : [];
}

function isField(field: unknown): field is [string, string] {
  return (
    Array.isArray(field) && field.length === 2 && field.every((part) => typeof part === "string")
  );
}
