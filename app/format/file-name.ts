/** Names of files that people save: safe on Windows, macOS and Linux. */

const maxNameLength = 100;

/** File systems take 255 bytes of UTF-8, which a code and an ending share with the name. */
const maxNameBytes = 200;

/** Replaces what no file system takes, and what hides or reorders the rest of a name. */
export function safeFileName(text: string): string {
  const safe = text
    .normalize("NFC")
    .replace(/[\p{C}<>:"/\\|?*]+/gu, " ")
    .replace(/\s+/g, " ");
  const characters = [...safe].slice(0, maxNameLength);
  while (bytesOf(characters.join("")) > maxNameBytes) characters.pop();
  // A name that begins with a dot is hidden; one that ends with a dot is cut on Windows.
  return characters.join("").replace(/^[ .]+|[ .]+$/g, "");
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

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
