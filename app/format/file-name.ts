/** Names of files that people save: safe on Windows, macOS and Linux. */

const maxNameLength = 100;

/** Replaces what no file system takes, and what hides or reorders the rest of a name. */
export function safeFileName(text: string): string {
  const safe = text
    .normalize("NFC")
    .replace(/[\p{C}<>:"/\\|?*]+/gu, " ")
    .replace(/\s+/g, " ");
  // A name that begins with a dot is hidden; one that ends with a dot is cut on Windows.
  return [...safe]
    .slice(0, maxNameLength)
    .join("")
    .replace(/^[ .]+|[ .]+$/g, "");
}

/** Returns the header that names a saved file, for clients that read ASCII only too (RFC 6266). */
export function attachment(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  if (ascii === fileName) return `attachment; filename="${ascii}"`;
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
