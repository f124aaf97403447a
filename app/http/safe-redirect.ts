/**
 * A path on this very site, or the fallback. Browsers read backslashes as slashes, drop tabs and
 * newlines, and take `//host` for another site; so does everything that is refused here.
 */
export function safeRedirectPath(value: unknown, fallback: string): string {
  if (typeof value !== "string" || value.length > 4_000) return fallback;
  if (!/^\/(?![/\\])/.test(value) || /[\\\0-\x20\x7f-\x9f]/.test(value)) return fallback;
  const base = "http://local.invalid";
  if (!URL.canParse(value, base)) return fallback;
  const { origin, pathname } = new URL(value, base);
  // Dot segments may leave two slashes in front.
  return origin === base && !pathname.startsWith("//") ? value : fallback;
}
