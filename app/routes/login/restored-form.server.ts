/** A form that was posted after the session had ended: its fields travel in one hidden field of the sign-in page. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import * as z from "zod/mini";
import { maxFormFields } from "../../http/rejection.server";

/** Leaves room for email and password in a body of 256 KiB, which any other form may fill. */
const maxCharacters = 248 * 1024;
/** More than the fields of such a body take as JSON. */
const maxUnpackedBytes = 2 * 1024 * 1024;
const secretName = /passw|secret|token|api_?key|credential/i;

/**
 * Packs everything but secrets, files and the button that was pressed. It is compressed, because a list of machines
 * would become too long for a body as JSON.
 * @returns '' if it is too long
 */
export function packFields(posted: FormData): string {
  const fields = [...posted].filter(
    ([name, value]) => typeof value === "string" && name !== "intent" && !secretName.test(name),
  );
  const packed = deflateRawSync(JSON.stringify(fields)).toString("base64url");
  return packed.length <= maxCharacters ? packed : "";
}

const packedFields = z.array(z.tuple([z.string(), z.string()]));

/** Returns the packed fields, or none if the text is not what `packFields` wrote. */
export function unpackFields(packed: unknown): [string, string][] {
  if (typeof packed !== "string") return [];
  try {
    const bytes = Buffer.from(packed, "base64url");
    const text = inflateRawSync(bytes, { maxOutputLength: maxUnpackedBytes }).toString();
    const fields: unknown = JSON.parse(text);
    // The page has an element for each field, and 2 MiB are a quarter of a million.
    if (!Array.isArray(fields) || fields.length > maxFormFields) return [];
    return packedFields.parse(fields);
  } catch {
    return [];
  }
}
