import type { ByteRange } from "../codec/seekable-file.server";

/**
 * What a `Range` header asks for (RFC 9110, 14.2). Null is the whole file: for no header, one that
 * can't be read, and several ranges at once, which nobody needs and which cost more than the file.
 * @param size of the file, in bytes
 */
export function parseRange(
  header: string | null,
  size: number,
): ByteRange | "unsatisfiable" | null {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "");
  if (!match || match[0].endsWith("=-")) return null;
  const [, from = "", to = ""] = match;
  if (from !== "" && to !== "" && Number(from) > Number(to)) return null;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size : Math.min(Number(to) + 1, size);
  return first < end ? { first, end } : "unsatisfiable";
}
